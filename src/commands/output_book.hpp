// What the programs of jobs write, line by line into one rotated file per job, each line with its
// time and whose it is. Files are written on a thread of the book's own, so that neither a slow
// disk nor a program that writes without end holds up the loop: what comes faster than it can be
// written is left out, counted and told, but for the end of it. Thread-safe, but for settle().
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
#include "base/rotating_file.hpp"
#include "base/time.hpp"

namespace heddle::commands {

enum class OutputStream { output, errors };

struct OutputTag {
  JobId job;
  RunId run;
  std::string program;  // "0.1" for index 0, attempt 1; "pre_start/fetch.1" for a hook
  OutputStream stream = OutputStream::output;
};

// The functions are called on the book's thread, never after the book is gone.
struct BookRules {
  std::function<std::filesystem::path(const JobId&)> file_of{};  // empty: nothing is written
  Rotation rotation{};
  std::vector<std::string> secrets{};  // shown as "[redacted]"
  // Besides: called with each line, without its tag.
  std::function<void(const OutputTag&, std::string_view line)> on_line{};
  std::size_t max_waiting_bytes = 8u << 20;       // of all programs
  std::size_t max_waiting_per_stream = 1u << 20;  // of one
};

class OutputBook {
 public:
  explicit OutputBook(BookRules rules);
  ~OutputBook();  // writes what is waiting, for a second at most
  OutputBook(const OutputBook&) = delete;
  OutputBook& operator=(const OutputBook&) = delete;

  // Takes the pieces of one stream as they come. The last line is written when it is gone.
  using Sink = std::function<void(std::string_view piece)>;
  Sink open(OutputTag tag);

  void set_rules(Rotation rotation, std::vector<std::string> secrets);

  // The end of a text as it may be shown and kept: readable, without secrets, and without its first
  // bytes. Where it is cut, those are to be as many as the longest secret has.
  [[nodiscard]] std::string clean_end(std::string_view text, std::size_t skipped) const;
  [[nodiscard]] std::size_t longest_secret() const;

  // Returns when all that was taken so far is written, or after that time.
  Async<void> settle(std::chrono::milliseconds at_most);

  [[nodiscard]] std::uint64_t bytes_left_out() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// Text as it is, anything else spelt out: what programs write is read on terminals.
std::string readable_output(std::string_view text);

// "2026-11-15T21:23:07.412Z 01M7… 0.1 stdout: text"
std::string output_line(const OutputTag& tag, WallTime at, std::string_view text);

}  // namespace heddle::commands
