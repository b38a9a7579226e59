// Writes the output of programs line by line, with time and tag, to one rotated file per job. Files
// are written on its own thread, so that neither a slow disk nor endless output blocks the loop:
// output that comes too fast is dropped except its tail, and the dropped bytes are counted and
// logged. Thread-safe except drain().
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/async.hpp"
#include "base/ids.hpp"
#include "base/log/rotating_file.hpp"
#include "base/time.hpp"

namespace heddle::commands {

enum class OutputStream { output, errors };

struct OutputTag {
  JobId job;
  RunId run;
  std::string program;  // "0.1" for index 0, attempt 1; "pre_start/fetch.1" for a hook
  OutputStream stream = OutputStream::output;
};

// The functions are called on the OutputLog's thread, never after its destruction.
struct OutputLogRules {
  std::function<std::filesystem::path(const JobId&)> file_of{};  // empty: nothing is written
  Rotation rotation{};
  std::vector<std::string> secrets{};  // shown as "[redacted]"
  // Also called with each line, without its tag.
  std::function<void(const OutputTag&, std::string_view line)> on_line{};
  std::size_t max_waiting_bytes = 8u << 20;       // of all programs
  std::size_t max_waiting_per_stream = 1u << 20;  // of one
};

class OutputLog {
 public:
  explicit OutputLog(OutputLogRules rules);
  ~OutputLog();  // writes queued output, for a second at most
  OutputLog(const OutputLog&) = delete;
  OutputLog& operator=(const OutputLog&) = delete;

  // Accepts the pieces of one stream. The last line is written when the sink is destroyed.
  using Sink = std::function<void(std::string_view piece)>;
  Sink open(OutputTag tag);

  void set_rules(Rotation rotation, std::vector<std::string> secrets);

  // Returns a text readable and redacted, without its first `skipped` bytes. Where the text was
  // cut, skip as many bytes as the longest secret has.
  [[nodiscard]] std::string redacted_tail(std::string_view text, std::size_t skipped) const;
  [[nodiscard]] std::size_t longest_secret() const;

  // Returns when all output accepted so far is written, or after the timeout.
  Async<void> drain(std::chrono::milliseconds timeout);

  [[nodiscard]] std::uint64_t bytes_left_out() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// Keeps text and escapes all other bytes, because the output is shown on terminals.
std::string readable_output(std::string_view text);

// "2026-11-15T21:23:07.412Z 01M7… 0.1 stdout: text"
std::string output_line(const OutputTag& tag, WallTime at, std::string_view text);

}  // namespace heddle::commands
