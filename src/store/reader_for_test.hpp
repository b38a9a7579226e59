// Collects what a Reader visits.
#pragma once

#include <cstddef>
#include <vector>

#include "store/reader.hpp"

namespace heddle::store::testing {

inline Result<std::vector<TaskTrace>> traces_of(Reader& reader, const RunId& run) {
  std::vector<TaskTrace> traces;
  auto read = reader.for_each_trace(run, [&traces](const TaskTrace& trace) {
    traces.push_back(trace);
    return true;
  });
  if (!read) return std::move(read).error();
  return traces;
}

inline Result<std::vector<DeadLetter>> dead_letters_of(Reader& reader, const JobId& job,
                                                       std::size_t max) {
  std::vector<DeadLetter> dead_letters;
  auto read = reader.for_each_dead_letter(job, [&](const DeadLetter& dead_letter) {
    dead_letters.push_back(dead_letter);
    return dead_letters.size() < max;
  });
  if (!read) return std::move(read).error();
  return dead_letters;
}

}  // namespace heddle::store::testing
