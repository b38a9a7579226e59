// Cuts output into lines, whatever pieces it comes in. Plain value; one thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace heddle::process {

class LineSplitter {
 public:
  // Gets each line without its newline. One longer than the limit comes as several.
  using Sink = std::function<void(std::string_view line)>;

  LineSplitter(std::size_t max_line_bytes, Sink sink)
      : max_line_bytes_(max_line_bytes), sink_(std::move(sink)) {}

  void feed(std::string_view piece);
  void finish();  // the last line may have no newline

 private:
  void feed_line(std::string_view rest, bool is_complete);

  std::size_t max_line_bytes_;
  Sink sink_;
  std::string begun_;  // always shorter than the limit
};

}  // namespace heddle::process
