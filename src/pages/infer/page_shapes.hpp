// PageShapes gives every element a shape, its tag with the class that its siblings share, and
// collects the elements of equal shape in equal places. Computed once per page; the outline must
// outlive it. Immutable.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pages/outline/outline.hpp"

namespace heddle::pages {

using ClassToken = std::uint32_t;
inline constexpr ClassToken kNoToken = 0;

// Elements with the same path of shapes.
struct ShapeGroup {
  std::vector<html::NodeId> nodes;  // in document order
  std::uint64_t text = 0;
  std::uint64_t link_text = 0;
  double rank = 0;  // a first guess from sizes alone
};

class PageShapes {
 public:
  explicit PageShapes(const PageOutline& outline);

  [[nodiscard]] const PageOutline& outline() const { return *outline_; }
  // At most `most`, the likeliest lists first.
  [[nodiscard]] std::vector<ShapeGroup> groups(std::size_t most) const;
  // The most specific class that at least `least` elements of the page have, as a number.
  [[nodiscard]] ClassToken specific_token(html::NodeId node, std::uint32_t least) const;
  // How many elements have the class.
  [[nodiscard]] std::uint32_t count(std::string_view class_name) const;
  [[nodiscard]] std::uint32_t content_text() const { return content_text_; }

 private:
  struct RankedGroup {
    std::uint64_t path = 0;
    html::NodeId first = html::kNoNode;
    ShapeGroup group;  // without nodes
  };
  struct ClassList {
    std::vector<ClassToken> tokens;
    std::uint32_t count = 0;
  };

  [[nodiscard]] std::vector<RankedGroup> rank_groups() const;
  void read_classes();
  void choose_keys();
  void choose_keys_below(html::NodeId parent, std::vector<std::uint32_t>& counts);
  ClassToken token_of(std::string_view name);
  [[nodiscard]] double rank_of(const ShapeGroup& group, std::size_t count,
                               html::NodeId first) const;

  const PageOutline* outline_;
  std::vector<std::uint32_t> lists_of_;  // by node: index in lists_
  std::vector<ClassToken> keys_;         // by node
  std::vector<std::uint64_t> paths_;     // by node; 0: not part of a group
  std::vector<ClassList> lists_;         // the first is empty
  std::unordered_map<std::uint64_t, ClassToken> tokens_;
  std::vector<std::uint32_t> token_counts_;
  std::uint32_t content_text_ = 0;
};

}  // namespace heddle::pages
