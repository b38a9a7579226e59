// Translates Luau's literals: numbers such as 1_000 and 0b101, and the text of strings with
// backticks. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::script {

// True for a number with `_`, and for one that begins with 0b.
bool is_luau_number(std::string_view number);
// The same number as Lua writes it; nullopt when it is none.
std::optional<std::string> translate_number(std::string_view number);

// The bytes that the text between the backticks and braces stands for; nullopt when an escape
// sequence is wrong.
std::optional<std::string> read_interpolated_text(std::string_view text);
// The bytes as a string of Lua on one line.
std::string quote_for_lua(std::string_view bytes);

}  // namespace heddle::script
