#include "lifecycle/run_table.hpp"

#include <fmt/format.h>

namespace heddle::lifecycle {

namespace {

template <class State, std::size_t N>
std::string draw(const std::array<StateRow<State>, N>& rows, State first) {
  std::string text = fmt::format("stateDiagram-v2\n  [*] --> {}\n", to_text(first));
  for (const auto& row : rows)
    text += fmt::format("  {} --> {}: {}\n", to_text(row.from), to_text(row.to), row.name);
  return text;
}

}  // namespace

std::string draw_run_table() {
  return draw(kRunRows, RunState::queued);
}

std::string draw_task_table() {
  return draw(kTaskRows, TaskState::pending);
}

}  // namespace heddle::lifecycle
