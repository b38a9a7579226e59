// Checks every block of docs/how-do-i.md: jobs and settings with `heddle check`, commands against
// the help, the script with prices. The README has the same script.
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/examples/example_project.hpp"
#include "tests/examples/markdown_blocks.hpp"
#include "tests/program/project_folder.hpp"

namespace heddle::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string how_do_i() {
  return read_text(source_folder() / "docs" / "how-do-i.md");
}

std::vector<CodeBlock> blocks_of_kind(const std::string& kind) {
  std::vector<CodeBlock> found;
  for (CodeBlock& block : code_blocks(how_do_i()))
    if (block.kind == kind || (block.kind.empty() && block.language == kind))
      found.push_back(std::move(block));
  EXPECT_FALSE(found.empty()) << kind;
  return found;
}

// No error, warning or notice: a key without effect has no place on this page.
void expect_clean(const ProjectFolder& project, const CodeBlock& block) {
  const ProgramResult checked = project.heddle({"check"});
  EXPECT_EQ(checked.exit_code, 0) << "line " << block.line << ": " << checked.out;
  EXPECT_THAT(checked.out, HasSubstr("0 errors, 0 warnings, 0 notices")) << "line " << block.line;
}

constexpr const char* kPlainJob =
    "name = \"Export\"\nurl = \"https://a.example/\"\nselector = \"li\"\n";

TEST(HowDoI, HasJobsWithoutMistakes) {
  setenv("SHOP_SESSION", "a-long-session", 1);
  for (const CodeBlock& block : blocks_of_kind("job")) {
    const ProjectFolder project;
    project.write("jobs/export/config.toml", kPlainJob);  // the one that a block comes after
    project.write("jobs/block/config.toml", block.text);
    for (const char* program : {"export.sh", "upload.sh"}) {
      project.write("jobs/block/" + std::string(program), "#!/bin/sh\n");
      std::filesystem::permissions(project.path() / "jobs" / "block" / program,
                                   std::filesystem::perms::owner_all);
    }
    expect_clean(project, block);
  }
  unsetenv("SHOP_SESSION");
}

TEST(HowDoI, HasSettingsWithoutMistakes) {
  for (const CodeBlock& block : blocks_of_kind("project")) {
    const ProjectFolder project;
    project.write("jobs/export/config.toml", kPlainJob);
    project.write("heddle.toml", block.text);
    expect_clean(project, block);
  }
}

TEST(HowDoI, HasCommandsAndOptionsThatExist) {
  static const std::regex option("(^| )(--?[a-z][a-z-]*)");
  const ProjectFolder project;
  for (const CodeBlock& block : blocks_of_kind("sh")) {
    std::istringstream lines(block.text);
    for (std::string line; std::getline(lines, line);) {
      line = std::regex_replace(line, std::regex("--project [^ ]+ "), "");
      std::istringstream words(line);
      std::string program;
      std::string command;
      std::string below;
      words >> program >> command >> below;
      ASSERT_EQ(program, "heddle") << line;
      std::vector<std::string> help{command};
      if (command == "dead" || command == "config") help.push_back(below);
      help.emplace_back("--help");
      const ProgramResult page = project.heddle(help);
      EXPECT_EQ(page.exit_code, 0) << line;
      for (std::sregex_iterator each(line.begin(), line.end(), option), end; each != end; ++each)
        EXPECT_TRUE(std::regex_search(page.out, std::regex("[ ,]" + (*each)[2].str() + "[ ,\n]")))
            << line << ": " << (*each)[2].str();
    }
  }
}

TEST(HowDoI, LinksToEveryQuestion) {
  const std::string page = how_do_i();
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("## ")) continue;
    std::string anchor = std::regex_replace(line.substr(3), std::regex(" "), "-");
    for (char& c : anchor) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    EXPECT_THAT(page, HasSubstr("](#" + anchor + ")")) << line;
  }
}

// Keeps 1299.00, 49.50, 49 and 1299, and drops 1600 and a text without a price.
void expect_prices_are_read(const std::string& hooks) {
  const ProjectFolder project;
  project.write("jobs/shop/config.toml",
                "name = \"Shop\"\nurl = \"https://a.example/\"\nselector = \"li\"\n"
                "fields = [\"price:\"]\n");
  project.write("jobs/shop/hooks.lua", hooks);
  project.write("jobs/shop/tests.lua",
                "function test_prices()\n"
                "  local page = '<li>€1.299,00<li>$49.50<li>€ 49<li>1.299 €<li>1,299.00 USD"
                "<li>€1.600,00<li>on request'\n"
                "  local kept = {}\n"
                "  for _, item in ipairs(heddle.run_cycle({ body = page }).items) do\n"
                "    kept[#kept + 1] = item.fields.price\n"
                "  end\n"
                "  heddle.assert_eq(kept,\n"
                "    { '€1.299,00', '$49.50', '€ 49', '1.299 €', '1,299.00 USD' })\n"
                "end\n");
  const ProgramResult tested = project.heddle({"test", "shop"});
  EXPECT_EQ(tested.exit_code, 0) << tested.out << tested.err;
}

TEST(HowDoI, ReadsPricesInAnyNotation) {
  expect_prices_are_read(blocks_of_kind("hooks").front().text);
}

TEST(ReadmeScript, ReadsPricesInAnyNotation) {
  for (const CodeBlock& block : code_blocks(read_text(source_folder() / "README.md")))
    if (block.language == "lua") expect_prices_are_read("function http_post() end\n" + block.text);
}

}  // namespace
}  // namespace heddle::testing
