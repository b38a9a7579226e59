#include "tests/golden/source_literals.hpp"

#include <algorithm>
#include <filesystem>

#include "tests/support/processes.hpp"

namespace heddle::testing {

namespace {

namespace fs = std::filesystem;

// How long what begins here is: a comment, a literal or one character.
std::size_t length_until(std::string_view text, std::size_t from, std::string_view end) {
  const std::size_t found = text.find(end, from);
  return found == std::string_view::npos ? text.size() : found + end.size();
}

std::size_t quoted_length(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == text.front() || text[i] == '\n')
      return i + 1;
  }
  return text.size();
}

// R"tag(…)tag": its length, and what it holds.
std::size_t raw_length(std::string_view text, std::string_view& held) {
  const std::size_t open = std::min(text.find('('), text.size() - 1);
  const std::string end = ")" + std::string(text.substr(2, open - 2)) + "\"";
  const std::size_t length = length_until(text, open, end);
  held = text.substr(open + 1, length - open - 1 - end.size());
  return length;
}

// 1'000'000 holds no character literals.
bool is_in_number(std::string_view text, std::size_t place) {
  return place > 0 && std::isalnum(static_cast<unsigned char>(text[place - 1])) != 0;
}

bool is_of_the_program(const fs::path& file) {
  const std::string stem = file.stem().string();
  for (const char* ending : {"_test", "_bench", "_fuzz", "_for_test"})
    if (stem.ends_with(ending)) return false;
  const std::string path = file.generic_string();
  return (path.ends_with(".cpp") || path.ends_with(".hpp")) &&
         path.find("/test_child/") == std::string::npos;
}

}  // namespace

std::set<std::string> string_literals(std::string_view source) {
  std::set<std::string> found;
  for (std::size_t i = 0; i < source.size();) {
    const std::string_view rest = source.substr(i);
    std::size_t length = 1;
    if (rest.starts_with("//")) {
      length = length_until(rest, 0, "\n");
    } else if (rest.starts_with("/*")) {
      length = length_until(rest, 2, "*/");
    } else if (rest.starts_with("R\"")) {
      std::string_view held;
      length = raw_length(rest, held);
      found.emplace(held);
    } else if (rest.front() == '"') {
      length = quoted_length(rest);
      found.emplace(rest.substr(1, length - 2));
    } else if (rest.front() == '\'' && !is_in_number(source, i)) {
      length = quoted_length(rest);
    }
    i += length;
  }
  return found;
}

const std::set<std::string>& source_literals() {
  static const std::set<std::string> all = [] {
    std::set<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(HEDDLE_SOURCE_DIR) / "src"))
      if (entry.is_regular_file() && is_of_the_program(entry.path()))
        found.merge(string_literals(read_file(entry.path())));
    return found;
  }();
  return all;
}

}  // namespace heddle::testing
