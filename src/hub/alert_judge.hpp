// Decides when trouble that is seen becomes an alert, and when an alert is over: what must last has
// to last without a gap, and so has the calm after it. Pure: the caller passes the time in.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "model/system_alert.hpp"

namespace heddle::hub {

// Trouble as it is at one moment. One key may have several, each with its level.
struct Symptom {
  std::string key;
  AlertLevel level = AlertLevel::warning;
  std::chrono::milliseconds lasting{0};  // before it counts
  std::string text;
};

struct AlertVerdicts {
  std::vector<Symptom> raised;    // the worst of each key that counts
  std::vector<std::string> over;  // keys
};

class AlertJudge {
 public:
  // An alert is over when nothing of it was seen for this long.
  static constexpr std::chrono::minutes kCalm{1};
  // Longer between two looks (the machine slept, the clock was set): nothing is known of what was
  // in between, and everything begins to last anew.
  static constexpr std::chrono::minutes kLongestGap{1};

  // `told`: keys of the alerts that are raised now, as far as this look says something about them.
  AlertVerdicts look(const std::vector<Symptom>& symptoms, const std::set<std::string>& told,
                     WallTime now);

 private:
  using Row = std::pair<std::string, AlertLevel>;

  void follow(const std::vector<Symptom>& symptoms, WallTime now);

  std::map<Row, WallTime> seen_since_;
  std::map<std::string, WallTime> calm_since_;
  WallTime last_look_{};
};

}  // namespace heddle::hub
