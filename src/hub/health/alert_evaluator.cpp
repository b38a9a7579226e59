#include "hub/health/alert_evaluator.hpp"

namespace heddle::hub {

void AlertEvaluator::track(const std::vector<Symptom>& symptoms, Deadline now) {
  if (now < last_evaluation_ || now - last_evaluation_ > kMaxGap) {
    seen_since_.clear();
    quiet_since_.clear();
  }
  last_evaluation_ = now;
  std::set<KeyLevel> seen;
  for (const Symptom& symptom : symptoms) {
    const KeyLevel key_level{symptom.key, symptom.level};
    seen.insert(key_level);
    seen_since_.emplace(key_level, now);
    quiet_since_.erase(symptom.key);
  }
  std::erase_if(seen_since_, [&seen](const auto& each) { return !seen.contains(each.first); });
}

AlertDecisions AlertEvaluator::evaluate(const std::vector<Symptom>& symptoms,
                                        const std::set<std::string>& raised_keys, Deadline now) {
  track(symptoms, now);
  std::set<std::string> seen_keys;
  std::map<std::string, const Symptom*> worst;
  for (const Symptom& symptom : symptoms) {
    seen_keys.insert(symptom.key);
    if (now - seen_since_.at({symptom.key, symptom.level}) < symptom.lasting) continue;
    const Symptom*& known = worst[symptom.key];
    if (known == nullptr || known->level < symptom.level) known = &symptom;
  }
  AlertDecisions decisions;
  for (const auto& [key, symptom] : worst) decisions.raised.push_back(*symptom);
  for (const std::string& key : raised_keys) {
    if (seen_keys.contains(key)) continue;
    const Deadline since = quiet_since_.emplace(key, now).first->second;
    if (now - since >= kQuietTime) decisions.cleared.push_back(key);
  }
  std::erase_if(quiet_since_,
                [&raised_keys](const auto& each) { return !raised_keys.contains(each.first); });
  return decisions;
}

}  // namespace heddle::hub
