// Many successes from a few processes at a time, failures that are replaced, and a deadline.
#include <chrono>
#include <iostream>

#include <heddle/jobs.hpp>

namespace {

using namespace std::chrono_literals;

void run(heddle::jobs::Runner& runner, const heddle::jobs::Spec& spec) {
  const heddle::jobs::Status end = runner.start(spec).wait();
  std::cout << spec.name << ": " << to_text(end);
  if (!end.reason.empty()) std::cout << ": " << end.reason;
  std::cout << std::endl;
}

// Part 2 fails at its first try and is run again, as part 2.
heddle::jobs::Spec parts() {
  heddle::jobs::Spec spec;
  spec.name = "parts";
  spec.command = R"([ "$HEDDLE_INDEX.$HEDDLE_ATTEMPT" != 2.1 ])";
  spec.completions = 4;
  spec.parallelism = 2;
  spec.restart_on_failure = true;
  spec.backoff = 50ms;
  return spec;
}

heddle::jobs::Spec hopeless() {
  heddle::jobs::Spec spec;
  spec.name = "hopeless";
  spec.command = "exit 1";
  spec.restart_on_failure = true;
  spec.backoff_limit = 2;
  spec.backoff = 50ms;
  return spec;
}

heddle::jobs::Spec endless() {
  heddle::jobs::Spec spec;
  spec.name = "endless";
  spec.command = "sleep 60 & sleep 60";  // both are gone afterwards
  spec.deadline = 500ms;
  return spec;
}

}  // namespace

int main() {
  const auto runner = heddle::jobs::Runner::create();
  run(*runner, parts());
  run(*runner, hopeless());
  run(*runner, endless());
}
