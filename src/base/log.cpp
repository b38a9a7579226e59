#include "base/log.hpp"

#include <cstdio>
#include <string>

#include "base/redact.hpp"

namespace heddle {

namespace {

std::string_view prefix_of(LogLevel level) {
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

}  // namespace

void StderrLog::write(LogLevel level, std::string_view message) {
  if (level < least_) return;
  // One write per line, so that lines of several threads never mix.
  std::string line(prefix_of(level));
  line += message;
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void RedactingLog::write(LogLevel level, std::string_view message) {
  next_.write(level, redact(message, secrets_));
}

}  // namespace heddle
