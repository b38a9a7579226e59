#include "pipeline/services.hpp"

#include <utility>

#include <unistd.h>

#include "base/process_memory.hpp"
#include "pipeline/scripts/loaded_script.hpp"

namespace heddle::pipeline {

namespace {

bool makes_items(const LoadedScript& script) {
  using enum script::ScriptHook;
  return script.has(after_fetch) || script.has(override_extract) || script.has(after_extract) ||
         script.has(before_store);
}

Hash128 with_revision(const Hash128& hash, const Job& job) {
  ListHasher hasher;
  hasher.add(hash);
  hasher.add(job.revision);
  return hasher.finish();
}

}  // namespace

// A script that reads pages affects their items: page memory is invalid once the script changes or
// is removed. What such a script makes of the same page is no change of its items.
void JobSession::set_script(std::unique_ptr<LoadedScript> loaded) {
  script = std::move(loaded);
  if (!has_extraction_rules(plan.job) && !script->has(script::ScriptHook::override_extract))
    plan.watch_text();
  if (!script->reads_pages()) return;
  plan.rules_hash = with_revision(plan.rules_hash, plan.job);
  if (makes_items(*script)) plan.fields_hash = with_revision(plan.fields_hash, plan.job);
}

PageCost take_cost(JobSession& job) {
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(job.cpu_used);
  job.cpu_used -= whole;
  return {.cpu = whole, .memory_bytes = resident_bytes(getpid())};
}

}  // namespace heddle::pipeline
