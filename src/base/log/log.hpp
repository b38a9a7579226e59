// Writes the program's own messages. Passed in by reference; there is no global logger.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle {

enum class LogLevel { debug, info, warning, error };

// Thread-safe.
class Log {
 public:
  virtual ~Log() = default;
  virtual void write(LogLevel level, std::string_view message) = 0;

  void debug(std::string_view message) { write(LogLevel::debug, message); }
  void info(std::string_view message) { write(LogLevel::info, message); }
  void warn(std::string_view message) { write(LogLevel::warning, message); }
  void error(std::string_view message) { write(LogLevel::error, message); }
};

// Writes "warning: …" lines to standard error; levels below `min_level` are dropped.
class StderrLog final : public Log {
 public:
  explicit StderrLog(LogLevel min_level = LogLevel::info) : min_level_(min_level) {}
  void write(LogLevel level, std::string_view message) override;
  void set_min_level(LogLevel min_level) { min_level_ = min_level; }

 private:
  std::atomic<LogLevel> min_level_;
};

// Passes messages to the next log with every secret replaced by "[redacted]".
class RedactingLog final : public Log {
 public:
  RedactingLog(Log& next, std::vector<std::string> secrets)
      : next_(next), secrets_(std::move(secrets)) {}
  void write(LogLevel level, std::string_view message) override;
  // Adds to the known secrets: former ones stay redacted.
  void add_secrets(const std::vector<std::string>& secrets);

 private:
  Log& next_;
  std::mutex mutex_;  // guards secrets_
  std::vector<std::string> secrets_;
};

class NoLog final : public Log {  // for tests
 public:
  void write(LogLevel, std::string_view) override {}
};

}  // namespace heddle
