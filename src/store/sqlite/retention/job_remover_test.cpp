#include "store/sqlite/retention/job_remover.hpp"

#include "store/sqlite/retention/history_for_test.hpp"
#include "store/sqlite/retention/orphan_rows.hpp"
#include "store/sqlite/sqlite_reader.hpp"

namespace heddle::store {

namespace {

using ::testing::IsEmpty;

class JobRemoverTest : public HistoryFixture {};

TEST_F(JobRemoverTest, HidesADeletedJobImmediately) {
  store_page("r1", {"a", "b"}, "body", day(1));
  store_page("r2", {"a"}, "body", day(1), "other");
  delete_job("shop");
  auto reader = SqliteReader::open(file());
  ASSERT_TRUE(reader);
  EXPECT_EQ((*reader)->jobs()->size(), 1u);
  EXPECT_THAT(*(*reader)->runs(JobId{"shop"}, 10), IsEmpty());
  const auto events = (*reader)->events(0, 100);
  ASSERT_TRUE(events);
  EXPECT_FALSE(events->empty());
  for (const StoredEvent& event : *events)
    EXPECT_TRUE(event.job.text == "other" || event.kind == "job.deleted") << event.kind;
}

TEST_F(JobRemoverTest, StoresEverythingAgainForARecreatedJob) {
  EXPECT_EQ(store_page("r1", {"a", "b"}, "body", day(1)), 2);
  delete_job("shop");
  EXPECT_EQ(store_page("r2", {"a", "b"}, "body", day(2)), 2)
      << "while the old rows are still there";
  finish_deletions();
  EXPECT_EQ(store_page("r3", {"a", "b"}, "body", day(3)), 0);
  EXPECT_EQ(number("SELECT count(*) FROM items"), 2);
  delete_job("shop");
  finish_deletions();
  EXPECT_EQ(store_page("r4", {"a", "b"}, "body", day(4)), 2);
}

TEST_F(JobRemoverTest, RemovesEveryRowOfADeletedJob) {
  store_page("r1", {"a", "b"}, "body", day(1));
  store_page("r2", {"a"}, "body 2", day(2));
  store_page("r3", {"a"}, "body 3", day(3), "other");
  sweep(request(HistoryClass::runs, day(2)));
  execute(
      "INSERT INTO outbox (id, job, run, kind, payload, state, attempts, created_at, due_at)"
      " VALUES ('m', 1, '', 'webhook', '{}', 0, 0, 1, 1);"
      "INSERT INTO prices (job, field, at) VALUES (1, 'price', 1);"
      "INSERT INTO price_days VALUES (1, 0, 0, 'price', '', 1, 1, 1, 1, 1);"
      "INSERT INTO absences (job, item, page, readings_left) VALUES (1, 1, 1, 1), (1, 2, 1, 2);"
      "INSERT INTO changes (job, run, at, kind, significance) VALUES (1, 1, 1, 'x', 1);"
      "INSERT INTO listings VALUES (1, x'0011', 1), (1, x'0011', 2), (2, x'0011', 3);"
      "INSERT INTO dead_letters (origin, job, run, payload, error_kind, error, attempts,"
      " first_failed_at, last_failed_at) VALUES ('page', 1, '', 'x', 'x', 'x', 1, 1, 1)");
  delete_job("shop");
  EXPECT_THAT(*run_async(store_->due_deliveries(day(5), 10)), IsEmpty());
  finish_deletions();
  EXPECT_EQ(number("SELECT count(*) FROM listings"), 1);
  for (const char* table :
       {"runs", "pages", "items", "seen_keys", "listings", "absences", "changes", "prices",
        "outbox", "price_days", "run_days", "dead_letters", "events"})
    EXPECT_EQ(number(std::string("SELECT count(*) FROM ") + table + " WHERE job = 1"), 0) << table;
  EXPECT_EQ(number("SELECT count(*) FROM jobs"), 1);
  EXPECT_EQ(number("SELECT count(*) FROM versions"), 1);
  EXPECT_EQ(number("SELECT count(*) FROM contents"), 1);
  auto db = Connection::open(file(), {.read_only = true});
  EXPECT_THAT(*find_orphan_rows(**db), IsEmpty());
}

TEST_F(JobRemoverTest, RemovesUrlsThatNoOtherJobUses) {
  store_link("r1", "http://a/own", "http://a/led");
  store_link("r2", "http://a/own", "http://a/led/elsewhere");  // items may name the former
  store_link("r3", "http://a/shared", "http://a/shared");
  store_link("r4", "http://b/", "http://a/shared", "other");
  EXPECT_EQ(number("SELECT count(*) FROM urls"), 5);
  delete_job("shop");
  finish_deletions();
  EXPECT_EQ(number("SELECT count(*) FROM urls"), 2);
  EXPECT_EQ(number("SELECT count(*) FROM urls WHERE url IN ('http://b/', 'http://a/shared')"), 2);
  EXPECT_EQ(number("SELECT count(*) FROM url_uses"), 2);
  delete_job("other");
  finish_deletions();
  EXPECT_EQ(number("SELECT count(*) FROM urls"), 0);
  EXPECT_EQ(number("SELECT count(*) FROM url_uses"), 0);
}

TEST_F(JobRemoverTest, KeepsTheUrlOfAnItemWhosePageWasSkipped) {
  heddle::Run run;
  run.id = {"r1"};
  run.job = {"shop"};
  ASSERT_TRUE(run_async(store_->begin_run(run, {"http://a/"})));
  auto batch = run_async(store_->lease_tasks({"r1"}, 1, day(1)));
  PageResult page;
  page.lease = batch->leases.front();
  page.job = {"shop"};
  page.outcome = TaskState::skipped;
  page.new_items.push_back({hash128("a"), {{{"title", "a"}}, {}, {}}});
  ASSERT_TRUE(run_async(store_->commit(std::move(page))));
  ASSERT_TRUE(run_async(store_->end_run({"r1"}, RunState::completed, {}, day(1))));
  store_page("r2", {"a"}, "body", day(1), "other");  // the same url
  delete_job("other");
  finish_deletions();
  EXPECT_EQ(number("SELECT count(*) FROM items i JOIN urls u ON u.id = i.url"), 1);
}

TEST_F(JobRemoverTest, RemovesManyUrlsInShortBatches) {
  store_page("r1", {"a"}, "body", day(1));
  execute(
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)"
      " INSERT INTO urls (id, hash, url) SELECT 1000 + i, i, 'http://a/' || i FROM n;"
      "INSERT INTO url_uses (job, url) SELECT 1, id FROM urls WHERE id > 1000");
  delete_job("shop");
  const auto before = store_->maintenance_figures().batches;
  finish_deletions();
  EXPECT_EQ(number("SELECT count(*) FROM urls"), 0);
  EXPECT_GT(store_->maintenance_figures().batches, before + 10);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr int kSlowerBuild = 4;
#else
  constexpr int kSlowerBuild = 1;
#endif
  EXPECT_LT(store_->maintenance_figures().longest_cpu, kSlowerBuild * BatchPacer::kLongestHold);
}

TEST_F(JobRemoverTest, ResumesADeletionAfterARestart) {
  store_page("r1", {"a"}, "body", day(1));
  delete_job("shop");
  open();
  finish_deletions();
  EXPECT_EQ(number("SELECT count(*) FROM jobs"), 0);
  EXPECT_EQ(number("SELECT count(*) FROM items"), 0);
}

TEST_F(JobRemoverTest, NeverReusesTheNumberOfADeletedJob) {
  store_page("r1", {"a"}, "body", day(1));
  delete_job("shop");
  finish_deletions();
  store_page("r2", {"a"}, "body", day(1), "other");
  EXPECT_EQ(number("SELECT number FROM jobs"), 2);
}

TEST_F(JobRemoverTest, RefusesToDeleteAJobWithAnUnfinishedRun) {
  heddle::Run run;
  run.id = {"open"};
  run.job = {"shop"};
  ASSERT_TRUE(run_async(store_->begin_run(run, {"http://a/1"})));
  auto refused = run_async(store_->begin_deletion(JobId{"shop"}, day(1)));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  auto unknown = run_async(store_->begin_deletion(JobId{"unknown"}, day(1)));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::not_found);
}

}  // namespace

}  // namespace heddle::store
