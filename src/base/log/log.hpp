// Writes the program's own messages. Passed in by reference; there is no global logger.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.hpp"

namespace heddle {

enum class LogLevel { debug, info, warning, error };

// What a message is about; empty: the whole program.
struct LogSubject {
  std::string_view job{};
  std::string_view run{};
};

// The texts belong to the caller.
struct LogMessage {
  LogLevel level = LogLevel::info;
  std::string_view text{};
  LogSubject about{};
  bool is_in_job_log = false;  // the file of the job has it, too
  WallTime at = SystemClock().now();
};

// Thread-safe.
class Log {
 public:
  virtual ~Log() = default;
  virtual void write(const LogMessage& message) = 0;

  void debug(std::string_view text, LogSubject about = {}) { add(LogLevel::debug, text, about); }
  void info(std::string_view text, LogSubject about = {}) { add(LogLevel::info, text, about); }
  void warn(std::string_view text, LogSubject about = {}) { add(LogLevel::warning, text, about); }
  void error(std::string_view text, LogSubject about = {}) { add(LogLevel::error, text, about); }

 private:
  void add(LogLevel level, std::string_view text, LogSubject about) {
    write(LogMessage{.level = level, .text = text, .about = about});
  }
};

// "", "warning: ": what stands before a message of this level.
std::string_view level_prefix(LogLevel level);

// Writes "warning: …" lines to standard error; levels below `min_level` are dropped.
class StderrLog final : public Log {
 public:
  explicit StderrLog(LogLevel min_level = LogLevel::info) : min_level_(min_level) {}
  void write(const LogMessage& message) override;

 private:
  LogLevel min_level_;
};

// Passes messages to the next log with every secret replaced by "[redacted]".
class RedactingLog final : public Log {
 public:
  RedactingLog(Log& next, std::vector<std::string> secrets)
      : next_(next), secrets_(std::move(secrets)) {}
  void write(const LogMessage& message) override;
  // Adds to the known secrets: former ones stay redacted.
  void add_secrets(const std::vector<std::string>& secrets);

 private:
  Log& next_;
  std::mutex mutex_;  // guards secrets_
  std::vector<std::string> secrets_;
};

class NoLog final : public Log {  // for tests
 public:
  void write(const LogMessage&) override {}
};

}  // namespace heddle
