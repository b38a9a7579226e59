#include "lifecycle/run_transitions.hpp"

#include <fmt/format.h>

namespace heddle::lifecycle {

namespace {

template <class State, std::size_t N>
std::string render(const std::array<StateTransition<State>, N>& transitions, State first) {
  std::string text = fmt::format("stateDiagram-v2\n  [*] --> {}\n", to_text(first));
  for (const auto& transition : transitions)
    text += fmt::format("  {} --> {}: {}\n", to_text(transition.from), to_text(transition.to),
                        transition.name);
  return text;
}

}  // namespace

std::string render_run_diagram() {
  return render(kRunTransitions, RunState::queued);
}

std::string render_task_diagram() {
  return render(kTaskTransitions, TaskState::pending);
}

}  // namespace heddle::lifecycle
