// Figures per day: the same before, during and after retention removes their source.
#include "store/sqlite/tables/day_rows.hpp"

#include <random>

#include "store/sqlite/retention/history_for_test.hpp"
#include "store/sqlite/sqlite_reader.hpp"

namespace heddle::store {

namespace {

using ::testing::SizeIs;

class DayFigures : public HistoryFixture {
 protected:
  DayRange range(std::int64_t first = 0) {
    return {.first = first, .day_of = request(HistoryClass::runs, day(0)).day_of};
  }

  std::vector<RunDay> run_days(std::int64_t first = 0, const std::string& job = "shop") {
    auto reader = SqliteReader::open(file());
    EXPECT_TRUE(reader) << reader.error().message;
    auto days = (*reader)->run_days({job}, range(first));
    EXPECT_TRUE(days) << days.error().message;
    return days ? std::move(*days) : std::vector<RunDay>();
  }

  std::vector<PriceDay> price_days(std::int64_t first = 0) {
    auto reader = SqliteReader::open(file());
    EXPECT_TRUE(reader) << reader.error().message;
    auto days = (*reader)->price_days({"shop"}, range(first));
    EXPECT_TRUE(days) << days.error().message;
    return days ? std::move(*days) : std::vector<PriceDay>();
  }

  // All figures, one text per day.
  static std::vector<std::string> text_of(const std::vector<RunDay>& days) {
    std::vector<std::string> texts;
    for (const RunDay& day : days) {
      std::string text;
      for (const std::int64_t figure :
           {day.day, day.runs, day.completed, day.failed, std::int64_t{day.duration.count()},
            day.pages.total, day.pages.done, day.pages.failed, day.pages.skipped, day.items.seen,
            day.items.fresh, day.items.changed, day.items.gone, day.changes,
            day.price_changes.value_or(-1), std::int64_t{day.cpu.count()}, day.bytes})
        text += std::to_string(figure) + " ";
      texts.push_back(text);
    }
    return texts;
  }

  // Runs of two jobs with figures of all kinds, over sixty days.
  void add_runs(int count, std::mt19937& random) {
    constexpr std::array kStates{"completed", "failed", "limited", "cancelled", "stopped"};
    std::string sql =
        "INSERT INTO jobs (number, id, name, kind, revision) VALUES"
        " (1, 'shop', '', '', ''), (2, 'other', '', '', '');";
    std::int64_t ended = 0;
    for (int i = 1; i <= count; ++i) {
      ended += static_cast<std::int64_t>(random() % (120 * kDay / count));
      const auto some = [&random] { return std::to_string(random() % 50); };
      sql +=
          "INSERT INTO runs (id, job, state, trigger_kind, attempt, revision, started_at,"
          " ended_at, open_tasks, pages_done, pages_failed, pages_skipped, items_seen,"
          " items_new, items_changed, bytes, items_gone, changes, cpu_us, price_changes)"
          " VALUES ('r" +
          std::to_string(i) + "', " + std::to_string(1 + random() % 2) + ", '" +
          kStates.at(random() % kStates.size()) + "', 'time', 1, '', " +
          std::to_string(ended - static_cast<std::int64_t>(random() % 100'000)) + ", " +
          std::to_string(ended) + ", 0";
      for (int column = 0; column < 10; ++column) sql += ", " + some();
      sql += (random() % 3 == 0 ? ", " + some() : std::string(", NULL")) + ");";
    }
    execute("BEGIN;" + sql + "COMMIT");
  }
};

TEST_F(DayFigures, StayTheSameWhileRetentionRemovesRuns) {
  std::mt19937 random(7);
  for (const std::int64_t offset : {0, 2 * 3'600'000, -9 * 3'600'000}) {
    offset_ = offset;
    execute("DELETE FROM runs; DELETE FROM run_days; DELETE FROM jobs");
    add_runs(400, random);
    const auto shop = text_of(run_days());
    const auto other = text_of(run_days(0, "other"));
    ASSERT_GT(shop.size(), 20u);
    std::int64_t removed = 0;
    for (int until = 0; until < 140; until += static_cast<int>(1 + random() % 15)) {
      // Not at midnight: a part of a day is removed, the rest of it is kept.
      removed += sweep(request(HistoryClass::runs, day(until) + std::chrono::hours(random() % 24)));
      ASSERT_EQ(text_of(run_days()), shop) << "up to day " << until;
      ASSERT_EQ(text_of(run_days(0, "other")), other);
    }
    EXPECT_EQ(removed, 399) << "all but the newest";
  }
}

TEST_F(DayFigures, BeginWithTheRequestedDay) {
  offset_ = 10 * 3'600'000;
  store_page("r1", {"a"}, "b1", day(3) + std::chrono::hours(13));
  store_page("r2", {"a"}, "b2", day(3) + std::chrono::hours(15));  // local day 4
  store_page("r3", {"b"}, "b3", day(6));
  ASSERT_THAT(run_days(4), SizeIs(2));
  EXPECT_EQ(run_days(4)[0].day, 4);
  EXPECT_EQ(run_days(4)[0].runs, 1);
  EXPECT_EQ(run_days(4)[0].changes, 1);
  EXPECT_EQ(run_days(4)[1].items.fresh, 1);
  EXPECT_EQ(run_days(4)[1].items.gone, 1);
  EXPECT_THAT(run_days(3), SizeIs(3));
  EXPECT_THAT(run_days(7), SizeIs(0));
}

TEST_F(DayFigures, OfPricesStayTheSameWhileRetentionRemovesThem) {
  execute(
      "INSERT INTO jobs (number, id, name, kind, revision) VALUES (1, 'shop', '', '', '');"
      "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)"
      " INSERT INTO prices (job, item, field, at, amount_number, currency)"
      " SELECT 1, 1 + i % 3, 'price', i * 7200000, (i * 37) % 101, 'EUR' FROM n");
  const auto before = price_days();
  ASSERT_GT(before.size(), 200u);
  for (int until = 0; until < 100; until += 9) {
    sweep(request(HistoryClass::prices, day(until) + std::chrono::hours(5)));
    const auto now = price_days();
    ASSERT_EQ(now.size(), before.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
      EXPECT_EQ(now[i].day, before[i].day);
      EXPECT_EQ(now[i].item, before[i].item);
      EXPECT_EQ(now[i].points, before[i].points);
      EXPECT_EQ(now[i].lowest, before[i].lowest);
      EXPECT_EQ(now[i].highest, before[i].highest);
      EXPECT_NEAR(now[i].average, before[i].average, 1e-9);
    }
  }
  EXPECT_EQ(number("SELECT count(*) FROM prices"), 0);
}

}  // namespace

}  // namespace heddle::store
