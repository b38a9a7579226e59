// The shell completions know every command, every option and the jobs of a project.
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>

#include "tests/golden/interface_fixture.hpp"
#include "tests/program/command_tree.hpp"
#include "tests/support/processes.hpp"

namespace heddle::testing {
namespace {

using ::testing::IsSupersetOf;

std::filesystem::path completion_file(const char* name) {
  return std::filesystem::path(HEDDLE_SOURCE_DIR) / "share/completions" / name;
}

// "--json", "-v" and the like, from the lists of options of a help page.
std::set<std::string> options_of(const std::string& help) {
  static const std::regex option_line("^  (-[^ ]*(, --?[^ ]+)*)");
  static const std::regex option("--?[a-z][a-z-]*");
  std::set<std::string> options;
  std::istringstream lines(help.substr(0, help.find("Global options:")));
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (!std::regex_search(line, found, option_line)) continue;
    const std::string names = found[1];
    for (std::sregex_iterator each(names.begin(), names.end(), option), end; each != end; ++each)
      options.insert(each->str());
  }
  return options;
}

// What bash offers after these words.
std::set<std::string> offers_of_bash(const std::filesystem::path& project,
                                     const std::string& words) {
  const std::string script = "source '" + completion_file("heddle.bash").string() +
                             "'; COMP_WORDS=(heddle --project '" + project.string() + "' " + words +
                             " ''); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _heddle; "
                             "printf '%s\\n' \"${COMPREPLY[@]}\" > '" +
                             (project / "offers").string() + "'";
  const std::string command = "bash -c \"$HEDDLE_TEST_SCRIPT\"";
  setenv("HEDDLE_TEST_SCRIPT", script.c_str(), 1);
  EXPECT_EQ(std::system(command.c_str()), 0);  // NOLINT(cert-env33-c,concurrency-mt-unsafe)
  unsetenv("HEDDLE_TEST_SCRIPT");
  std::set<std::string> offers;
  std::istringstream lines(read_file(project / "offers"));
  for (std::string line; std::getline(lines, line);) offers.insert(line);
  return offers;
}

TEST_F(Interface, CompletesEveryOptionOfEveryCommandInBash) {
  for (const HelpPage& page : all_help_pages(project_)) {
    std::string words;
    for (const std::string& word : page.command) words += (words.empty() ? "" : " ") + word;
    EXPECT_THAT(offers_of_bash(project_.path(), words), IsSupersetOf(options_of(page.text)))
        << page.file_name() << ": add them to share/completions/heddle.bash";
  }
}

TEST_F(Interface, CompletesEveryOptionOfEveryCommandInZsh) {
  const std::string text = read_file(completion_file("_heddle"));
  for (const HelpPage& page : all_help_pages(project_)) {
    if (page.command.empty()) continue;
    const std::size_t begin = text.find("\n        " + page.file_name() + ") ");
    ASSERT_NE(begin, std::string::npos) << page.file_name() << ": not in share/completions/_heddle";
    const std::string line = text.substr(begin + 1, text.find('\n', begin + 1) - begin - 1);
    for (const std::string& option : options_of(page.text))
      EXPECT_TRUE(std::regex_search(line, std::regex("['{,]" + option + "[\\[,}]")))
          << option << " of " << page.file_name() << ": add it to share/completions/_heddle";
  }
}

TEST_F(Interface, CompletesTheJobsOfFoldersAndOfJobsToml) {
  project_.write_job("shop", "url = \"https://shop.example/\"\nselector = \"li\"\n");
  project_.write("jobs.toml",
                 "[[jobs]]\nname = \"News Feed\"\nurl = \"https://a.example/\"\n"
                 "[[jobs]]\nid = \"own-id\"  # a comment\nname = 'Other'\n");
  EXPECT_THAT(offers_of_bash(project_.path(), "run"),
              IsSupersetOf({"shop", "news-feed", "own-id"}));
}

}  // namespace
}  // namespace heddle::testing
