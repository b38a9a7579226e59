#include "tests/golden/golden_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/processes.hpp"

namespace heddle::testing {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kAround = 3;

bool is_update() {
  const char* value = std::getenv("HEDDLE_UPDATE_GOLDEN");
  return value != nullptr && std::string_view(value) == "1";
}

fs::path expected_folder() {
  return HEDDLE_GOLDEN_DIR;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

struct DiffLine {
  char mark = ' ';  // '-', '+' or ' '
  std::string_view text;
  std::size_t number = 0;  // of the expected line that it is, or stands before
};

// By the longest common subsequence: the files are small.
std::vector<DiffLine> compare(const std::vector<std::string_view>& a,
                              const std::vector<std::string_view>& b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::uint32_t> longest((a.size() + 1) * width, 0);
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      longest[i * width + j] =
          a[i] == b[j] ? longest[(i + 1) * width + j + 1] + 1
                       : std::max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
  std::vector<DiffLine> out;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      out.push_back({' ', a[i], i + 1});
      ++i, ++j;
    } else if (i < a.size() &&
               (j == b.size() || longest[(i + 1) * width + j] >= longest[i * width + j + 1])) {
      out.push_back({'-', a[i], i + 1});
      ++i;
    } else {
      out.push_back({'+', b[j], i + 1});
      ++j;
    }
  }
  return out;
}

bool is_near_a_difference(const std::vector<DiffLine>& lines, std::size_t place) {
  const std::size_t first = place > kAround ? place - kAround : 0;
  const std::size_t last = std::min(lines.size(), place + kAround + 1);
  for (std::size_t i = first; i < last; ++i)
    if (lines[i].mark != ' ') return true;
  return false;
}

void write_expected(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out << text;
  ASSERT_TRUE(out.flush()) << "cannot write " << file;
}

}  // namespace

std::string line_diff(std::string_view expected, std::string_view actual) {
  if (expected == actual) return "";
  const auto lines = compare(lines_of(expected), lines_of(actual));
  std::string out;
  bool was_shown = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool is_shown = is_near_a_difference(lines, i);
    if (is_shown && !was_shown) out += fmt::format("@@ line {} @@\n", lines[i].number);
    if (is_shown) out += fmt::format("{}{}\n", lines[i].mark, lines[i].text);
    was_shown = is_shown;
  }
  return out.empty() ? "the last line break differs\n" : out;
}

void expect_golden(const fs::path& name, const std::string& actual) {
  const fs::path file = expected_folder() / name;
  const bool is_there = fs::exists(file);
  const std::string diff = line_diff(read_file(file), actual);
  if (is_there && diff.empty()) return;
  const std::string shown =
      fmt::format("--- tests/golden/expected/{0}{1}\n+++ what this program says\n{2}",
                  name.string(), is_there ? "" : " (missing)", diff);
  if (!is_update()) {
    ADD_FAILURE()
        << shown
        << "This is an interface: programs and people rely on it. If the change is meant,"
           " accept it with\n  HEDDLE_UPDATE_GOLDEN=1 build/release/tests/golden/golden_test\n"
           "read `git diff tests/golden`, and tell users in CHANGELOG.md.";
    return;
  }
  write_expected(file, actual);
  ADD_FAILURE() << shown << "Written. Read `git diff tests/golden` and run the tests again.";
}

std::vector<std::string> golden_names(const fs::path& folder) {
  std::vector<std::string> names;
  const fs::path root = expected_folder() / folder;
  if (!fs::exists(root)) return names;
  for (const auto& entry : fs::recursive_directory_iterator(root))
    if (entry.is_regular_file())
      names.push_back(entry.path().lexically_relative(root).generic_string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace heddle::testing
