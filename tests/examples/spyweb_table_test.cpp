// The tables of docs/spyweb.md name tests that exist, and all tests about SpyWeb.
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/examples/example_project.hpp"

namespace heddle::testing {
namespace {

namespace fs = std::filesystem;

using Names = std::set<std::string>;

constexpr std::size_t kLeastRows = 60;

Names matches_in(const std::string& text, const std::regex& pattern) {
  Names names;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
    names.insert((*at)[1].str() + "." + (*at)[2].str());
  return names;
}

// The names in the last column of the tables; a row without one is still missing in Heddle.
Names tests_of_page() {
  const std::regex kRow(R"(\| `(\w+)\.(\w+)` \|\n)");
  return matches_in(read_text(source_folder() / "docs" / "spyweb.md"), kRow);
}

Names tests_of_sources() {
  const std::regex kTest(R"(\nTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\))");
  Names names;
  for (const char* folder : {"src", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(source_folder() / folder)) {
      if (!entry.path().filename().string().ends_with("_test.cpp")) continue;
      names.merge(matches_in(read_text(entry.path()), kTest));
    }
  return names;
}

Names tests_about_spyweb() {
  Names names;
  const auto& program = *::testing::UnitTest::GetInstance();
  for (int i = 0; i < program.total_test_suite_count(); ++i) {
    const ::testing::TestSuite& suite = *program.GetTestSuite(i);
    const std::string name = suite.name();
    if (!name.starts_with("Spyweb")) continue;
    for (int test = 0; test < suite.total_test_count(); ++test)
      names.insert(name + "." + suite.GetTestInfo(test)->name());
  }
  return names;
}

TEST(MigrationPage, NamesOnlyTestsThatExist) {
  const Names all = tests_of_sources();
  for (const std::string& name : tests_of_page()) EXPECT_TRUE(all.contains(name)) << name;
}

TEST(MigrationPage, NamesEveryTestAboutSpyWeb) {
  const Names named = tests_of_page();
  for (const std::string& name : tests_about_spyweb()) EXPECT_TRUE(named.contains(name)) << name;
}

TEST(MigrationPage, HasATestInEveryRowExceptForWhatIsMissing) {
  std::istringstream page(read_text(source_folder() / "docs" / "spyweb.md"));
  std::string section;
  std::size_t rows = 0;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) section = line;
    const bool is_head = line.starts_with("| ---") || line.ends_with("| test |");
    if (!line.starts_with("| ") || is_head || section == "## What differs") continue;
    ++rows;
    const bool has_test = std::regex_search(line, std::regex(R"(\| `\w+\.\w+` \|$)"));
    EXPECT_TRUE(has_test || line.find("| not yet: needs ") != std::string::npos) << line;
  }
  EXPECT_GE(rows, kLeastRows);
}

}  // namespace
}  // namespace heddle::testing
