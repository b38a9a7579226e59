// OutputTail prints the output of a run's programs while they run by following the job's output
// file, whether the daemon or this process runs them. Reads on its own thread.
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

  // Starts with the first line of this run.
  void follow(const RunId& run);
  // Prints the rest and joins the thread.
  void finish();

 private:
  void print_until_finished(const std::string& run);
  void print_new(LogFileTail& file, const std::string& run);

  std::filesystem::path file_;
  Terminal& out_;
  Terminal& err_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_finished_ = false;
  std::thread thread_;
};

}  // namespace heddle::cli
