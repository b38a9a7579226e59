#include "config/problem.hpp"

#include <algorithm>

namespace heddle::config {

std::string_view to_text(ProblemSeverity severity) {
  switch (severity) {
    case ProblemSeverity::error:
      return "error";
    case ProblemSeverity::warning:
      return "warning";
    case ProblemSeverity::notice:
      return "notice";
  }
  return "error";
}

std::string to_text(const Problem& problem) {
  std::string out = problem.file;
  if (problem.line > 0) out += ":" + std::to_string(problem.line);
  out += ": ";
  if (!problem.key.empty()) out += problem.key + ": ";
  if (problem.severity != ProblemSeverity::error)
    out += std::string(to_text(problem.severity)) + ": ";
  return out + problem.message;
}

bool has_errors(const std::vector<Problem>& problems) {
  return std::any_of(problems.begin(), problems.end(),
                     [](const Problem& each) { return each.severity == ProblemSeverity::error; });
}

}  // namespace heddle::config
