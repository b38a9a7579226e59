#include "process/line_splitter.hpp"

namespace heddle::process {

void LineSplitter::feed(std::string_view piece) {
  while (!piece.empty()) {
    const auto newline = piece.find('\n');
    const bool is_complete = newline != std::string_view::npos;
    feed_line(piece.substr(0, newline), is_complete);
    piece.remove_prefix(is_complete ? newline + 1 : piece.size());
  }
}

void LineSplitter::finish() {
  if (partial_.empty()) return;
  sink_(partial_);
  partial_.clear();
}

void LineSplitter::feed_line(std::string_view rest, bool is_complete) {
  // The usual case, without a copy.
  if (is_complete && partial_.empty() && rest.size() <= max_line_bytes_) return sink_(rest);
  bool was_cut = false;
  while (partial_.size() + rest.size() > max_line_bytes_) {
    const std::size_t taken = max_line_bytes_ - partial_.size();
    partial_.append(rest.substr(0, taken));
    rest.remove_prefix(taken);
    sink_(partial_);
    partial_.clear();
    was_cut = true;
  }
  partial_.append(rest);
  if (!is_complete) return;
  if (!partial_.empty() || !was_cut) sink_(partial_);
  partial_.clear();
}

}  // namespace heddle::process
