#include "app/daemon/daemon_log.hpp"

#include <atomic>
#include <cstdint>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/environment_variable.hpp"
#include "base/log/printable.hpp"
#include "base/log/rotating_file.hpp"
#include "model/json.hpp"

namespace heddle::app {

namespace {

std::string_view level_word(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return "debug";
    case LogLevel::info:
      return "info";
    case LogLevel::warning:
      return "warning";
    case LogLevel::error:
      return "error";
  }
  return "info";
}

// Without the "[shop] " of scripts, because the job is a field of its own.
std::string json_line(const LogMessage& message) {
  std::string_view text = message.text;
  const std::string job(message.about.job);
  if (const std::string prefix = "[" + job + "] "; !job.empty() && text.starts_with(prefix))
    text.remove_prefix(prefix.size());
  JsonWriter json;
  json.begin_object().field("time", message.at).field("level", level_word(message.level));
  json.field("message", text);
  if (!job.empty()) json.field("job_id", job);
  if (!message.about.run.empty()) json.field("run_id", message.about.run);
  return json.end_object().take();
}

// systemd names the device and inode of the stream that it has connected to its journal.
bool is_journal(int descriptor) {
  struct stat facts {};
  const auto stream = environment_variable("JOURNAL_STREAM");
  return stream && fstat(descriptor, &facts) == 0 &&
         *stream == fmt::format("{}:{}", facts.st_dev, facts.st_ino);
}

Rotation rotation_of(const LogRules& rules) {
  return {.max_bytes = static_cast<std::uint64_t>(rules.size), .keep = rules.keep};
}

// One write per line; not through stdio, because a thread that blocks in it holds its lock and the
// exit of the program waits for that lock.
void write_to_stderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;  // nowhere to report it
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

std::string format_message(const LogMessage& message, LineStyle style) {
  if (style == LineStyle::json) return json_line(message);
  const std::string_view level = level_prefix(message.level);
  if (style == LineStyle::plain) return fmt::format("{}{}", level, message.text);
  return fmt::format("{} {}{}", to_iso8601(message.at), level, message.text);
}

LineStyle stderr_style(LogFormat format) {
  if (format == LogFormat::json) return LineStyle::json;
  const bool has_times = isatty(STDERR_FILENO) == 1 || is_journal(STDERR_FILENO);
  return has_times ? LineStyle::plain : LineStyle::timed;
}

class DaemonLog::StderrLines final : public Log {
 public:
  void write(const LogMessage& message) override {
    if (message.level < level_.load()) return;
    std::string line = format_message(message, style_.load());
    if (isatty(STDERR_FILENO) == 1) line = printable(line);
    write_to_stderr(line + '\n');
  }
  void set_rules(const LogRules& rules, LogLevel shown) {
    level_ = shown;
    style_ = stderr_style(rules.format);
  }

 private:
  std::atomic<LogLevel> level_{LogLevel::info};
  std::atomic<LineStyle> style_{LineStyle::plain};
};

class DaemonLog::FileLines final : public Log {
 public:
  FileLines(const std::filesystem::path& file, const LogRules& rules)
      : folder_(file.parent_path()), file_(file, rotation_of(rules)) {}

  // A failure cannot be reported anywhere else than on standard error, which has the message.
  void write(const LogMessage& message) override {
    std::error_code unknown;
    const bool is_wanted = message.level >= level_.load() && !message.is_in_job_log;
    if (is_wanted && std::filesystem::is_directory(folder_, unknown))
      (void)file_.append(format_message(message, style_.load()));
  }
  void set_rules(const LogRules& rules) {
    level_ = rules.level;
    style_ = rules.format == LogFormat::json ? LineStyle::json : LineStyle::timed;
    file_.set_rotation(rotation_of(rules));
  }

 private:
  std::filesystem::path folder_;
  RotatingFile file_;
  std::atomic<LogLevel> level_{LogLevel::info};
  std::atomic<LineStyle> style_{LineStyle::timed};
};

DaemonLog::DaemonLog(const std::filesystem::path& file, const LogRules& rules, LogLevel shown)
    : stderr_lines_(std::make_shared<StderrLines>()),
      file_lines_(std::make_shared<FileLines>(file, rules)),
      stderr_queue_(stderr_lines_),
      file_queue_(file_lines_) {
  set_rules(rules, shown);
}

DaemonLog::~DaemonLog() = default;

void DaemonLog::write(const LogMessage& message) {
  stderr_queue_.write(message);
  file_queue_.write(message);
}

void DaemonLog::write_to_file(const LogMessage& message) {
  file_queue_.write(message);
}

void DaemonLog::set_rules(const LogRules& rules, LogLevel shown) {
  stderr_lines_->set_rules(rules, shown);
  file_lines_->set_rules(rules);
}

}  // namespace heddle::app
