#include "embed/supervise/debug_log.hpp"

#include <cstdlib>

#include "base/log.hpp"

namespace heddle::embed {

void log_debug(std::string_view message) {
  const char* level = std::getenv("HEDDLE_LOG");  // NOLINT(concurrency-mt-unsafe): read only
  if (!level || std::string_view(level) != "debug") return;
  StderrLog(LogLevel::debug).debug(message);
}

}  // namespace heddle::embed
