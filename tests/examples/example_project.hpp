// A copy of a project of examples/ in a temporary folder, pointed at a test site.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "tests/program/heddle_program.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {

std::filesystem::path source_folder();  // of the repository
std::string read_text(const std::filesystem::path& file);

class ExampleProject {
 public:
  // `site` replaces http://127.0.0.1:8099, the address in all examples.
  ExampleProject(std::string_view name, const TestSite& site);

  // Replaces a text in a file; fails the test when it is absent.
  void replace(std::string_view file, std::string_view from, std::string_view to) const;

  ProgramResult heddle(std::vector<std::string> arguments) const;
  // heddle run JOB --json; fails the test when it prints anything else.
  boost::json::value run(std::string job);
  boost::json::value records(std::string job) const;
  // Script output and warnings of the last run.
  [[nodiscard]] const std::string& log() const { return log_; }

  [[nodiscard]] std::string read(std::string_view file) const;

 private:
  TemporaryFolder folder_;
  std::string log_;
};

// The demo's shop, with products given as "name|price|stock".
SiteResponse shop_page(const std::vector<std::string>& products);
// Serves every other path from the folder.
void serve_files(TestSite& site, std::filesystem::path folder);

boost::json::value parse_json(std::string_view text);

}  // namespace heddle::testing
