// Counts what a page costs while it is parsed and says when to stop. Pure; not thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.hpp"
#include "html/document_builder.hpp"
#include "html/parse.hpp"

namespace heddle::html {

class ParseGuard {
 public:
  ParseGuard(const ParseLimits& limits, std::size_t bytes)
      : limits_(limits), bytes_(bytes), max_work_(kMinWork + kWorkPerByte * bytes) {}

  void count_insert() {
    ++nodes_;
    ++work_;
  }
  void count_remove() { --nodes_; }

  // Most rules of the HTML standard look through the open elements or the open formatting.
  void count_token(std::size_t open_elements, std::size_t open_formatting) {
    work_ += open_elements + open_formatting;
    if (open_elements > deepest_) deepest_ = open_elements;
  }
  void count_attributes(std::size_t count) { attributes_ += count; }
  // A second <html> or <body> adds its attributes to the first, each compared with all others.
  void count_merged_attributes(std::size_t count) {
    merged_attributes_ += count;
    work_ += 2 * count * merged_attributes_;
  }
  // Names that MyHTML does not know are kept in a slow tree of letters.
  void count_unknown_tag(std::size_t name_length, std::size_t names) {
    work_ += kWorkPerUnknownLetter * name_length + names;
  }
  void count_copied_bytes(std::size_t bytes) { work_ += bytes; }

  [[nodiscard]] bool is_exceeded() const {
    return nodes_ > limits_.max_nodes || attributes_ > limits_.max_nodes ||
           deepest_ > limits_.max_depth || work_ > max_work_ || !failure_.empty();
  }
  // Attributes of a tag that has not ended yet. Remembers when they are too many.
  bool accepts_attributes(std::size_t count) {
    if (attributes_ + count <= limits_.max_nodes) return true;
    attributes_ += count;
    return false;
  }
  bool fail(std::string why) {
    failure_ = std::move(why);
    return false;
  }

  [[nodiscard]] Error error() const;  // what was exceeded
  [[nodiscard]] Error depth_error() const;
  // Looking names up is fast as long as nobody makes them collide by the hundred thousand.
  [[nodiscard]] Status check_names(std::size_t count) const;

  [[nodiscard]] const ParseLimits& limits() const { return limits_; }
  [[nodiscard]] std::size_t work() const { return work_; }
  [[nodiscard]] std::size_t nodes() const { return nodes_; }
  [[nodiscard]] DocumentBuilder::Expected expected_sizes() const {
    return {nodes_, attributes_, bytes_};
  }

 private:
  [[nodiscard]] Error count_error(std::string_view what) const;

  static constexpr std::size_t kMaxNames = 20'000;
  // Measured: a unit takes 2-4 ns, real pages need 0.1 to 8 per byte.
  static constexpr std::size_t kMinWork = 20'000'000;
  static constexpr std::size_t kWorkPerByte = 12;
  static constexpr std::size_t kWorkPerUnknownLetter = 50;

  ParseLimits limits_;
  std::size_t bytes_;
  std::size_t max_work_;
  std::size_t nodes_ = 0;
  std::size_t attributes_ = 0;
  std::size_t merged_attributes_ = 0;
  std::size_t deepest_ = 0;
  std::size_t work_ = 0;
  std::string failure_;
};

}  // namespace heddle::html
