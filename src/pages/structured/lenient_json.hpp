// Reads the JSON that pages embed into a flat tree. Tolerates what browsers' and search engines'
// readers tolerate: comments, line breaks in strings, trailing commas, text around the value, a
// missing end. Pure; limited in depth and nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::pages {

class JsonTree {
 public:
  using Index = std::uint32_t;
  static constexpr Index kNone = 0xFFFFFFFF;
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

  static constexpr std::size_t kMaxNodes = 200'000;
  static constexpr int kMaxDepth = 64;

  // The tree of the first value in the text; empty when there is none. What follows a mistake that
  // cannot be tolerated is missing from the tree.
  static JsonTree read(std::string_view text);

  [[nodiscard]] bool empty() const { return nodes_.empty(); }
  [[nodiscard]] static constexpr Index root() { return 0; }
  [[nodiscard]] Kind kind(Index node) const { return nodes_[node].kind; }
  [[nodiscard]] bool is_object(Index node) const { return kind(node) == Kind::object; }
  [[nodiscard]] bool is_array(Index node) const { return kind(node) == Kind::array; }
  // The name of this member in its object, empty for elements of arrays.
  [[nodiscard]] std::string_view key(Index node) const { return slice(nodes_[node].key); }
  // Of strings without escapes, of numbers and booleans as written; empty for others.
  [[nodiscard]] std::string_view text(Index node) const { return slice(nodes_[node].text); }

  [[nodiscard]] Index first_child(Index node) const;
  [[nodiscard]] Index next_sibling(Index node, Index parent) const;
  // The member with this name; kNone when there is none or the node is no object.
  [[nodiscard]] Index find(Index object, std::string_view key) const;
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

 private:
  friend class LenientJsonReader;

  struct Slice {
    std::uint32_t begin = 0;
    std::uint32_t length = 0;
  };
  struct Node {
    Slice key;
    Slice text;
    Index end = 0;  // the first node behind the descendants
    Kind kind = Kind::null;
  };

  [[nodiscard]] std::string_view slice(Slice part) const {
    return std::string_view(text_).substr(part.begin, part.length);
  }

  std::vector<Node> nodes_;
  std::string text_;
};

}  // namespace heddle::pages
