// Every command of the program, as its own help lists them.
#pragma once

#include <string>
#include <vector>

#include "tests/program/project_folder.hpp"

namespace heddle::testing {

struct HelpPage {
  std::vector<std::string> command;  // {"dead", "list"}; empty: the program itself
  std::string text;

  // "dead-list"; "heddle" for the program itself.
  [[nodiscard]] std::string file_name() const;
};

std::vector<HelpPage> all_help_pages(const ProjectFolder& project);

}  // namespace heddle::testing
