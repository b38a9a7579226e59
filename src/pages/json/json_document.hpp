// JsonDocument holds a parsed JSON text as one flat, immutable tree in document order. A plain
// value that owns its text; returned views are valid as long as it is. Concurrent reads are safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace heddle::pages {

using JsonId = std::uint32_t;  // index in document order; 0 is the whole document
inline constexpr JsonId kNoJson = 0xFFFFFFFF;

enum class JsonKind : std::uint8_t { null, boolean, number, string, array, object };

struct JsonLimits {
  std::size_t max_values = 1'000'000;
  std::size_t max_depth = 500;
};

class JsonDocument {
 public:
  // Strict (RFC 8259), except that a byte order mark is skipped. Bytes that are not UTF-8 and
  // halves of surrogate pairs become U+FFFD; of several members with the same name the last counts,
  // as in a browser. Fails with bad_input "JSON: line 2, column 7: …" or "too_complex: …".
  static Result<JsonDocument> parse(std::string text, const JsonLimits& limits = {});
  // JSON Lines: any number of values, one after another. The document is the array of them.
  static Result<JsonDocument> parse_lines(std::string text, const JsonLimits& limits = {});

  [[nodiscard]] static constexpr JsonId root() { return 0; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] JsonKind kind(JsonId id) const { return nodes_[id].kind; }
  [[nodiscard]] bool is_container(JsonId id) const { return kind(id) >= JsonKind::array; }
  [[nodiscard]] JsonId parent(JsonId id) const { return nodes_[id].parent; }
  // The values inside a value are the ids after it and below subtree_end(id), except those inside
  // of members that a later member of the same name replaces.
  [[nodiscard]] JsonId subtree_end(JsonId id) const { return nodes_[id].end; }
  [[nodiscard]] bool is_replaced(JsonId id) const { return nodes_[id].is_replaced; }

  // Elements or members in order; kNoJson at the end and for values that are no containers.
  [[nodiscard]] JsonId first_child(JsonId id) const;
  [[nodiscard]] JsonId next(JsonId id) const;
  [[nodiscard]] std::size_t child_count(JsonId id) const;
  [[nodiscard]] JsonId element(JsonId array, std::size_t index) const;
  // kNoJson when there is none or the value is no object.
  [[nodiscard]] JsonId member(JsonId object, std::string_view name) const;

  [[nodiscard]] bool is_member(JsonId id) const;  // has a name
  [[nodiscard]] std::string_view name(JsonId member) const;
  // A string without its quotes and escapes, a number with its digits as written.
  [[nodiscard]] std::string_view text(JsonId id) const;
  [[nodiscard]] double number(JsonId number) const;  // beyond the range: infinite
  [[nodiscard]] bool boolean(JsonId id) const { return nodes_[id].length != 0; }

 private:
  friend class JsonParser;

  struct Node {
    JsonId end;
    JsonId parent;
    std::uint32_t name_begin;
    std::uint32_t name_length;
    std::uint32_t begin;   // of a string or number in text_
    std::uint32_t length;  // of it; of a container the number of its children
    std::uint32_t name_hash;
    JsonKind kind;
    bool is_replaced;
  };
  static_assert(sizeof(Node) == 32);

  std::string text_;  // escapes are resolved in place
  std::vector<Node> nodes_;
};

// What a value is as the text of a field: strings as they are, numbers as written, "true" and
// "false", objects and arrays as compact JSON; nullopt for null.
std::optional<std::string> json_value_text(const JsonDocument& document, JsonId id);

// Appends the value as compact JSON.
void append_json(const JsonDocument& document, JsonId id, std::string& out);

}  // namespace heddle::pages
