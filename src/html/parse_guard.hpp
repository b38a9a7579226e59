// Counts what a page costs while it is parsed and says when to stop. Pure; not thread-safe.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.hpp"
#include "html/document_builder.hpp"
#include "html/parse.hpp"

namespace heddle::html {

class ParseGuard {
 public:
  ParseGuard(const ParseLimits& limits, std::size_t bytes) : limits_(limits), bytes_(bytes) {}

  void count_insert() {
    ++nodes_;
    ++work_;
  }
  void count_remove() { --nodes_; }
  void count_attributes(std::size_t count) { attributes_ += count; }
  // Most rules of the HTML standard look through the open elements or the open formatting.
  void count_token(std::size_t open_elements, std::size_t open_formatting) {
    work_ += open_elements + open_formatting;
    if (open_elements > deepest_) deepest_ = open_elements;
  }
  void end_piece() {}

  [[nodiscard]] bool is_exceeded() const {
    return nodes_ > limits_.max_nodes || attributes_ > limits_.max_nodes ||
           deepest_ > limits_.max_depth || work_ > kMaxWork || !failure_.empty();
  }
  bool fail(std::string why) {
    failure_ = std::move(why);
    return false;
  }

  [[nodiscard]] Error error() const;  // what was exceeded
  [[nodiscard]] Error depth_error() const;

  [[nodiscard]] const ParseLimits& limits() const { return limits_; }
  [[nodiscard]] std::size_t nodes() const { return nodes_; }
  [[nodiscard]] DocumentBuilder::Expected expected_sizes() const {
    return {nodes_, attributes_, bytes_};
  }

 private:
  static constexpr std::size_t kMaxWork = 200'000'000;

  ParseLimits limits_;
  std::size_t bytes_;
  std::size_t nodes_ = 0;
  std::size_t attributes_ = 0;
  std::size_t deepest_ = 0;
  std::size_t work_ = 0;
  std::string failure_;
};

}  // namespace heddle::html
