#include "schedule/active_hours.hpp"

#include <gtest/gtest.h>

namespace heddle::schedule {
namespace {

using namespace std::chrono_literals;

constexpr int kSunday = 1 << 0;
constexpr int kSaturday = 1 << 6;
constexpr int kWorkdays = 0b0111110;

std::vector<ActiveSpan> parsed(std::string_view text) {
  auto spans = parse_active_hours(text);
  EXPECT_TRUE(spans) << text << ": " << spans.error().message;
  return spans ? *spans : std::vector<ActiveSpan>();
}

TEST(ActiveHours, CountForEveryDayUnlessDaysAreGiven) {
  const auto spans = parsed("08:00-18:30");
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(spans[0].weekdays, 0x7F);
  EXPECT_EQ(spans[0].from, 8h);
  EXPECT_EQ(spans[0].to, 18h + 30min);
}

TEST(ActiveHours, TakeDaysAndListsOfSpans) {
  const auto spans = parsed("Mon-Fri 08:00-12:00, mon-fri 13:00-18:00 ,Sat,Sun 22:00-02:00");
  ASSERT_EQ(spans.size(), 3u);
  EXPECT_EQ(spans[0].weekdays, kWorkdays);
  EXPECT_EQ(spans[1].weekdays, kWorkdays);
  EXPECT_EQ(spans[2].weekdays, kSaturday | kSunday);
  EXPECT_EQ(spans[2].from, 22h);
  EXPECT_EQ(spans[2].to, 2h);
}

TEST(ActiveHours, GoOverTheEndOfTheWeek) {
  EXPECT_EQ(parsed("Sat-Sun 00:00-24:00")[0].weekdays, kSaturday | kSunday);
}

TEST(ActiveHours, RefuseWhatIsNoSpan) {
  for (const char* text :
       {"", "Mon", "Mon-Fri", "08:00", "08:00-", "8-18", "08:00-25:00", "08:60-09:00",
        "08:00-08:00", "24:00-08:00", "Foo 08:00-18:00", "Mon- 08:00-18:00", "08:00-18:00,",
        "08:00-18:00, Sat", "08:00-18:00 Mon", "008:00-18:00"})
    EXPECT_FALSE(parse_active_hours(text)) << text;
}

}  // namespace
}  // namespace heddle::schedule
