// ParseBudget limits the cost of one page: nodes, attributes, depth, names and search steps, so
// that parsing time is linear in the page's length. Pure; not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.hpp"
#include "html/parse.hpp"

namespace heddle::html::parser {

class ParseBudget {
 public:
  ParseBudget(const ParseLimits& limits, std::size_t page_bytes)
      : limits_(limits),
        page_bytes_(page_bytes),
        max_work_(kFreeWork + kWorkPerByte * page_bytes) {}

  // Steps that are not proportional to the bytes read: searches in the open elements, comparisons
  // of attributes, moves of children.
  void charge(std::size_t steps) { work_ += steps; }
  void count_node() {
    if (++nodes_ > limits_.max_nodes) stop(Reason::nodes);
  }
  void count_attribute() {
    if (++attributes_ > limits_.max_nodes) stop(Reason::attributes);
  }
  void check_depth(std::size_t depth) {
    if (depth > limits_.max_depth) stop(Reason::depth);
  }
  void check_names(std::size_t count) {
    if (count > kMaxNames) stop(Reason::names);
  }

  [[nodiscard]] bool is_exceeded() const { return reason_ != Reason::none || work_ > max_work_; }
  [[nodiscard]] Error error() const;
  [[nodiscard]] const ParseLimits& limits() const { return limits_; }
  [[nodiscard]] std::size_t work() const { return work_; }

 private:
  enum class Reason : std::uint8_t { none, nodes, attributes, depth, names };
  void stop(Reason reason) {
    if (reason_ == Reason::none) reason_ = reason;
  }

  // Bounds the cost of hash collisions that a page provokes.
  static constexpr std::size_t kMaxNames = 20'000;
  // Real pages need less than one step for ten bytes.
  static constexpr std::size_t kFreeWork = 20'000'000;
  static constexpr std::size_t kWorkPerByte = 4;

  ParseLimits limits_;
  std::size_t page_bytes_;
  std::size_t max_work_;
  std::size_t work_ = 0;
  std::size_t nodes_ = 0;
  std::size_t attributes_ = 0;
  Reason reason_ = Reason::none;
};

}  // namespace heddle::html::parser
