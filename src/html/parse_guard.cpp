#include "html/parse_guard.hpp"

#include <fmt/format.h>

namespace heddle::html {

Error ParseGuard::depth_error() const {
  return {ErrorCode::bad_input,
          fmt::format("too_complex: elements are nested more than {} deep (limits.html_depth)",
                      limits_.max_depth)};
}

Error ParseGuard::error() const {
  if (deepest_ > limits_.max_depth) return depth_error();
  if (nodes_ > limits_.max_nodes)
    return {ErrorCode::bad_input, fmt::format("too_complex: the page has more than {} nodes "
                                              "(limits.nodes)",
                                              limits_.max_nodes)};
  if (attributes_ > limits_.max_nodes)
    return {ErrorCode::bad_input, fmt::format("too_complex: the page has more than {} attributes "
                                              "(limits.nodes)",
                                              limits_.max_nodes)};
  if (!failure_.empty()) return {ErrorCode::bad_input, "too_complex: " + failure_};
  return {ErrorCode::bad_input,
          "too_complex: the page's nesting makes parsing it too slow (limits.html_depth)"};
}

}  // namespace heddle::html
