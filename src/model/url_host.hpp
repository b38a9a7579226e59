// The host part of a URL in its one normal form. Used by Url alone.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// Appends the normal form of `host` to `out`. Returns nullptr, or in a few words what is wrong.
const char* append_normal_host(std::string& out, std::string_view host);

}  // namespace heddle
