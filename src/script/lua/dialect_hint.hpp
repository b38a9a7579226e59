// Recognizes Luau syntax in a script that Lua 5.4 does not compile. Pure.
#pragma once

#include <string>
#include <string_view>

namespace heddle::script {

// The message is Lua's, "name:12: …". Returns what to write instead, or "".
std::string dialect_hint(std::string_view source, std::string_view message);

}  // namespace heddle::script
