#include "pages/changes/alignment.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace heddle::pages {

namespace {

using Position = std::ptrdiff_t;

constexpr Position kUnreachable = -(Position{1} << 40);

// The furthest reached position in `before` on each diagonal k = before - after.
class Frontier {
 public:
  Frontier(Position before, Position after)
      : before_(before),
        after_(after),
        furthest_(static_cast<std::size_t>(before + after + 3), kUnreachable) {
    at(1) = 0;
  }

  Position& at(Position diagonal) {
    return furthest_[static_cast<std::size_t>(diagonal + after_ + 1)];
  }
  [[nodiscard]] bool has(Position diagonal) const {
    return diagonal >= -after_ && diagonal <= before_;
  }
  // Where one more insertion or removal leads on the diagonal.
  Position step_to(Position diagonal) {
    const Position inserted = checked(at(diagonal + 1), diagonal);
    const Position removed = checked(at(diagonal - 1) + 1, diagonal);
    return std::max(inserted, removed);
  }

 private:
  [[nodiscard]] Position checked(Position reached, Position diagonal) const {
    const Position other = reached - diagonal;
    const bool is_inside = reached >= 0 && reached <= before_ && other >= 0 && other <= after_;
    return is_inside ? reached : kUnreachable;
  }

  Position before_;
  Position after_;
  std::vector<Position> furthest_;
};

class Aligner {
 public:
  Aligner(std::span<const std::uint32_t> before, std::span<const std::uint32_t> after,
          std::size_t max_steps)
      : before_(before), after_(after), steps_left_(max_steps) {}

  std::vector<Hunk> run() {
    align({0, before_.size(), 0, after_.size()});
    return std::move(hunks_);
  }

 private:
  // Halves the edits at each level: the depth is the logarithm of their number.
  void align(Hunk box) {
    trim(box);
    if (box.before_begin == box.before_end || box.after_begin == box.after_end) return add(box);
    const auto middle = find_middle(box);
    if (!middle) return add(box);
    const auto [before, after] = *middle;
    align({box.before_begin, before, box.after_begin, after});
    align({before, box.before_end, after, box.after_end});
  }

  void trim(Hunk& box) const {
    while (box.before_begin < box.before_end && box.after_begin < box.after_end &&
           before_[box.before_begin] == after_[box.after_begin])
      ++box.before_begin, ++box.after_begin;
    while (box.before_begin < box.before_end && box.after_begin < box.after_end &&
           before_[box.before_end - 1] == after_[box.after_end - 1])
      --box.before_end, --box.after_end;
  }

  void add(const Hunk& box) {
    if (box.before_begin == box.before_end && box.after_begin == box.after_end) return;
    if (!hunks_.empty() && hunks_.back().before_end == box.before_begin &&
        hunks_.back().after_end == box.after_begin) {
      hunks_.back().before_end = box.before_end;
      hunks_.back().after_end = box.after_end;
      return;
    }
    hunks_.push_back(box);
  }

  bool spend(std::size_t steps) {
    if (steps > steps_left_) {
      steps_left_ = 0;
      return false;
    }
    steps_left_ -= steps;
    return true;
  }

  // A point on a shortest path, found from both ends at once; nullopt when the steps are used up.
  std::optional<std::pair<std::size_t, std::size_t>> find_middle(const Hunk& box) {
    const auto a = before_.subspan(box.before_begin, box.before_end - box.before_begin);
    const auto b = after_.subspan(box.after_begin, box.after_end - box.after_begin);
    const auto n = static_cast<Position>(a.size());
    const auto m = static_cast<Position>(b.size());
    if (!spend(a.size() + b.size())) return std::nullopt;
    Frontier forward(n, m);
    Frontier backward(n, m);
    const Position delta = n - m;
    const bool is_odd = delta % 2 != 0;
    const auto from_front = [&](Position x, Position y) { return a[x] == b[y]; };
    const auto from_back = [&](Position x, Position y) { return a[n - 1 - x] == b[m - 1 - y]; };
    for (Position edits = 0; edits <= (n + m + 1) / 2; ++edits) {
      for (Position k = -edits; k <= edits; k += 2) {
        if (!forward.has(k)) continue;
        const auto x = advance(forward, k, n, m, from_front);
        if (!x) return std::nullopt;
        if (is_odd && meets(*x, backward, delta - k, n)) return at(box, *x, *x - k);
      }
      for (Position k = -edits; k <= edits; k += 2) {
        if (!backward.has(k)) continue;
        const auto x = advance(backward, k, n, m, from_back);
        if (!x) return std::nullopt;
        if (!is_odd && meets(*x, forward, delta - k, n)) return at(box, n - *x, m - (*x - k));
      }
    }
    return std::nullopt;
  }

  // One more edit on the diagonal, then all equal elements; nullopt when the steps are used up.
  template <class Equal>
  std::optional<Position> advance(Frontier& frontier, Position k, Position n, Position m,
                                  const Equal& is_equal) {
    Position x = frontier.step_to(k);
    const Position start = x;
    while (x >= 0 && x < n && x - k < m && is_equal(x, x - k)) ++x;
    if (!spend(1 + static_cast<std::size_t>(x - start))) return std::nullopt;
    frontier.at(k) = x;
    return x;
  }

  static bool meets(Position x, Frontier& other, Position k, Position n) {
    return x >= 0 && other.has(k) && other.at(k) >= 0 && x + other.at(k) >= n;
  }

  static std::pair<std::size_t, std::size_t> at(const Hunk& box, Position x, Position y) {
    return {box.before_begin + static_cast<std::size_t>(x),
            box.after_begin + static_cast<std::size_t>(y)};
  }

  std::span<const std::uint32_t> before_;
  std::span<const std::uint32_t> after_;
  std::size_t steps_left_;
  std::vector<Hunk> hunks_;
};

}  // namespace

std::vector<Hunk> align(std::span<const std::uint32_t> before, std::span<const std::uint32_t> after,
                        std::size_t max_steps) {
  return Aligner(before, after, max_steps).run();
}

}  // namespace heddle::pages
