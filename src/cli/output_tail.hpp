// Prints what the programs of a run write while they run, as it comes into the job's output file:
// from a daemon's programs as well as from our own. Reads on a thread of its own.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

#include "base/ids.hpp"
#include "cli/log_lines.hpp"
#include "cli/terminal.hpp"

namespace heddle::cli {

class OutputTail {
 public:
  // Standard output of programs goes to `out`, standard error to `err`; both outlive it.
  OutputTail(std::filesystem::path file, Terminal& out, Terminal& err)
      : file_(std::move(file)), out_(out), err_(err) {}
  ~OutputTail() { finish(); }
  OutputTail(const OutputTail&) = delete;
  OutputTail& operator=(const OutputTail&) = delete;

  // From the first line of this run on.
  void follow(const RunId& run);
  // Prints what is left.
  void finish();

 private:
  void work(const std::string& run);
  void print_new(GrowingFile& file, const std::string& run);

  std::filesystem::path file_;
  Terminal& out_;
  Terminal& err_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace heddle::cli
