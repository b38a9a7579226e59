// Replaces the selectors of a job in the text of its file and leaves everything else as it is:
// comments, order, blanks. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/job/job.hpp"

namespace heddle::config {

struct SelectorEdit {
  int selector_line = 0;  // of the key, from 1; 0: it stays
  std::string selector{};
  int fields_line = 0;                             // of the key, from 1; 0: they stay
  std::vector<std::optional<FieldRule>> fields{};  // by position; nullopt: it stays
};

// Fails with bad_input when the keys are not written as `selector = …` and `fields = […]` on lines
// of their own.
Result<std::string> edit_selectors(std::string_view text, const SelectorEdit& edit);

struct ChangedLine {
  int line = 0;  // from 1, before the change for what is removed
  bool is_removed = false;
  std::string text;
};

// The lines that differ: what was removed, then what came in its place.
std::vector<ChangedLine> changed_lines(std::string_view before, std::string_view after);

}  // namespace heddle::config
