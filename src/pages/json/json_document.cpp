#include "pages/json/json_document.hpp"

#include <charconv>
#include <cstdlib>

#include "base/hash.hpp"
#include "model/json.hpp"
#include "pages/json/json_parser.hpp"

namespace heddle::pages {

Result<JsonDocument> JsonDocument::parse(std::string text, const JsonLimits& limits) {
  return JsonParser(std::move(text), limits).parse();
}

Result<JsonDocument> JsonDocument::parse_lines(std::string text, const JsonLimits& limits) {
  return JsonParser(std::move(text), limits).parse_lines();
}

JsonId JsonDocument::first_child(JsonId id) const {
  if (!is_container(id) || nodes_[id].length == 0) return kNoJson;
  return is_replaced(id + 1) ? next(id + 1) : id + 1;
}

JsonId JsonDocument::next(JsonId id) const {
  const JsonId up = parent(id);
  if (up == kNoJson) return kNoJson;
  JsonId after = subtree_end(id);
  while (after < subtree_end(up) && is_replaced(after)) after = subtree_end(after);
  return after < subtree_end(up) ? after : kNoJson;
}

std::size_t JsonDocument::child_count(JsonId id) const {
  return is_container(id) ? nodes_[id].length : 0;
}

JsonId JsonDocument::element(JsonId array, std::size_t index) const {
  if (kind(array) != JsonKind::array || index >= nodes_[array].length) return kNoJson;
  const bool has_only_leaves = subtree_end(array) - array - 1 == nodes_[array].length;
  if (has_only_leaves) return array + 1 + static_cast<JsonId>(index);
  JsonId child = array + 1;
  while (index-- > 0) child = subtree_end(child);
  return child;
}

JsonId JsonDocument::member(JsonId object, std::string_view name) const {
  if (kind(object) != JsonKind::object) return kNoJson;
  const auto hash = static_cast<std::uint32_t>(hash64(name));
  for (JsonId child = first_child(object); child != kNoJson; child = next(child))
    if (nodes_[child].name_hash == hash && this->name(child) == name) return child;
  return kNoJson;
}

bool JsonDocument::is_member(JsonId id) const {
  return parent(id) != kNoJson && kind(parent(id)) == JsonKind::object;
}

std::string_view JsonDocument::name(JsonId member) const {
  const Node& node = nodes_[member];
  return std::string_view(text_).substr(node.name_begin, node.name_length);
}

std::string_view JsonDocument::text(JsonId id) const {
  const Node& node = nodes_[id];
  if (node.kind != JsonKind::string && node.kind != JsonKind::number) return {};
  return std::string_view(text_).substr(node.begin, node.length);
}

double JsonDocument::number(JsonId number) const {
  const std::string_view digits = text(number);
  double value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (read.ec == std::errc()) return value;
  return std::strtod(std::string(digits).c_str(), nullptr);  // too large or too small
}

namespace {

// Writes values without recursion, so that any depth is safe.
class JsonPrinter {
 public:
  JsonPrinter(const JsonDocument& document, std::string& out) : document_(document), out_(out) {}

  void print(JsonId top) {
    JsonId id = top;
    while (true) {
      if (id != top && document_.is_member(id)) {
        append_json_string(out_, document_.name(id));
        out_ += ':';
      }
      begin(id);
      const JsonId child = document_.first_child(id);
      if (child != kNoJson) {
        id = child;
        continue;
      }
      end(id);
      while (id != top && document_.next(id) == kNoJson) end(id = document_.parent(id));
      if (id == top) return;
      out_ += ',';
      id = document_.next(id);
    }
  }

 private:
  void begin(JsonId id) {
    switch (document_.kind(id)) {
      case JsonKind::null:
        out_ += "null";
        break;
      case JsonKind::boolean:
        out_ += document_.boolean(id) ? "true" : "false";
        break;
      case JsonKind::number:
        out_ += document_.text(id);
        break;
      case JsonKind::string:
        append_json_string(out_, document_.text(id));
        break;
      case JsonKind::array:
        out_ += '[';
        break;
      case JsonKind::object:
        out_ += '{';
        break;
    }
  }

  void end(JsonId id) {
    if (document_.kind(id) == JsonKind::array) out_ += ']';
    if (document_.kind(id) == JsonKind::object) out_ += '}';
  }

  const JsonDocument& document_;
  std::string& out_;
};

}  // namespace

void append_json(const JsonDocument& document, JsonId id, std::string& out) {
  JsonPrinter(document, out).print(id);
}

std::optional<std::string> json_value_text(const JsonDocument& document, JsonId id) {
  if (document.kind(id) == JsonKind::null) return std::nullopt;
  if (document.kind(id) == JsonKind::string) return std::string(document.text(id));
  std::string out;
  append_json(document, id, out);
  return out;
}

}  // namespace heddle::pages
