#include <algorithm>
#include <sstream>

#include <toml++/toml.h>

#include "config/read/nesting.hpp"
#include "config/read/value.hpp"

namespace heddle::config {

namespace {

// The library allows 256 nested values, and a dotted key nests without bound: both are far more
// than any key needs, and deep trees overflow the stack when they are freed.
constexpr int kMaxNesting = 32;
constexpr int kMaxDots = 16;

int line_of(const toml::source_region& region) {
  return static_cast<int>(region.begin.line);
}

template <class T>
Moment moment(const T& value) {
  std::ostringstream out;
  out << value;
  return {out.str()};
}

Value convert(const toml::node& node);

Value convert(const toml::table& table) {
  struct Placed {
    toml::source_position at;
    Entry entry;
  };
  std::vector<Placed> placed;
  for (const auto& [key, node] : table) {
    Entry entry{std::string(key.str()), convert(node)};
    entry.value.line = line_of(key.source());
    placed.push_back({key.source().begin, std::move(entry)});
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [](const Placed& a, const Placed& b) { return a.at < b.at; });
  Table out;
  out.reserve(placed.size());
  for (Placed& each : placed) out.push_back(std::move(each.entry));
  return {std::move(out), std::max(1, line_of(table.source()))};
}

Value convert(const toml::array& array) {
  List out;
  out.reserve(array.size());
  for (const toml::node& node : array) out.push_back(convert(node));
  return {std::move(out), line_of(array.source())};
}

Value convert(const toml::node& node) {
  return node.visit([](const auto& typed) -> Value {
    using Node = std::remove_cvref_t<decltype(typed)>;
    if constexpr (std::is_same_v<Node, toml::table> || std::is_same_v<Node, toml::array>) {
      return convert(typed);
    } else if constexpr (toml::is_date<Node> || toml::is_time<Node> || toml::is_date_time<Node>) {
      return {moment(typed.get()), line_of(typed.source())};
    } else {
      return {typed.get(), line_of(typed.source())};
    }
  });
}

}  // namespace

std::variant<Value, SyntaxError> parse_toml(std::string_view text) {
  if (const int line = line_of_excess(text, {.depth = kMaxNesting, .dots = kMaxDots}); line > 0)
    return SyntaxError{line, "values are nested too deeply"};
  try {
    return convert(toml::parse(text));
  } catch (const toml::parse_error& error) {
    return SyntaxError{std::max(1, line_of(error.source())), std::string(error.description())};
  }
}

}  // namespace heddle::config
