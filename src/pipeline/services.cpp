#include "pipeline/services.hpp"

#include <utility>

#include "pipeline/scripts/loaded_script.hpp"

namespace heddle::pipeline {

// A script that reads pages decides what their items are: what is remembered of a page holds no
// longer when it has changed, or is gone.
void JobState::use(std::unique_ptr<LoadedScript> loaded) {
  script = std::move(loaded);
  if (!script->reads_pages()) return;
  ListHasher rules;
  rules.add(plan.rules_hash);
  rules.add(plan.job.revision);
  plan.rules_hash = rules.finish();
}

}  // namespace heddle::pipeline
