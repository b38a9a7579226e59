#include "tests/examples/spyweb_test.hpp"

#include <algorithm>
#include <sstream>

#include "tests/examples/example_project.hpp"

namespace heddle::testing {

std::string SpywebTest::with_site(std::string text) const {
  constexpr std::string_view kSite = "SITE";
  std::string url = site_.url("/");
  url.pop_back();
  for (std::size_t at = text.find(kSite); at != std::string::npos; at = text.find(kSite, at))
    text.replace(at, kSite.size(), url);
  return text;
}

void SpywebTest::write(std::string_view file, std::string text) const {
  const bool is_in_project = file.starts_with('/');
  const std::string path =
      is_in_project ? std::string(file.substr(1)) : "jobs/page/" + std::string(file);
  project_.write(path, with_site(std::move(text)));
}

void SpywebTest::write_config(std::string_view toml) const {
  write("config.toml", std::string(toml));
}

std::vector<std::string> SpywebTest::run(int exit_code) {
  const ProgramResult result = project_.heddle({"run", "page", "--json"});
  EXPECT_EQ(result.exit_code, exit_code) << result.out << result.err;
  run_ = parse_json(result.out);
  std::vector<std::string> lines;
  std::istringstream output(result.err);
  for (std::string line; std::getline(output, line);) {
    // "[job] …", and "warning: [job] …"
    const std::size_t open = line.find('[');
    const std::size_t close = line.find("] ", open);
    const bool has_job = close != std::string::npos;
    lines.push_back(has_job ? line.substr(0, open) + line.substr(close + 2) : line);
  }
  return lines;
}

std::vector<std::string> SpywebTest::stored(std::string_view field) const {
  std::vector<std::string> values;
  const boost::json::value records = project_.heddle_json({"records", "page"});
  for (const auto& record : records.as_array()) {
    const auto& fields = record.at("fields").as_object();
    const auto* value = fields.if_contains(field);
    values.emplace_back(value == nullptr ? "(none)" : std::string(value->as_string()));
  }
  std::reverse(values.begin(), values.end());
  return values;
}

}  // namespace heddle::testing
