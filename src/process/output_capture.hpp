// Reads one output stream of a program on the loop: hands it on piece by piece and keeps its end.
// Memory is bounded however much is written; a process that keeps the stream open after the program
// ended holds nothing up. One event loop.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>

#include "base/async.hpp"
#include "base/file_descriptor.hpp"
#include "process/exit_facts.hpp"
#include "process/tail_buffer.hpp"

namespace heddle::process {

class Readable;

class OutputCapture {
 public:
  // Any bytes, as they come; valid during the call only. A LineSplitter makes lines of them.
  using Sink = std::function<void(std::string_view piece)>;

  // `source` is our end of a pipe, non-blocking.
  OutputCapture(FileDescriptor source, std::size_t tail_bytes, Sink sink = {});
  OutputCapture(const OutputCapture&) = delete;
  OutputCapture& operator=(const OutputCapture&) = delete;

  // Until the stream ends or finish() is called; once. This object must live until then.
  Async<void> read_to_end();

  // Reads what is in the pipe now, which is all that an ended program has written, and closes it.
  void finish();

  [[nodiscard]] std::string_view tail() const { return tail_.text(); }
  [[nodiscard]] std::uint64_t total_bytes() const { return total_bytes_; }
  [[nodiscard]] bool is_finished() const { return !source_; }

 private:
  enum class Reading { goes_on, ended };
  Reading read_available(std::size_t max_bytes);
  void take(std::string_view piece);

  FileDescriptor source_;
  TailBuffer tail_;
  Sink sink_;
  std::uint64_t total_bytes_ = 0;
  Readable* reading_ = nullptr;  // while read_to_end() waits
};

// Captures both streams until the program has ended. If a process that inherited one still has it
// open then, it is read for at most `grace` longer.
Async<ExitFacts> capture_until_end(Async<ExitFacts> end, OutputCapture& output,
                                   OutputCapture& errors, std::chrono::milliseconds grace);

}  // namespace heddle::process
