// Reads one output stream of a program on the loop, forwards each piece to a sink and keeps the
// tail. Memory is bounded. A process that keeps the stream open after the program has ended does
// not block anything. One event loop.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>

#include "base/async.hpp"
#include "base/file_descriptor.hpp"
#include "process/exit_status.hpp"
#include "process/tail_buffer.hpp"

namespace heddle::process {

class Readable;

class OutputCapture {
 public:
  // Receives raw bytes, valid during the call only. Use a LineSplitter for lines.
  using Sink = std::function<void(std::string_view piece)>;

  // `source` is our end of a pipe, non-blocking.
  OutputCapture(FileDescriptor source, std::size_t tail_bytes, Sink sink = {});
  OutputCapture(const OutputCapture&) = delete;
  OutputCapture& operator=(const OutputCapture&) = delete;

  // Returns when the stream has ended or finish() was called. Call it once; this object must
  // outlive the call.
  Async<void> read_to_end();

  // Reads what the pipe holds now and closes it: all output of a program that has ended.
  void finish();

  [[nodiscard]] std::string_view tail() const { return tail_.text(); }
  [[nodiscard]] std::uint64_t total_bytes() const { return total_bytes_; }
  [[nodiscard]] bool is_finished() const { return !source_; }

 private:
  enum class Reading { more, ended };
  Reading read_available(std::size_t max_bytes);
  void take(std::string_view piece);

  FileDescriptor source_;
  TailBuffer tail_;
  Sink sink_;
  std::uint64_t total_bytes_ = 0;
  Readable* reading_ = nullptr;  // while read_to_end() waits
};

// Captures both streams until the program has ended, and for at most `grace` longer while another
// process keeps one of them open.
Async<ExitStatus> capture_until_end(Async<ExitStatus> end, OutputCapture& output,
                                    OutputCapture& errors, std::chrono::milliseconds grace);

}  // namespace heddle::process
