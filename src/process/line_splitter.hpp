// Splits output that arrives in arbitrary pieces into lines. Plain value; one thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace heddle::process {

class LineSplitter {
 public:
  // Receives each line without its newline. A line over the limit arrives in several calls.
  using Sink = std::function<void(std::string_view line)>;

  LineSplitter(std::size_t max_line_bytes, Sink sink)
      : max_line_bytes_(max_line_bytes), sink_(std::move(sink)) {}

  void feed(std::string_view piece);
  void finish();  // the last line may have no newline

 private:
  void feed_line(std::string_view rest, bool is_complete);

  std::size_t max_line_bytes_;
  Sink sink_;
  std::string partial_;  // always shorter than the limit
};

}  // namespace heddle::process
