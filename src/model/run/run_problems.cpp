#include "model/run/run_problems.hpp"

#include <algorithm>

namespace heddle {

namespace {

// Of these kinds are problems of failed pages and of stored ones. Earlier versions stored wrong
// pages.
bool is_of_either(ErrorKind kind) {
  return kind == ErrorKind::expectation || is_wrong_page(kind);
}

}  // namespace

RunProblems problems_of(const Run& run) {
  RunProblems problems;
  std::int64_t failed_pages = run.pages.failed;  // that are still to come
  for (const RunError& error : run.errors) {
    if (is_notice(error.kind)) {
      problems.notices.push_back(error);
      continue;
    }
    const bool is_of_page = !error.url.empty();
    const bool is_of_stored_page = is_of_page && failed_pages == 0 && is_of_either(error.kind);
    (is_of_stored_page ? problems.notices : problems.failures).push_back(error);
    if (is_of_page && failed_pages > 0) --failed_pages;
  }
  return problems;
}

const RunError* warning_of(const RunProblems& problems) {
  const auto found = std::ranges::find(problems.notices, ErrorKind::expectation, &RunError::kind);
  return found == problems.notices.end() ? nullptr : &*found;
}

}  // namespace heddle
