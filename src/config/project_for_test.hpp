// ProjectForTest is a project in a temporary folder with a fake environment, for the tests of this
// module.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/load_project.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::config {

class ProjectForTest {
 public:
  ProjectForTest() {
    folder_.write("zoneinfo/Europe/Berlin", "TZif2");
    folder_.write("zoneinfo/tzdata.zi", "# not a zone");
    environment_.variable = [this](const std::string& name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
    environment_.zoneinfo = folder_.path() / "zoneinfo";
    environment_.system_timezone = "Europe/Berlin";
  }
  ProjectForTest(const ProjectForTest&) = delete;
  ProjectForTest& operator=(const ProjectForTest&) = delete;

  ProjectForTest& write(const std::string& name, std::string_view text) {
    folder_.write("project/" + name, text);
    return *this;
  }
  // Writes a job into jobs/a/config.toml that is valid except for the added lines.
  ProjectForTest& job(std::string_view more, const std::string& folder = "a") {
    return write(
        "jobs/" + folder + "/config.toml",
        "name = \"" + folder +
            "\"\nurl = \"https://example.com/\"\nselector = \"li\"\nfields = [\"title:h2\"]\n" +
            std::string(more));
  }

  [[nodiscard]] std::filesystem::path root() const { return folder_.path() / "project"; }
  [[nodiscard]] Loaded load() {
    std::filesystem::create_directories(root());
    return load_project(root(), environment_);
  }
  // Every problem as it is printed.
  [[nodiscard]] std::vector<std::string> problem_texts() { return texts(load().problems); }

  static std::vector<std::string> texts(const std::vector<Problem>& problems) {
    std::vector<std::string> out;
    for (const Problem& problem : problems) out.push_back(to_text(problem));
    return out;
  }

  std::map<std::string, std::string> variables;
  Environment& environment() { return environment_; }

 private:
  heddle::testing::TemporaryFolder folder_;
  Environment environment_;
};

}  // namespace heddle::config
