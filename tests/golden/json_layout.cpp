#include "tests/golden/json_layout.hpp"

#include <algorithm>

#include <boost/json/parse.hpp>

namespace heddle::testing {

namespace {

constexpr std::size_t kColumns = 120;
constexpr std::string_view kBlanks = " \t\r\n";

// Of text that Boost has found to be JSON: what remains is to find the ends of values.
class JsonScanner {
 public:
  explicit JsonScanner(std::string_view text) : rest_(text) {}

  JsonText value() {
    skip_blanks();
    if (rest_.front() == '{') return members_until('}', JsonText::Kind::object);
    if (rest_.front() == '[') return members_until(']', JsonText::Kind::array);
    return {JsonText::Kind::scalar, scalar(), {}};
  }

 private:
  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
  }

  std::string scalar() {
    std::size_t end = 0;
    if (rest_.front() == '"') {
      for (end = 1; rest_[end] != '"'; ++end)
        if (rest_[end] == '\\') ++end;
      ++end;
    } else {
      end = std::min(rest_.find_first_of(",]} \t\r\n"), rest_.size());
    }
    std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return text;
  }

  JsonText members_until(char close, JsonText::Kind kind) {
    JsonText out{kind, {}, {}};
    rest_.remove_prefix(1);
    for (skip_blanks(); rest_.front() != close; skip_blanks()) {
      std::string name;
      if (kind == JsonText::Kind::object) {
        name = scalar();
        skip_blanks();
        rest_.remove_prefix(1);  // the colon
      }
      out.members.emplace_back(std::move(name), value());
      skip_blanks();
      if (rest_.front() == ',') rest_.remove_prefix(1);
    }
    rest_.remove_prefix(1);
    return out;
  }

  std::string_view rest_;
};

std::string name_before(const std::string& name) {
  return name.empty() ? "" : name + ": ";
}

std::string on_one_line(const JsonText& value) {
  if (value.kind == JsonText::Kind::scalar) return value.scalar;
  const bool is_object = value.kind == JsonText::Kind::object;
  if (value.members.empty()) return is_object ? "{}" : "[]";
  std::string out;
  for (const auto& [name, member] : value.members)
    out += (out.empty() ? "" : ", ") + name_before(name) + on_one_line(member);
  return is_object ? "{ " + out + " }" : "[" + out + "]";
}

void append(const JsonText& value, const std::string& name, std::size_t indent, std::string& out) {
  const std::string start = std::string(indent, ' ') + name_before(name);
  const std::string line = on_one_line(value);
  if (value.kind == JsonText::Kind::scalar || start.size() + line.size() <= kColumns) {
    out += start + line;
    return;
  }
  const bool is_object = value.kind == JsonText::Kind::object;
  out += start + (is_object ? "{" : "[");
  for (std::size_t i = 0; i < value.members.size(); ++i) {
    out += i == 0 ? "\n" : ",\n";
    append(value.members[i].second, value.members[i].first, indent + 2, out);
  }
  out += "\n" + std::string(indent, ' ') + (is_object ? "}" : "]");
}

}  // namespace

JsonText read_json(std::string_view document) {
  (void)boost::json::parse(document);  // throws
  return JsonScanner(document).value();
}

std::string lay_out(const JsonText& value) {
  std::string out;
  append(value, "", 0, out);
  return out + "\n";
}

}  // namespace heddle::testing
