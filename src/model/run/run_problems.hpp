// Tells apart what is wrong with the pages of a run: failures, warnings and notices. Pure.
#pragma once

#include <vector>

#include "model/run/run.hpp"

namespace heddle {

// A page that the site returned in place of the wanted one: nothing of it is stored.
constexpr bool is_wrong_page(ErrorKind kind) {
  return kind == ErrorKind::bot_wall || kind == ErrorKind::login_required ||
         kind == ErrorKind::error_page;
}

// The problems of a run by what they mean; `run.errors` lists those of failed pages first.
struct RunProblems {
  std::vector<RunError> failures;  // of pages and of the run, and errors of scripts
  std::vector<RunError> notices;   // about pages that were stored; a warning is an `expectation`
};
RunProblems problems_of(const Run& run);

// Why the job has the check state `warning` after the run; nullptr: it has not.
const RunError* warning_of(const RunProblems& problems);

}  // namespace heddle
