#include "tests/examples/markdown_blocks.hpp"

#include <sstream>

namespace heddle::testing {

namespace {

constexpr std::string_view kMark = "--> ";

CodeBlock begin_block(const std::string& fence, std::size_t line) {
  CodeBlock block;
  block.line = line + 1;
  std::istringstream words(fence.substr(3));
  words >> block.language >> block.kind >> block.argument;
  return block;
}

}  // namespace

std::vector<CodeBlock> code_blocks(std::string_view markdown) {
  std::vector<CodeBlock> blocks;
  bool is_inside = false;
  std::istringstream lines{std::string(markdown)};
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const bool is_fence = line.starts_with("```");
    if (is_fence && !is_inside) blocks.push_back(begin_block(line, number));
    if (is_inside && !is_fence) blocks.back().text += line + "\n";
    if (is_fence) is_inside = !is_inside;
  }
  return blocks;
}

std::vector<std::string> expected_output(std::string_view code) {
  std::vector<std::string> promised;
  std::istringstream lines{std::string(code)};
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t at = line.find(kMark); at != std::string::npos)
      promised.push_back(line.substr(at + kMark.size()));
  return promised;
}

}  // namespace heddle::testing
