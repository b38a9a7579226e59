#include "hub/health/alert_evaluator.hpp"

#include <gmock/gmock.h>

namespace heddle::hub {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

// Evaluates every ten seconds and remembers raised alerts, as AlertManager does.
class AlertEvaluatorTest : public ::testing::Test {
 protected:
  void evaluate_for(std::chrono::milliseconds time, const std::vector<Symptom>& symptoms) {
    for (auto passed = 0ms; passed < time; passed += 10s) evaluate(symptoms);
  }

  void evaluate(const std::vector<Symptom>& symptoms) {
    const AlertDecisions decisions = evaluator_.evaluate(symptoms, raised_, now_);
    for (const Symptom& symptom : decisions.raised) {
      const auto known = levels_.find(symptom.key);
      if (known != levels_.end() && known->second >= symptom.level) continue;
      changes_.push_back(symptom.key + " " + std::string(to_text(symptom.level)));
      levels_[symptom.key] = symptom.level;
      raised_.insert(symptom.key);
    }
    for (const std::string& key : decisions.cleared) {
      changes_.push_back(key + " over");
      levels_.erase(key);
      raised_.erase(key);
    }
    now_ += 10s;
  }

  static Symptom deep(AlertLevel level, std::chrono::milliseconds lasting) {
    return {"depth", level, lasting, "deep"};
  }

  AlertEvaluator evaluator_;
  Deadline now_{1000h};
  std::set<std::string> raised_;
  std::map<std::string, AlertLevel> levels_;
  std::vector<std::string> changes_;
};

TEST_F(AlertEvaluatorTest, RaisesASymptomWithoutMinimumDurationImmediately) {
  evaluate({deep(AlertLevel::emergency, 0ms)});
  EXPECT_THAT(changes_, ElementsAre("depth emergency"));
}

TEST_F(AlertEvaluatorTest, RaisesASymptomAfterItsMinimumDuration) {
  evaluate_for(5min, {deep(AlertLevel::warning, 5min)});
  EXPECT_THAT(changes_, IsEmpty());
  evaluate({deep(AlertLevel::warning, 5min)});
  EXPECT_THAT(changes_, ElementsAre("depth warning"));
  evaluate_for(1h, {deep(AlertLevel::warning, 5min)});
  EXPECT_EQ(changes_.size(), 1u);
}

TEST_F(AlertEvaluatorTest, RestartsTheDurationAfterAGap) {
  evaluate_for(4min + 50s, {deep(AlertLevel::warning, 5min)});
  evaluate({});
  evaluate_for(4min + 50s, {deep(AlertLevel::warning, 5min)});
  evaluate({});
  EXPECT_THAT(changes_, IsEmpty());
}

TEST_F(AlertEvaluatorTest, DoesNotCountTimeBetweenDistantEvaluations) {
  evaluate({deep(AlertLevel::warning, 5min)});
  now_ += 1h;
  evaluate({deep(AlertLevel::warning, 5min)});
  EXPECT_THAT(changes_, IsEmpty());
  evaluate_for(5min, {deep(AlertLevel::warning, 5min)});
  EXPECT_THAT(changes_, ElementsAre("depth warning"));
}

TEST_F(AlertEvaluatorTest, RaisesTheWorstLevelThatHasLasted) {
  const std::vector<Symptom> both{deep(AlertLevel::warning, 5min),
                                  deep(AlertLevel::critical, 2min)};
  evaluate_for(10min, both);
  EXPECT_THAT(changes_, ElementsAre("depth critical"));
}

TEST_F(AlertEvaluatorTest, ClearsAnAlertAfterTheQuietTime) {
  evaluate({deep(AlertLevel::critical, 0ms)});
  evaluate_for(1min, {});
  EXPECT_EQ(changes_.size(), 1u);
  evaluate({});
  EXPECT_THAT(changes_, ElementsAre("depth critical", "depth over"));
  evaluate_for(1h, {});
  EXPECT_EQ(changes_.size(), 2u);
}

TEST_F(AlertEvaluatorTest, KeepsAnAlertWhileSymptomsComeAndGo) {
  evaluate({deep(AlertLevel::warning, 0ms)});
  for (int i = 0; i < 50; ++i) {
    evaluate_for(30s, {});
    evaluate({deep(AlertLevel::warning, 0ms)});
  }
  EXPECT_THAT(changes_, ElementsAre("depth warning"));
}

TEST_F(AlertEvaluatorTest, KeepsAnAlertWhileASymptomHasNotLastedYet) {
  raised_.insert("depth");  // by the previous daemon
  levels_["depth"] = AlertLevel::warning;
  evaluate_for(4min, {deep(AlertLevel::warning, 5min)});
  EXPECT_THAT(changes_, IsEmpty());
}

TEST_F(AlertEvaluatorTest, TracksKeysSeparately) {
  evaluate({{"a", AlertLevel::warning, 0ms, ""}, {"b", AlertLevel::warning, 0ms, ""}});
  evaluate_for(2min, {{"b", AlertLevel::warning, 0ms, ""}});
  EXPECT_THAT(changes_, ElementsAre("a warning", "b warning", "a over"));
}

}  // namespace
}  // namespace heddle::hub
