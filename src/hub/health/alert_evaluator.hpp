// AlertEvaluator decides when symptoms become an alert and when an alert clears: both need an
// unbroken period. Pure: the caller passes the time in.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "model/notify/system_alert.hpp"

namespace heddle::hub {

// A problem seen at one moment. One key may have several symptoms of different levels.
struct Symptom {
  std::string key;
  AlertLevel level = AlertLevel::warning;
  std::chrono::milliseconds lasting{0};  // minimum duration before it is raised
  std::string text;
};

struct AlertDecisions {
  std::vector<Symptom> raised;       // the worst of each key that has lasted
  std::vector<std::string> cleared;  // keys
};

class AlertEvaluator {
 public:
  // An alert clears after this long without a symptom.
  static constexpr std::chrono::minutes kQuietTime{1};
  // After a longer gap (a suspended machine) all durations restart: the time in
  // between was not observed.
  static constexpr std::chrono::minutes kMaxGap{1};

  // `raised_keys`: the raised alerts that these symptoms cover.
  AlertDecisions evaluate(const std::vector<Symptom>& symptoms,
                          const std::set<std::string>& raised_keys, Deadline now);

 private:
  using KeyLevel = std::pair<std::string, AlertLevel>;

  void track(const std::vector<Symptom>& symptoms, Deadline now);

  std::map<KeyLevel, Deadline> seen_since_;
  std::map<std::string, Deadline> quiet_since_;
  Deadline last_evaluation_{};  // of elapsed time
};

}  // namespace heddle::hub
