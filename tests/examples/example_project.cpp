#include "tests/examples/example_project.hpp"

#include <fstream>
#include <iterator>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace heddle::testing {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kAddressInExamples = "http://127.0.0.1:8099";

std::string with_site(std::string text, const TestSite& site) {
  const std::string address = fmt::format("http://127.0.0.1:{}", site.port());
  for (std::size_t at = text.find(kAddressInExamples); at != std::string::npos;
       at = text.find(kAddressInExamples, at + address.size()))
    text.replace(at, kAddressInExamples.size(), address);
  return text;
}

}  // namespace

fs::path source_folder() {
  return HEDDLE_SOURCE_DIR;
}

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in) << "cannot read " << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

boost::json::value parse_json(std::string_view text) {
  boost::system::error_code failed;
  auto value = boost::json::parse(text, failed);
  EXPECT_FALSE(failed) << "not JSON: " << text;
  return value;
}

ExampleProject::ExampleProject(std::string_view name, const TestSite& site) {
  const fs::path source = source_folder() / "examples" / name;
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    if (!entry.is_regular_file()) continue;
    folder_.write(entry.path().lexically_relative(source),
                  with_site(read_text(entry.path()), site));
  }
}

void ExampleProject::replace(std::string_view file, std::string_view from,
                             std::string_view to) const {
  std::string text = read(file);
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from << " is not in " << file;
  folder_.write(fs::path(file), text.replace(at, from.size(), to));
}

ProgramResult ExampleProject::heddle(std::vector<std::string> arguments) const {
  return run_heddle(folder_.path(), std::move(arguments));
}

boost::json::value ExampleProject::run(std::string job) {
  ProgramResult result = heddle({"run", std::move(job), "--json"});
  log_ = std::move(result.err);
  return parse_json(result.out);
}

boost::json::value ExampleProject::records(std::string job) const {
  return parse_json(heddle({"records", std::move(job), "--json"}).out);
}

std::string ExampleProject::read(std::string_view file) const {
  return read_text(folder_.path() / file);
}

SiteResponse shop_page(const std::vector<std::string>& products) {
  std::string rows;
  for (const std::string& product : products) {
    const std::size_t first = product.find('|');
    const std::size_t second = product.find('|', first + 1);
    const std::string name = product.substr(0, first);
    rows += fmt::format(
        "<li class=\"product\"><a class=\"name\" href=\"/goods/{}\">{}</a>"
        "<span class=\"price\">{}</span><span class=\"stock\">{}</span></li>",
        name, name, product.substr(first + 1, second - first - 1), product.substr(second + 1));
  }
  return html("<!doctype html><meta charset=\"utf-8\"><ul>" + rows + "</ul>");
}

void serve_files(TestSite& site, fs::path folder) {
  site.handle_rest([folder = std::move(folder)](const SiteRequest& request) {
    const fs::path file = folder / request.path.substr(1);
    if (!fs::is_regular_file(file)) return SiteResponse{.status = 404};
    return SiteResponse{.body = read_text(file)};
  });
}

}  // namespace heddle::testing
