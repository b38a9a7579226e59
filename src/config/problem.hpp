// One mistake or remark about the configuration, with the place where it stands. A plain value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::config {

// error: the job (or the project) cannot be used; warning: probably not what is meant;
// notice: accepted, but has no effect in this version.
enum class Severity { error, warning, notice };
std::string_view to_text(Severity severity);

struct Problem {
  std::string file;  // relative to the project, "/" between folders
  int line = 0;      // 1 for the first; 0: the file as a whole
  std::string key;   // "timeout", "groups.shops.retry.max"; empty: none in particular
  std::string message;
  Severity severity = Severity::error;

  auto operator<=>(const Problem&) const = default;
};

// "jobs/shop/config.toml:12: timeout: what is wrong, what is allowed"; warnings and notices say so.
std::string to_text(const Problem& problem);

bool has_errors(const std::vector<Problem>& problems);

}  // namespace heddle::config
