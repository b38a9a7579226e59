#include "tests/program/command_tree.hpp"

#include <sstream>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

namespace heddle::testing {

namespace {

// Titles of lists that are not lists of commands.
bool lists_something_else(std::string_view title) {
  return title == "Arguments:" || title == "Options:" || title == "Global options:" ||
         title == "Exit status:" || title == "Example:";
}

// The first words of the lines below titles such as "Jobs:".
std::vector<std::string> listed_commands(const std::string& help) {
  std::vector<std::string> names;
  std::istringstream lines(help);
  bool is_below = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(' ')) is_below = line.ends_with(':') && !lists_something_else(line);
    if (is_below && line.starts_with("  ") && line[2] != ' ')
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return names;
}

void add_pages(const ProjectFolder& project, std::vector<std::string> command,
               std::vector<HelpPage>& pages) {
  std::vector<std::string> arguments = command;
  arguments.emplace_back("--help");
  const ProgramResult help = project.heddle(std::move(arguments));
  EXPECT_EQ(help.exit_code, 0) << help.err;
  EXPECT_EQ(help.err, "");
  const std::vector<std::string> below = listed_commands(help.out);
  pages.push_back({command, help.out});
  for (const std::string& name : below) {
    std::vector<std::string> longer = command;
    longer.push_back(name);
    add_pages(project, std::move(longer), pages);
  }
}

}  // namespace

std::string HelpPage::file_name() const {
  std::string name;
  for (const std::string& word : command) name += (name.empty() ? "" : "-") + word;
  return name.empty() ? "heddle" : name;
}

std::vector<HelpPage> all_help_pages(const ProjectFolder& project) {
  std::vector<HelpPage> pages;
  add_pages(project, {}, pages);
  return pages;
}

}  // namespace heddle::testing
