// A project in a temporary folder, run by the real program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "tests/program/heddle_program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::testing {

class ProjectFolder {
 public:
  // Allows jobs to fetch from 127.0.0.1; `more` is appended to heddle.toml.
  explicit ProjectFolder(std::string_view more = "");

  void write_job(std::string_view id, std::string_view toml) const;
  void write(std::string_view file, std::string_view text) const;

  ProgramResult heddle(std::vector<std::string> arguments) const;
  // Runs with --json and parses the output; fails the test when it is not JSON.
  boost::json::value heddle_json(std::vector<std::string> arguments) const;

  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }
  [[nodiscard]] std::filesystem::path database() const { return path() / "data" / "heddle.db"; }

 private:
  TemporaryFolder folder_;
};

}  // namespace heddle::testing
