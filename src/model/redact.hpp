// Keeps secrets out of what people see: logs, traces, files, answers.
#pragma once

#include <span>
#include <string>

namespace heddle {

// Every occurrence of a secret becomes "***"; secrets shorter than four characters are left alone,
// they would blank out half of any text.
std::string redact(std::string text, std::span<const std::string> secrets);

}  // namespace heddle
