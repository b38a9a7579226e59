// DaemonLog writes the daemon's messages to standard error and to a rotated file. Each has a thread
// of its own, so that neither waits for the other and no event loop waits for them. Thread-safe.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/log/log.hpp"
#include "base/log/queued_log.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

// In the data folder.
inline constexpr const char* kDaemonLogFile = "daemon.log";

enum class LineStyle {
  plain,  // "warning: text", for a terminal or a log that adds the time itself
  timed,  // "2026-11-15T21:23:07.412Z warning: text"
  json,
};

std::string format_message(const LogMessage& message, LineStyle style);

// Standard error: without times on a terminal, and where systemd's journal adds them.
LineStyle stderr_style(LogFormat format);

class DaemonLog final : public Log {
 public:
  // `shown`: the least level on standard error; that of the file is in `rules`. The file is written
  // only while its folder exists.
  DaemonLog(const std::filesystem::path& file, const LogRules& rules, LogLevel shown);
  ~DaemonLog() override;
  DaemonLog(const DaemonLog&) = delete;
  DaemonLog& operator=(const DaemonLog&) = delete;

  void write(const LogMessage& message) override;
  void write_to_file(const LogMessage& message);
  void set_rules(const LogRules& rules, LogLevel shown);

 private:
  class StderrLines;
  class FileLines;

  std::shared_ptr<StderrLines> stderr_lines_;
  std::shared_ptr<FileLines> file_lines_;
  QueuedLog stderr_queue_;
  QueuedLog file_queue_;
};

}  // namespace heddle::app
