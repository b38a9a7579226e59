#include "base/log/log.hpp"

#include <algorithm>
#include <cerrno>
#include <string>

#include <unistd.h>

#include "base/log/printable.hpp"
#include "base/log/redact.hpp"

namespace heddle {

namespace {

void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;  // standard error is gone: nowhere to report it
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

std::string_view level_prefix(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return "debug: ";
    case LogLevel::info:
      return "";
    case LogLevel::warning:
      return "warning: ";
    case LogLevel::error:
      return "error: ";
  }
  return "";
}

void StderrLog::write(const LogMessage& message) {
  if (message.level < min_level_) return;
  // One write per line, so that lines of several threads never mix. Not through stdio: a thread
  // that blocks in it would hold its lock, and the exit of the program waits for that lock.
  std::string line(level_prefix(message.level));
  line += isatty(STDERR_FILENO) == 1 ? printable(message.text) : std::string(message.text);
  line += '\n';
  write_all(line);
}

void RedactingLog::write(const LogMessage& message) {
  std::string clean;
  {
    const std::lock_guard guard(mutex_);
    clean = redact(message.text, secrets_);
  }
  LogMessage redacted = message;
  redacted.text = clean;
  next_.write(redacted);
}

void RedactingLog::add_secrets(const std::vector<std::string>& secrets) {
  const std::lock_guard guard(mutex_);
  for (const std::string& secret : secrets)
    if (std::find(secrets_.begin(), secrets_.end(), secret) == secrets_.end())
      secrets_.push_back(secret);
}

}  // namespace heddle
