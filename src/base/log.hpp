// Where the program's own messages go. Passed to whoever has something to say; no global logger.
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

// Writes "warning: …" lines to standard error; levels below `least` are dropped.
class StderrLog final : public Log {
 public:
  explicit StderrLog(LogLevel least = LogLevel::info) : least_(least) {}
  void write(LogLevel level, std::string_view message) override;
  void set_least(LogLevel least) { least_ = least; }

 private:
  std::atomic<LogLevel> least_;
};

// Hands messages on with these texts shown as "[redacted]".
class RedactingLog final : public Log {
 public:
  RedactingLog(Log& next, std::vector<std::string> secrets)
      : next_(next), secrets_(std::move(secrets)) {}
  void write(LogLevel level, std::string_view message) override;
  // Besides those it knows: what was secret stays so.
  void also_hide(const std::vector<std::string>& secrets);

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
