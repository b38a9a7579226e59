// Executes docs/tutorial.md from its first block to its last. A block
//   ```console     has commands after "$ " and what each prints; "…" stands for any text, on a line
//                  of its own for any lines
//   ```toml file PATH    is written to that file
//   ```toml append PATH  is appended to it
//   ```sh          is for the reader
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/examples/example_project.hpp"
#include "tests/examples/markdown_blocks.hpp"

namespace heddle::testing {
namespace {

constexpr const char* kShop = "http://127.0.0.1:8099";
constexpr const char* kReceiver = "https://ntfy.sh/my-own-secret-topic";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// As the demo writes it.
std::string page_with_blanket_for(const std::string& price) {
  std::string rows;
  for (const char* name : {"Wool blanket", "Copper kettle", "Desk lamp", "Tea set for two",
                           "Linen towel", "Oak stool", "Candle holder", "Door mat"})
    rows += fmt::format(
        "    <li class=\"product\">\n      <a class=\"name\" href=\"/goods/{0}\">{0}</a>\n      "
        "<span class=\"price\">€ {1}</span>\n      <span class=\"stock\">in stock</span>\n    "
        "</li>\n",
        name, std::string(name) == "Wool blanket" ? price : "49.50");
  return "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>The Little "
         "Loom "
         "Shop</title></head>\n<body>\n  <h1>The Little Loom Shop</h1>\n  <ul>\n" +
         rows + "  </ul>\n</body>\n</html>\n";
}

// A pattern for the whole output.
std::regex pattern_of(const std::string& expected) {
  std::string pattern;
  std::istringstream lines(expected);
  for (std::string line; std::getline(lines, line);) {
    if (line == "…") {
      pattern += "(?:.*\\n)*";
      continue;
    }
    const std::string escaped =
        std::regex_replace(line, std::regex(R"([.^$|()\[\]{}*+?\\])"), "\\$&");
    pattern += replaced(escaped, "…", ".*") + "\\n";
  }
  return std::regex(pattern);
}

class Tutorial : public ::testing::Test {
 protected:
  Tutorial() {
    site_.answer("/", html(page_with_blanket_for("89.00")));
    site_.handle("/hook", [](const SiteRequest&) { return SiteResponse{.status = 204}; });
  }

  std::string here(const std::string& text) const {
    const std::string site = site_.url("");
    return replaced(replaced(text, kReceiver, site_.url("/hook")), kShop, site);
  }

  void execute(const CodeBlock& block) {
    if (block.kind == "file") folder_.write(block.argument, here(block.text));
    if (block.kind == "append") {
      const std::string before = read_text(folder_.path() / block.argument);
      folder_.write(block.argument, before + here(block.text));
      site_.answer("/", html(page_with_blanket_for("71.20")));
    }
    if (block.language == "console") run(block);
  }

  void run(const CodeBlock& block) {
    ASSERT_TRUE(block.text.starts_with("$ heddle ")) << block.text;
    const std::size_t end = block.text.find('\n');
    std::istringstream words(here(block.text.substr(9, end - 9)));
    std::vector<std::string> arguments;
    for (std::string word; words >> word;) arguments.push_back(word);
    const ProgramResult result = run_heddle(folder_.path(), arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::string expected = here(block.text.substr(end + 1));
    EXPECT_TRUE(std::regex_match(result.out, pattern_of(expected)))
        << "docs/tutorial.md:" << block.line << "\n"
        << expected << "---\n"
        << result.out << result.err;
    ++executed_;
  }

  TestSite site_;
  TemporaryFolder folder_;
  int executed_ = 0;
};

TEST_F(Tutorial, EndsWithAMessage) {
  for (const CodeBlock& block : code_blocks(read_text(source_folder() / "docs" / "tutorial.md")))
    execute(block);
  EXPECT_EQ(executed_, 5);
  ASSERT_EQ(site_.count("/hook"), 1U);
  EXPECT_THAT(site_.requests("/hook")[0].body, ::testing::HasSubstr("71.20"));
}

}  // namespace
}  // namespace heddle::testing
