// Normalises the host part of a URL. Used only by Url.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// Appends the normal form of `host` to `out`. Returns nullptr, or a short reason.
const char* append_normal_host(std::string& out, std::string_view host);

}  // namespace heddle
