// Aligns two sequences of numbers with the linear-space form of Myers' algorithm. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::pages {

// Elements [before_begin, before_end) were replaced by [after_begin, after_end); one may be empty.
struct Hunk {
  std::size_t before_begin = 0;
  std::size_t before_end = 0;
  std::size_t after_begin = 0;
  std::size_t after_end = 0;
  bool operator==(const Hunk&) const = default;
};

// The fewest insertions and removals that make `after` of `before`, in order and never adjacent.
// When `max_steps` comparisons are not enough, what is left becomes larger hunks than necessary.
std::vector<Hunk> align(std::span<const std::uint32_t> before, std::span<const std::uint32_t> after,
                        std::size_t max_steps);

}  // namespace heddle::pages
