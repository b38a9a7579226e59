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
  if (nodes_ > limits_.max_nodes) return count_error("nodes");
  if (attributes_ > limits_.max_nodes) return count_error("attributes");
  if (!failure_.empty()) return {ErrorCode::bad_input, "too_complex: " + failure_};
  return {ErrorCode::bad_input,
          fmt::format("too_complex: {} bytes take more than {} steps to parse; such pages are made "
                      "to be slow",
                      bytes_, max_work_)};
}

Error ParseGuard::count_error(std::string_view what) const {
  return {ErrorCode::bad_input,
          fmt::format("too_complex: the page has more than {} {} (limits.nodes)", limits_.max_nodes,
                      what)};
}

Status ParseGuard::check_names(std::size_t count) const {
  if (count <= kMaxNames) return Done{};
  return Error{ErrorCode::bad_input,
               fmt::format("too_complex: the page has {} different names of tags and attributes, "
                           "more than {}",
                           count, kMaxNames)};
}

}  // namespace heddle::html
