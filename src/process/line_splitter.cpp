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
  if (begun_.empty()) return;
  sink_(begun_);
  begun_.clear();
}

void LineSplitter::feed_line(std::string_view rest, bool is_complete) {
  // The usual case, without a copy.
  if (is_complete && begun_.empty() && rest.size() <= max_line_bytes_) return sink_(rest);
  bool was_cut = false;
  while (begun_.size() + rest.size() > max_line_bytes_) {
    const std::size_t taken = max_line_bytes_ - begun_.size();
    begun_.append(rest.substr(0, taken));
    rest.remove_prefix(taken);
    sink_(begun_);
    begun_.clear();
    was_cut = true;
  }
  begun_.append(rest);
  if (!is_complete) return;
  if (!begun_.empty() || !was_cut) sink_(begun_);
  begun_.clear();
}

}  // namespace heddle::process
