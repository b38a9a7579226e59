#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "config/read/files/syntax_text.hpp"
#include "config/read/values/nesting.hpp"
#include "config/read/values/toml_value.hpp"

namespace heddle::config {

namespace {

// The library allows 256 nested values, and a dotted key nests without bound. No key needs either,
// and freeing a deep tree overflows the stack.
constexpr int kMaxNesting = 32;
constexpr int kMaxDots = 16;
// A parsed value needs some 300 bytes; a hundred thousand jobs have fewer values.
constexpr int kMaxValues = 2'000'000;

int line_of(const toml::source_region& region) {
  return static_cast<int>(region.begin.line);
}

template <class T>
TomlDateTime to_date_time(const T& value) {
  std::ostringstream out;
  out << value;
  return {out.str()};
}

TomlValue convert(const toml::node& node);

TomlValue convert(const toml::table& table) {
  struct Placed {
    toml::source_position at;
    TomlEntry entry;
  };
  std::vector<Placed> placed;
  for (const auto& [key, node] : table) {
    TomlEntry entry{std::string(key.str()), convert(node)};
    entry.value.line = line_of(key.source());
    placed.push_back({key.source().begin, std::move(entry)});
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [](const Placed& a, const Placed& b) { return a.at < b.at; });
  TomlTable out;
  out.reserve(placed.size());
  for (Placed& each : placed) out.push_back(std::move(each.entry));
  return {std::move(out), std::max(1, line_of(table.source()))};
}

TomlValue convert(const toml::array& array) {
  TomlList out;
  out.reserve(array.size());
  for (const toml::node& node : array) out.push_back(convert(node));
  return {std::move(out), line_of(array.source())};
}

TomlValue convert(const toml::node& node) {
  return node.visit([](const auto& typed) -> TomlValue {
    using Node = std::remove_cvref_t<decltype(typed)>;
    if constexpr (std::is_same_v<Node, toml::table> || std::is_same_v<Node, toml::array>) {
      return convert(typed);
    } else if constexpr (toml::is_date<Node> || toml::is_time<Node> || toml::is_date_time<Node>) {
      return {to_date_time(typed.get()), line_of(typed.source())};
    } else {
      return {typed.get(), line_of(typed.source())};
    }
  });
}

}  // namespace

std::variant<TomlValue, SyntaxError> parse_toml(std::string_view text) {
  const NestingLimits limits{.depth = kMaxNesting, .dots = kMaxDots, .values = kMaxValues};
  if (const int line = line_of_excess(text, limits); line > 0) {
    const bool is_deep = line_of_excess(text, {.depth = kMaxNesting, .dots = kMaxDots}) == line;
    return SyntaxError{line, is_deep ? "values are nested too deeply"
                                     : fmt::format("more than {} values in one file", kMaxValues)};
  }
  if (const int line = line_of_invalid_utf8(text); line > 0)
    return SyntaxError{line, "a character is not UTF-8: save the file in that encoding"};
  try {
    return convert(toml::parse(text));
  } catch (const toml::parse_error& error) {
    const int line = std::max(1, line_of(error.source()));
    const auto column = static_cast<int>(error.source().begin.column);
    return SyntaxError{line, fmt::format("column {}: {}", std::max(1, column),
                                         syntax_text(error.description(), text, line, column))};
  }
}

}  // namespace heddle::config
