// A project with one job as SpyWeb has them: a folder with config.toml and Lua files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>
#include <gtest/gtest.h>

#include "tests/program/project_folder.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {

// In all texts, SITE stands for the address of the test site.
class SpywebTest : public ::testing::Test {
 protected:
  // A file of the job, or of the project when it begins with "/".
  void write(std::string_view file, std::string text) const;
  void write_config(std::string_view toml) const;
  // Runs the job and returns what its scripts printed, without prefix. Expects this exit status.
  std::vector<std::string> run(int exit_code = 0);
  // "field" of each stored item, oldest first.
  [[nodiscard]] std::vector<std::string> stored(std::string_view field) const;
  [[nodiscard]] std::string with_site(std::string text) const;

  TestSite site_;
  ProjectFolder project_;
  boost::json::value run_;  // the last one, as `heddle run --json` shows it
};

}  // namespace heddle::testing
