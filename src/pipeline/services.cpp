#include "pipeline/services.hpp"

#include <utility>

#include <unistd.h>

#include "base/process_memory.hpp"
#include "pipeline/scripts/loaded_script.hpp"

namespace heddle::pipeline {

// A script that reads pages affects their items: page memory is invalid once the script changes or
// is removed.
void JobSession::set_script(std::unique_ptr<LoadedScript> loaded) {
  script = std::move(loaded);
  if (!script->reads_pages()) return;
  ListHasher rules;
  rules.add(plan.rules_hash);
  rules.add(plan.job.revision);
  plan.rules_hash = rules.finish();
}

PageCost take_cost(JobSession& job) {
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(job.cpu_used);
  job.cpu_used -= whole;
  return {.cpu = whole, .memory_bytes = resident_bytes(getpid())};
}

}  // namespace heddle::pipeline
