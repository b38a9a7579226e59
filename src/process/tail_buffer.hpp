// Keeps the end of a long text in bounded memory. Plain value.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace heddle::process {

class TailBuffer {
 public:
  explicit TailBuffer(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  void append(std::string_view piece) {
    if (piece.size() >= max_bytes_) {
      kept_.assign(piece.substr(piece.size() - max_bytes_));
      return;
    }
    kept_.append(piece);
    // Only at twice the limit, so that many small pieces do not each move the whole text.
    if (kept_.size() > 2 * max_bytes_) kept_.erase(0, kept_.size() - max_bytes_);
  }

  // The last bytes of all that was appended, at most `max_bytes`.
  [[nodiscard]] std::string_view text() const {
    const std::string_view all = kept_;
    return all.substr(all.size() - std::min(all.size(), max_bytes_));
  }

 private:
  std::size_t max_bytes_;
  std::string kept_;
};

}  // namespace heddle::process
