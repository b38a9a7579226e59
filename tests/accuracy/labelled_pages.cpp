#include "tests/accuracy/labelled_pages.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/hash.hpp"
#include "base/text.hpp"

namespace heddle::accuracy {

namespace {

bool verbose = false;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Url url_of(const boost::json::object& labels) {
  const auto* url = labels.if_contains("url");
  if (url != nullptr && url->is_string())
    if (auto parsed = Url::parse(std::string(url->as_string()))) return *parsed;
  return *Url::parse("https://page.example/");
}

}  // namespace

std::string labelled_folder() {
  return std::filesystem::exists(HEDDLE_LABELLED_PAGES) ? HEDDLE_LABELLED_PAGES : "";
}

void each_page(std::string_view set, const std::function<void(const LabelledPage&)>& visit) {
  const std::filesystem::path folder = std::filesystem::path(labelled_folder()) / set;
  const auto labels = boost::json::parse(read_file(folder / "labels.json")).as_object();
  std::vector<std::string> names;
  for (const auto& entry : labels) names.emplace_back(entry.key());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    LabelledPage page;
    page.name = name.ends_with(".html") ? name.substr(0, name.size() - 5) : name;
    page.labels = labels.at(name).as_object();
    page.url = url_of(page.labels);
    page.body = read_file(folder / "html" / (page.name + ".html"));
    page.is_held_back = (hash64(page.name) & 1) != 0;
    visit(page);
  }
}

void print_row(std::string_view name, double all, double tuned, double held_back,
               std::string_view aim) {
  std::printf("%-44.*s %7.3f %7.3f %7.3f   %.*s\n", static_cast<int>(name.size()), name.data(), all,
              tuned, held_back, static_cast<int>(aim.size()), aim.data());
}

bool is_verbose() {
  return verbose;
}

void set_verbose(bool value) {
  verbose = value;
}

}  // namespace heddle::accuracy
