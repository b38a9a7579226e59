// A project, a test site and what is recorded of the program's commands on them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/golden/golden_file.hpp"
#include "tests/golden/normaliser.hpp"
#include "tests/program/project_folder.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {

// The suite of all tests that compare with a golden file.
class Interface : public ::testing::Test {
 protected:
  // Pins the environment: language, time zone, colours, terminal. The project's own time zone is
  // one where it is about noon now, so that no midnight falls into a test.
  Interface();

  // Writes heddle.toml: pages of the test site, no schedules, no watching, no waiting. More
  // `keys` stand before its tables, more `tables` after them.
  void write_settings(std::string_view tables = "", std::string_view keys = "");

  // Runs the program with --json and adds what came of it to the document: the command line, the
  // exit status, standard output as JSON, standard error. Returns what it printed.
  ProgramResult record(const std::string& document, std::vector<std::string> arguments,
                       std::string_view situation = "");
  // The same for a command whose output is no JSON.
  ProgramResult record_text(const std::string& document, std::vector<std::string> arguments,
                            std::string_view situation = "");
  void note(const std::string& document, const std::string& text);

  // Compares every document with expected/FOLDER/NAME.txt; the folder is this test's alone.
  void expect_documents(const std::string& folder);

  TestSite site_;
  ProjectFolder project_;
  Normaliser normaliser_;

 private:
  ProgramResult add(const std::string& document, std::vector<std::string> arguments,
                    std::string_view situation, bool is_json);

  std::string zone_;
  std::map<std::string, std::string> documents_;  // by name
};

}  // namespace heddle::testing
