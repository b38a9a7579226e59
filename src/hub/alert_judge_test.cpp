#include "hub/alert_judge.hpp"

#include <gmock/gmock.h>

namespace heddle::hub {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

// Looks every ten seconds and remembers what was told, as the book does.
class AlertJudgeTest : public ::testing::Test {
 protected:
  void look_for(std::chrono::milliseconds time, const std::vector<Symptom>& symptoms) {
    for (auto passed = 0ms; passed < time; passed += 10s) look(symptoms);
  }

  void look(const std::vector<Symptom>& symptoms) {
    const AlertVerdicts verdicts = judge_.look(symptoms, told_, now_);
    for (const Symptom& symptom : verdicts.raised) {
      const auto known = levels_.find(symptom.key);
      if (known != levels_.end() && known->second >= symptom.level) continue;
      news_.push_back(symptom.key + " " + std::string(to_text(symptom.level)));
      levels_[symptom.key] = symptom.level;
      told_.insert(symptom.key);
    }
    for (const std::string& key : verdicts.over) {
      news_.push_back(key + " over");
      levels_.erase(key);
      told_.erase(key);
    }
    now_ += 10s;
  }

  static Symptom deep(AlertLevel level, std::chrono::milliseconds lasting) {
    return {"depth", level, lasting, "deep"};
  }

  AlertJudge judge_;
  WallTime now_{1000h};
  std::set<std::string> told_;
  std::map<std::string, AlertLevel> levels_;
  std::vector<std::string> news_;
};

TEST_F(AlertJudgeTest, RaisesAtOnceWhatNeedNotLast) {
  look({deep(AlertLevel::emergency, 0ms)});
  EXPECT_THAT(news_, ElementsAre("depth emergency"));
}

TEST_F(AlertJudgeTest, WaitsUntilTroubleHasLasted) {
  look_for(5min, {deep(AlertLevel::warning, 5min)});
  EXPECT_THAT(news_, IsEmpty());
  look({deep(AlertLevel::warning, 5min)});
  EXPECT_THAT(news_, ElementsAre("depth warning"));
  look_for(1h, {deep(AlertLevel::warning, 5min)});
  EXPECT_EQ(news_.size(), 1u);
}

TEST_F(AlertJudgeTest, CountsAnewAfterEveryGap) {
  look_for(4min + 50s, {deep(AlertLevel::warning, 5min)});
  look({});
  look_for(4min + 50s, {deep(AlertLevel::warning, 5min)});
  look({});
  EXPECT_THAT(news_, IsEmpty());
}

TEST_F(AlertJudgeTest, DoesNotCountTimeInWhichNobodyLooked) {
  look({deep(AlertLevel::warning, 5min)});
  now_ += 1h;
  look({deep(AlertLevel::warning, 5min)});
  now_ -= 2h;  // the clock was set
  look({deep(AlertLevel::warning, 5min)});
  EXPECT_THAT(news_, IsEmpty());
  look_for(5min, {deep(AlertLevel::warning, 5min)});
  EXPECT_THAT(news_, ElementsAre("depth warning"));
}

TEST_F(AlertJudgeTest, TellsTheWorstLevelThatHasLasted) {
  const std::vector<Symptom> both{deep(AlertLevel::warning, 5min),
                                  deep(AlertLevel::critical, 2min)};
  look_for(10min, both);
  EXPECT_THAT(news_, ElementsAre("depth critical"));
}

TEST_F(AlertJudgeTest, IsOverOnceItWasCalmForAWhile) {
  look({deep(AlertLevel::critical, 0ms)});
  look_for(1min, {});
  EXPECT_EQ(news_.size(), 1u);
  look({});
  EXPECT_THAT(news_, ElementsAre("depth critical", "depth over"));
  look_for(1h, {});
  EXPECT_EQ(news_.size(), 2u);
}

TEST_F(AlertJudgeTest, IsNotOverWhileTroubleComesAndGoes) {
  look({deep(AlertLevel::warning, 0ms)});
  for (int i = 0; i < 50; ++i) {
    look_for(30s, {});
    look({deep(AlertLevel::warning, 0ms)});
  }
  EXPECT_THAT(news_, ElementsAre("depth warning"));
}

TEST_F(AlertJudgeTest, IsNotOverWhileTroubleIsThereThatHasNotLastedYet) {
  told_.insert("depth");  // by a former daemon
  levels_["depth"] = AlertLevel::warning;
  look_for(4min, {deep(AlertLevel::warning, 5min)});
  EXPECT_THAT(news_, IsEmpty());
}

TEST_F(AlertJudgeTest, KeepsKeysApart) {
  look({{"a", AlertLevel::warning, 0ms, ""}, {"b", AlertLevel::warning, 0ms, ""}});
  look_for(2min, {{"b", AlertLevel::warning, 0ms, ""}});
  EXPECT_THAT(news_, ElementsAre("a warning", "b warning", "a over"));
}

}  // namespace
}  // namespace heddle::hub
