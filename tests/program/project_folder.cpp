#include "tests/program/project_folder.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace heddle::testing {

ProjectFolder::ProjectFolder(std::string_view more) {
  std::string text =
      "[network]\nallow = [\"127.0.0.1\"]\n"
      "[defaults]\nschedule = \"manual\"\n"
      "[defaults.retry]\nbase = \"10ms\"\njitter = 0\n"
      "[defaults.notification]\nenabled = false\n";
  text += more;
  folder_.write("heddle.toml", text);
}

void ProjectFolder::write_job(std::string_view id, std::string_view toml) const {
  std::string text = "name = \"" + std::string(id) + "\"\n";
  text += toml;
  folder_.write(std::filesystem::path("jobs") / id / "config.toml", text);
}

void ProjectFolder::write(std::string_view file, std::string_view text) const {
  folder_.write(std::filesystem::path(file), text);
}

ProgramResult ProjectFolder::heddle(std::vector<std::string> arguments) const {
  return run_heddle(path(), std::move(arguments));
}

boost::json::value ProjectFolder::heddle_json(std::vector<std::string> arguments) const {
  arguments.emplace_back("--json");
  const ProgramResult result = heddle(std::move(arguments));
  boost::system::error_code failed;
  auto value = boost::json::parse(result.out, failed);
  EXPECT_FALSE(failed) << "not JSON: " << result.out << "\nstandard error: " << result.err;
  return value;
}

}  // namespace heddle::testing
