#include "store/history.hpp"

#include <iostream>

#include "store/sqlite/retention/history_for_test.hpp"

namespace heddle::store {

namespace {

class HistoryTest : public HistoryFixture {};

TEST_F(HistoryTest, KeepsTheFirstAndTheNewestVersionOfAPage) {
  for (int i = 1; i <= 5; ++i)
    store_page("r" + std::to_string(i), {"a"}, "body " + std::to_string(i), day(i));
  EXPECT_EQ(sweep(request(HistoryClass::versions, day(100))), 3);
  EXPECT_EQ(number("SELECT count(*) FROM versions"), 2);
  EXPECT_EQ(number("SELECT min(at) FROM versions"), kDay);
  EXPECT_EQ(number("SELECT max(at) FROM versions"), 5 * kDay);
  EXPECT_EQ(number("SELECT count(*) FROM contents"), 2) << "no version references the others";
}

TEST_F(HistoryTest, KeepsRecentVersions) {
  for (int i = 1; i <= 5; ++i)
    store_page("r" + std::to_string(i), {"a"}, "body " + std::to_string(i), day(i));
  EXPECT_EQ(sweep(request(HistoryClass::versions, day(3))), 1);
  EXPECT_EQ(number("SELECT count(*) FROM versions WHERE at >= 259200000"), 3);
}

TEST_F(HistoryTest, SkipsPinnedVersionsWithoutReadingThem) {
  store_page("r1", {"a"}, "body 1", day(1));
  execute(
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
      " INSERT INTO versions (page, run, at, content) SELECT 10 + i % 10000, 1, 1, 1 FROM n");
  auto batch = run_async(store_->sweep(request(HistoryClass::versions, day(100))));
  ASSERT_TRUE(batch) << batch.error().message;
  EXPECT_TRUE(batch->is_last);
  EXPECT_EQ(batch->after, 0) << "no row was read";
  auto excess = run_async(store_->sweep(request(HistoryClass::versions, day(0), 1'000'000)));
  ASSERT_TRUE(excess);
  EXPECT_TRUE(excess->is_last);
  EXPECT_EQ(excess->after, 0);

  for (int i = 2; i <= 4; ++i)
    store_page("r" + std::to_string(i), {"a"}, "body " + std::to_string(i), day(i));
  EXPECT_EQ(sweep(request(HistoryClass::versions, day(100))), 2);
  EXPECT_EQ(number("SELECT count(*) FROM versions"), 20'002);
}

TEST_F(HistoryTest, KeepsContentThatAnotherVersionReferences) {
  store_page("r1", {"a"}, "body 1", day(1));
  store_page("r2", {"a"}, "body 2", day(2));
  store_page("r3", {"a"}, "body 1", day(3));
  store_page("r4", {"a"}, "body 2", day(4));
  EXPECT_EQ(sweep(request(HistoryClass::versions, day(100))), 2);
  EXPECT_EQ(number("SELECT count(*) FROM contents"), 2);
}

TEST_F(HistoryTest, StoresRemovedContentAgain) {
  for (int i = 1; i <= 3; ++i)
    store_page("r" + std::to_string(i), {"a"}, "body " + std::to_string(i), day(i));
  ASSERT_EQ(sweep(request(HistoryClass::versions, day(100))), 1);
  store_page("r4", {"a"}, "body 2", day(4));  // the store must not report it as known
  EXPECT_EQ(number("SELECT count(*) FROM contents"), 3);
  EXPECT_EQ(number("SELECT count(*) FROM versions"), 3);
}

TEST_F(HistoryTest, NeverForgetsWhichItemsWereSeen) {
  EXPECT_EQ(store_page("r1", {"a", "b"}, "body 1", day(1)), 2);
  for (const auto what :
       {HistoryClass::versions, HistoryClass::runs, HistoryClass::traces, HistoryClass::events,
        HistoryClass::messages, HistoryClass::prices, HistoryClass::dead_letters})
    sweep(request(what, day(500), 1'000'000));
  open();  // drops all caches
  EXPECT_EQ(store_page("r2", {"a", "b", "c"}, "body 2", day(600)), 1);
  EXPECT_EQ(number("SELECT count(*) FROM items"), 3);
}

TEST_F(HistoryTest, SumsRunsByLocalDay) {
  offset_ = 2 * 3'600'000;
  store_page("r1", {"a"}, "b1", day(1) + std::chrono::hours(21));
  store_page("r2", {"a"}, "b2", day(1) + std::chrono::hours(23));  // the next local day
  store_page("r3", {"b"}, "b3", day(2) + std::chrono::hours(1));
  store_page("r4", {"a"}, "b4", day(50));
  EXPECT_EQ(sweep(request(HistoryClass::runs, day(10))), 3);
  EXPECT_EQ(number("SELECT count(*) FROM run_days"), 2);
  EXPECT_EQ(number("SELECT runs FROM run_days WHERE day = 1"), 1);
  EXPECT_EQ(number("SELECT runs FROM run_days WHERE day = 2"), 2);
  EXPECT_EQ(number("SELECT sum(items_new) FROM run_days"), 2);
  EXPECT_EQ(number("SELECT count(*) FROM runs"), 1);
  EXPECT_EQ(number("SELECT count(*) FROM tasks"), 1);
  EXPECT_EQ(number("SELECT count(*) FROM traces"), 1);
}

TEST_F(HistoryTest, KeepsUnfinishedRuns) {
  heddle::Run run;
  run.id = {"open"};
  run.job = {"shop"};
  run.started_at = day(1);
  ASSERT_TRUE(run_async(store_->begin_run(run, {"http://a/1", "http://a/2"})));
  execute("INSERT INTO traces VALUES (1, 1, x'01')");
  store_page("r2", {"a"}, "body", day(2));
  store_page("r3", {"a"}, "other", day(3));
  EXPECT_EQ(sweep(request(HistoryClass::runs, day(100))), 1);
  EXPECT_EQ(sweep(request(HistoryClass::traces, day(100))), 1);
  EXPECT_EQ(number("SELECT count(*) FROM tasks WHERE run = 1"), 2);
  EXPECT_EQ(number("SELECT count(*) FROM traces WHERE run = 1"), 1);
  EXPECT_EQ(run_async(store_->lease_tasks({"open"}, 10, day(100)))->leases.size(), 2u);
}

TEST_F(HistoryTest, DropsTracesButNotTheirRuns) {
  store_page("r1", {"a"}, "b1", day(1));
  store_page("r2", {"a"}, "b2", day(9));
  EXPECT_EQ(sweep(request(HistoryClass::traces, day(5))), 1);
  EXPECT_EQ(number("SELECT count(*) FROM traces"), 1);
  EXPECT_EQ(number("SELECT count(*) FROM tasks"), 2);
}

TEST_F(HistoryTest, NeverReusesAnEventId) {
  store_page("r1", {"a"}, "b1", day(1));
  const auto last = number("SELECT max(id) FROM events");
  EXPECT_GT(sweep(request(HistoryClass::events, day(5))), 0);
  EXPECT_EQ(number("SELECT count(*) FROM events"), 0);
  store_page("r2", {"a"}, "b2", day(9));
  EXPECT_GT(number("SELECT min(id) FROM events"), last);
}

TEST_F(HistoryTest, ContinuesPastARowWithAWrongTime) {
  for (int i = 1; i <= 10; ++i)
    execute("INSERT INTO events (at, kind) VALUES (" + std::to_string(i == 3 ? 9000 * kDay : kDay) +
            ", 'x')");
  EXPECT_EQ(sweep(request(HistoryClass::events, day(5))), 9);
}

TEST_F(HistoryTest, KeepsMessagesThatWaitOrMayBeResent) {
  const auto message = [this](const std::string& id, int state, bool has_letter) {
    execute(
        "INSERT INTO outbox (id, job, run, kind, payload, state, attempts, created_at, due_at,"
        " ended_at) VALUES ('" +
        id + "', 1, '', 'webhook', '{}', " + std::to_string(state) + ", 0, 1, 1, " +
        (state == 0 ? "NULL" : "1") + ")");
    if (has_letter)
      execute(
          "INSERT INTO dead_letters (origin, job, run, delivery, payload, error_kind, error,"
          " attempts, first_failed_at, last_failed_at) VALUES ('delivery', 1, '', '" +
          id + "', '{}', 'x', 'x', 1, 1, 1)");
  };
  message("waits", 0, false);
  message("sent", 1, false);
  message("dead", 2, true);
  message("purged", 2, false);
  EXPECT_EQ(sweep(request(HistoryClass::messages, day(5))), 2);
  EXPECT_EQ(number("SELECT count(*) FROM outbox WHERE id IN ('waits', 'dead')"), 2);
  EXPECT_EQ(sweep(request(HistoryClass::dead_letters, day(5))), 1);
  EXPECT_EQ(number("SELECT count(*) FROM outbox"), 1)
      << "a dead message is removed with its dead letter";
}

TEST_F(HistoryTest, SumsPricesByDay) {
  execute(
      "INSERT INTO prices (job, item, field, at, amount, amount_number, currency) VALUES"
      " (1, 7, 'price', 1000, '10', 10, 'EUR'), (1, 7, 'price', 2000, '30', 30, 'EUR'),"
      " (1, 7, 'price', 3000, '20', 20, 'EUR'), (1, 7, 'price', 4000, NULL, NULL, 'EUR'),"
      " (1, 7, 'price', 90000000, '5', 5, 'EUR'), (1, 7, 'price', 900000000, '6', 6, 'EUR')");
  EXPECT_EQ(sweep(request(HistoryClass::prices, day(5))), 5);
  EXPECT_EQ(number("SELECT count(*) FROM price_days"), 2);
  EXPECT_EQ(number("SELECT lowest * 10000 + highest * 100 + average FROM price_days WHERE day = 0"),
            103020);
  EXPECT_EQ(number("SELECT points FROM price_days WHERE day = 0"), 3);
  EXPECT_EQ(number("SELECT count(*) FROM prices"), 1);
}

TEST_F(HistoryTest, FreesTheOldestUntilTheRestFits) {
  for (int i = 1; i <= 6; ++i)
    store_page("r" + std::to_string(i), {"a"}, std::string(10'000, static_cast<char>('a' + i)),
               day(i));
  std::int64_t bytes = 0;
  for (MeasuredBatch batch{.is_last = false}; !batch.is_last;) {
    batch = *run_async(store_->measure(HistoryClass::versions, batch.after));
    bytes += batch.bytes;
  }
  EXPECT_NEAR(static_cast<double>(bytes), 60'000, 1000);
  EXPECT_EQ(sweep(request(HistoryClass::versions, day(0), bytes - 45'000)), 2);
  EXPECT_EQ(number("SELECT count(*) FROM versions WHERE at IN (172800000, 259200000)"), 0);
}

TEST_F(HistoryTest, MeasuresEveryClass) {
  store_page("r1", {"a"}, "b1", day(1));
  for (const auto what :
       {HistoryClass::versions, HistoryClass::runs, HistoryClass::traces, HistoryClass::events}) {
    auto batch = run_async(store_->measure(what, 0));
    ASSERT_TRUE(batch) << batch.error().message;
    EXPECT_GT(batch->bytes, 0);
    auto rest = run_async(store_->measure(what, batch->after));
    ASSERT_TRUE(rest);
    EXPECT_TRUE(rest->is_last);
  }
  for (const auto what : {HistoryClass::messages, HistoryClass::prices, HistoryClass::dead_letters})
    EXPECT_TRUE(run_async(store_->measure(what, 0))->is_last);
}

TEST_F(HistoryTest, ReleasesFreePages) {
  execute(
      "CREATE TABLE ballast (x BLOB); WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT"
      " i + 1 FROM n WHERE i < 4000) INSERT INTO ballast SELECT zeroblob(4000) FROM n;"
      " DELETE FROM ballast");
  const auto before = number("PRAGMA page_count");
  while (*run_async(store_->release_space())) {
  }
  EXPECT_LT(number("PRAGMA page_count"), before - 3000);
  EXPECT_LE(number("PRAGMA freelist_count"), 256);
}

// Prints all figures and asserts the CPU time, which other load does not change.
TEST_F(HistoryTest, BlocksTheWriterForLessThanTwentyMilliseconds) {
  execute(
      "BEGIN; INSERT INTO jobs VALUES (1, 'shop', 'shop', 'web', '');"
      "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
      " INSERT INTO events (at, kind, job, run, data) SELECT i, 'run.ended', 1, 'run' || i,"
      " '{\"state\":\"completed\"}' FROM n;"
      "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
      " INSERT INTO contents (hash, size, zstd) SELECT randomblob(16), 100, randomblob(1500) FROM "
      "n;"
      "INSERT INTO versions (page, run, at, content, is_between) SELECT 1 + id % 500, 1, id, id,"
      " id > 500 AND id <= 19500 FROM contents ORDER BY id;"
      "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 200)"
      " INSERT INTO runs (id, job, state, trigger_kind, attempt, revision, started_at, ended_at,"
      " open_tasks) SELECT 'run' || i, 1, 'completed', 'manual', 1, '', i, i, 0 FROM n;"
      "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 100)"
      " INSERT INTO tasks (run, number, state, token, attempt, url) SELECT r.number, i, 3, 1, 1,"
      " 'http://a/some/page/' || i FROM runs r, n;"
      "INSERT INTO traces SELECT run, number, randomblob(120) FROM tasks;"
      "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
      " INSERT INTO prices (job, item, field, at, amount, amount_number, currency) SELECT 1, i % "
      "100,"
      " 'price', i, '1', 1, 'EUR' FROM n; COMMIT");
  execute("PRAGMA wal_checkpoint(TRUNCATE)");  // the rows' own WAL is not part of the measurement
  sweep(request(HistoryClass::traces, day(500)));
  EXPECT_EQ(number("SELECT count(*) FROM traces"), 0);
  std::int64_t removed = 0;
  for (const auto what :
       {HistoryClass::versions, HistoryClass::runs, HistoryClass::events, HistoryClass::prices})
    removed += sweep(request(what, day(500)));
  while (*run_async(store_->release_space())) {
  }
  EXPECT_EQ(removed, 19'000 + 199 + 20'000 + 20'000);
  EXPECT_EQ(number("SELECT count(*) FROM tasks"), 100);
  const BatchFigures figures = store_->maintenance_figures();
  std::cout << "batches " << figures.batches << ", longest " << figures.longest.count()
            << " us, CPU time " << figures.longest_cpu.count() << " us\n";
  RecordProperty("longest_us", static_cast<int>(figures.longest.count()));
  EXPECT_GT(figures.batches, 10);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  EXPECT_LT(figures.longest_cpu, 4 * BatchPacer::kLongestHold);  // allows for slower builds
#else
  EXPECT_LT(figures.longest_cpu, BatchPacer::kLongestHold);
#endif
}

TEST_F(HistoryTest, KeepsNotesAndRecordsTheirEvents) {
  EXPECT_EQ(*run_async(store_->find_note("storage.level")), std::nullopt);
  Note note{"storage.level", "warning", "storage.warning", {{"used", "8"}}};
  ASSERT_TRUE(run_async(store_->put_note(note, day(1))));
  open();
  EXPECT_EQ(*run_async(store_->find_note("storage.level")), "warning");
  EXPECT_EQ(number("SELECT count(*) FROM events WHERE kind = 'storage.warning' AND job IS NULL"),
            1);
}

}  // namespace

}  // namespace heddle::store
