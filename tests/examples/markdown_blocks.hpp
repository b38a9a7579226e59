// The code blocks of a Markdown page. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::testing {

struct CodeBlock {
  std::size_t line = 0;  // of its first line of text, from 1
  std::string language;  // "lua" of "```lua file lib/prices.lua"
  std::string kind;      // "file"
  std::string argument;  // "lib/prices.lua"
  std::string text;      // every line with its line break
};

std::vector<CodeBlock> code_blocks(std::string_view markdown);

// The output that the code documents: the texts after "--> ", in order.
std::vector<std::string> expected_output(std::string_view code);

}  // namespace heddle::testing
