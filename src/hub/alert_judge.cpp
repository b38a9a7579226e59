#include "hub/alert_judge.hpp"

namespace heddle::hub {

void AlertJudge::follow(const std::vector<Symptom>& symptoms, WallTime now) {
  if (now < last_look_ || now - last_look_ > kLongestGap) {
    seen_since_.clear();
    calm_since_.clear();
  }
  last_look_ = now;
  std::set<Row> seen;
  for (const Symptom& symptom : symptoms) {
    const Row row{symptom.key, symptom.level};
    seen.insert(row);
    seen_since_.emplace(row, now);
    calm_since_.erase(symptom.key);
  }
  std::erase_if(seen_since_, [&seen](const auto& each) { return !seen.contains(each.first); });
}

AlertVerdicts AlertJudge::look(const std::vector<Symptom>& symptoms,
                               const std::set<std::string>& told, WallTime now) {
  follow(symptoms, now);
  std::set<std::string> troubled;
  std::map<std::string, const Symptom*> worst;
  for (const Symptom& symptom : symptoms) {
    troubled.insert(symptom.key);
    if (now - seen_since_.at({symptom.key, symptom.level}) < symptom.lasting) continue;
    const Symptom*& known = worst[symptom.key];
    if (known == nullptr || known->level < symptom.level) known = &symptom;
  }
  AlertVerdicts verdicts;
  for (const auto& [key, symptom] : worst) verdicts.raised.push_back(*symptom);
  for (const std::string& key : told) {
    if (troubled.contains(key)) continue;
    const WallTime since = calm_since_.emplace(key, now).first->second;
    if (now - since >= kCalm) verdicts.over.push_back(key);
  }
  std::erase_if(calm_since_, [&told](const auto& each) { return !told.contains(each.first); });
  return verdicts;
}

}  // namespace heddle::hub
