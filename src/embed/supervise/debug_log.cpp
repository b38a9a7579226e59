#include "embed/supervise/debug_log.hpp"

#include "base/environment_variable.hpp"
#include "base/log/log.hpp"

namespace heddle::embed {

void log_debug(std::string_view message) {
  if (environment_variable("HEDDLE_LOG") != "debug") return;
  StderrLog(LogLevel::debug).debug(message);
}

}  // namespace heddle::embed
