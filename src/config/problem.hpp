// Problem is one error, warning or notice about the configuration, with its file and line. A plain
// value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::config {

// error: the job (or the project) cannot be used; warning: probably a mistake; notice: accepted,
// but has no effect in this version.
enum class ProblemSeverity { error, warning, notice };
std::string_view to_text(ProblemSeverity severity);

struct Problem {
  std::string file;  // relative to the project, with "/"
  int line = 0;      // from 1; 0: the whole file
  std::string key;   // "timeout", "groups.shops.retry.max"; empty: no single key
  std::string message;
  ProblemSeverity severity = ProblemSeverity::error;

  auto operator<=>(const Problem&) const = default;
};

// "jobs/shop/config.toml:12: timeout: what is wrong, what is allowed"; warnings and notices have a
// prefix.
std::string to_text(const Problem& problem);

bool has_errors(const std::vector<Problem>& problems);

}  // namespace heddle::config
