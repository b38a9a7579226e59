// Recognises Luau in a text that Lua 5.4 does not compile. Pure.
#pragma once

#include <string>
#include <string_view>

namespace heddle::script {

// The message is Lua's, "name:12: …". Gives a sentence that says what to write instead, or nothing.
std::string dialect_hint(std::string_view source, std::string_view message);

}  // namespace heddle::script
