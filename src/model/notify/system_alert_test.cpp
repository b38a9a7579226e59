#include "model/notify/system_alert.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(SystemAlert, HasANameForEveryLevelAndKind) {
  for (const AlertLevel level : kAllAlertLevels)
    EXPECT_EQ(alert_level_from(to_text(level)), level) << to_text(level);
  EXPECT_EQ(alert_level_from("panic"), std::nullopt);
  for (const AlertKind kind : kAllAlertKinds) EXPECT_NE(to_text(kind), "unknown");
}

TEST(SystemAlert, IsNamedByItsKindAndTheJobItIsAbout) {
  EXPECT_EQ(alert_key(AlertKind::queue_depth), "queue_depth");
  EXPECT_EQ(alert_key(AlertKind::run_stuck, "shop"), "run_stuck/shop");
  EXPECT_TRUE(is_of_kind("run_stuck/shop", AlertKind::run_stuck));
  EXPECT_TRUE(is_of_kind("queue_depth", AlertKind::queue_depth));
  EXPECT_FALSE(is_of_kind("run_stuck/shop", AlertKind::run_slow));
}

}  // namespace
}  // namespace heddle
