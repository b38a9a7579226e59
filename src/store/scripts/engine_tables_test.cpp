#include "store/scripts/script_database_for_test.hpp"
#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/store_contract_for_test.hpp"

namespace heddle::store::testing {

namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Two jobs with data; everything of the other one has "secret" in it.
class EngineTables : public ScriptDatabaseTest {
 protected:
  void SetUp() override {
    open_engine();
    store_page("shop", "http://shop/", at(1000), {1, 2});
    store_page("shop", "http://shop/", at(2000), {2, 3});
    store_page("other", "http://secret/", at(1500), {9});
    store_.reset();
    auto db = Connection::open(engine_file_, {});
    ASSERT_TRUE(db);
    ASSERT_TRUE((*db)->execute(
        "INSERT INTO changes (job, run, page, item, at, kind, field, before, after, significance)"
        " VALUES (1, 1, 1, 1, 1100, 'changed', 'title', 'a', 'b', 7),"
        " (2, 3, 2, 4, 1600, 'changed', 'title', 'secret', 'secret2', 9);"
        "INSERT INTO prices (job, page, item, field, at, amount, amount_number, currency, stock)"
        " VALUES (1, 1, 1, 'price', 1200, '9.99', 9.99, 'EUR', NULL),"
        " (2, 2, 4, 'price', 1700, '1', 1, 'secret', NULL)"));
    ScriptDatabaseTest::SetUp();
  }

  void open_engine() {
    auto store = SqliteStore::open(engine_file_);
    ASSERT_TRUE(store) << store.error().message;
    store_ = std::move(*store);
  }

  void store_page(const std::string& job, const std::string& url, WallTime when,
                  const std::vector<std::uint64_t>& numbers) {
    heddle::Run run;
    run.id = {"run" + std::to_string(++runs_)};
    run.job = {job};
    ASSERT_TRUE(run_async(store_->begin_run(run, {url})));
    auto batch = run_async(store_->lease_tasks(run.id, 1, when));
    PageResult page;
    page.lease = batch->leases.at(0);
    page.job = {job};
    page.final_url = url;
    page.fetched_at = when;
    page.http_status = 200;
    for (const std::uint64_t number : numbers) {
      KeyedItem found = item(number);
      if (job == "other") found.item.fields[0].second = "secret";
      page.keys.push_back(found.key);
      page.new_items.push_back(std::move(found));
    }
    ASSERT_TRUE(run_async(store_->commit(std::move(page))));
  }

  std::unique_ptr<Store> store_;
  int runs_ = 0;
};

TEST_F(EngineTables, ShowTheJobsOwnRecords) {
  EXPECT_EQ(query("SELECT job_id, rev_ts, json FROM records ORDER BY rev_ts, rowid"),
            R"(shop,1000,{"title":"item 1"};shop,1000,{"title":"item 2"};)"
            R"(shop,2000,{"title":"item 3"})");
  EXPECT_EQ(query_as(kOther, "SELECT * FROM records"), R"(other,1500,{"title":"secret"})");
  EXPECT_EQ(query_as({"unknown"}, "SELECT count(*) FROM records"), "0");
  EXPECT_EQ(query_as({""}, "SELECT count(*) FROM records"), "0");
}

TEST_F(EngineTables, ShowWhenItemsWereSeen) {
  EXPECT_EQ(query("SELECT id, run_id, url, first_seen, last_seen, state FROM items"),
            "1,run1,http://shop/,1000,1000,left;2,run1,http://shop/,1000,2000,present;"
            "3,run2,http://shop/,2000,2000,present");
  EXPECT_EQ(query("SELECT json_extract(fields, '$.title') FROM items WHERE state = 'left'"),
            "item 1");
}

TEST_F(EngineTables, ShowChangesAndPrices) {
  EXPECT_EQ(query("SELECT id, run_id, at, url, item, kind, field, before, after, significance"
                  " FROM changes"),
            "1,run1,1100,http://shop/,1,changed,title,a,b,7");
  EXPECT_EQ(query("SELECT id, at, url, item, field, amount, amount_number, currency, stock"
                  " FROM prices"),
            "1,1200,http://shop/,1,price,9.99,~9.990000,EUR,NULL");
}

TEST_F(EngineTables, AreFilteredAndOrdered) {
  EXPECT_EQ(query("SELECT id FROM items WHERE first_seen > 1000"), "3");
  EXPECT_EQ(query("SELECT id FROM items WHERE first_seen = 1000 AND id <> 1"), "2");
  EXPECT_EQ(query("SELECT id FROM items WHERE first_seen < 2000 ORDER BY first_seen DESC"), "2;1");
  EXPECT_EQ(query("SELECT id FROM items WHERE first_seen BETWEEN 999.5 AND 1000.5"), "1;2");
  EXPECT_EQ(query("SELECT id FROM items WHERE first_seen >= '2000'"), "3");
  EXPECT_EQ(query("SELECT count(*) FROM items WHERE first_seen > 'x'"), "0");
  EXPECT_EQ(query("SELECT count(*) FROM items WHERE first_seen > NULL"), "0");
  EXPECT_EQ(query("SELECT id FROM items WHERE id = 2"), "2");
  EXPECT_EQ(query("SELECT id FROM items WHERE id = 2.0"), "2");
  EXPECT_EQ(query("SELECT id FROM items WHERE rowid IN (1, 3, 4, 77)"), "1;3");
  EXPECT_EQ(query("SELECT id FROM items ORDER BY first_seen DESC, id LIMIT 2"), "3;1");
  EXPECT_EQ(query("SELECT p.amount FROM items i JOIN prices p ON p.item = i.id"), "9.99");
  EXPECT_EQ(query("WITH recent AS (SELECT * FROM records) SELECT count(*) FROM recent"), "3");
}

TEST_F(EngineTables, MayBeCopiedIntoTablesOfTheScript) {
  EXPECT_EQ(exec("CREATE TABLE mine AS SELECT * FROM records"), "0");
  EXPECT_EQ(exec("INSERT INTO mine SELECT * FROM records"), "3");
  EXPECT_EQ(query("SELECT count(*) FROM mine"), "6");
}

TEST_F(EngineTables, ShowNewlyStoredRows) {
  EXPECT_EQ(query("SELECT count(*) FROM items"), "3");
  open_engine();
  store_page("shop", "http://shop/", at(5000), {1, 2, 3, 5});
  EXPECT_EQ(query("SELECT count(*) FROM items"), "4");
}

TEST_F(EngineTables, AreEmptyUntilTheEngineHasStoredSomething) {
  db_.reset();
  for (const char* name : {"heddle.db", "heddle.db-wal", "heddle.db-shm"})
    std::filesystem::remove(folder_.path() / name);
  open();
  for (const char* table : {"records", "items", "changes", "prices"})
    EXPECT_EQ(query(std::string("SELECT count(*) FROM ") + table), "0");
  EXPECT_FALSE(std::filesystem::exists(engine_file_));
  open_engine();
  store_page("shop", "http://shop/", at(5000), {1});
  EXPECT_EQ(query("SELECT count(*) FROM records"), "1");
}

TEST_F(EngineTables, CannotBeChanged) {
  for (const char* sql :
       {"INSERT INTO records VALUES ('shop', 1, '{}')", "DELETE FROM items",
        "UPDATE changes SET kind = 'x'", "DROP TABLE records", "DROP TABLE temp.items",
        "ALTER TABLE prices RENAME TO p", "CREATE INDEX i ON records (json)",
        "CREATE TRIGGER t INSTEAD OF INSERT ON records BEGIN SELECT 1; END"})
    EXPECT_THAT(exec(sql), StartsWith("error")) << sql;
  EXPECT_EQ(query("SELECT count(*) FROM records"), "3");
}

TEST_F(EngineTables, CannotBeShadowed) {
  exec("CREATE TABLE t (a)");
  for (const char* sql :
       {"CREATE TABLE records (a)", "CREATE TABLE main.Records (a)",
        "CREATE VIEW items AS SELECT 1", "CREATE TEMP TABLE records (a)",
        "CREATE TEMP VIEW records AS SELECT 1", "ALTER TABLE t RENAME TO records",
        "ALTER TABLE t RENAME TO [ITEMS]", "CREATE VIRTUAL TABLE changes USING fts5(a)",
        "CREATE TABLE heddle_mine (a)", "ALTER TABLE t RENAME TO heddle_mine",
        "ALTER TABLE t RENAME TO \"Heddle_mine\""})
    EXPECT_THAT(exec(sql), StartsWith("error")) << sql;
  EXPECT_EQ(query("SELECT name FROM sqlite_master WHERE type = 'table'"), "heddle_values;t");
  EXPECT_EQ(query_as(kOther, "SELECT count(*) FROM records"), "1");
}

// Attempts to read the other job's data; none may show "secret".
TEST_F(EngineTables, ShowNothingOfOtherJobs) {
  for (const char* sql :
       {"SELECT * FROM records WHERE job_id = 'other'",
        "SELECT * FROM records WHERE 1 OR job_id = 'other'",
        "SELECT * FROM items WHERE rowid = 4",
        "SELECT * FROM items WHERE id IN (1, 4)",
        "SELECT * FROM items WHERE id >= 0",
        "SELECT * FROM items WHERE first_seen = 1500",
        "SELECT * FROM changes",
        "SELECT * FROM prices",
        "SELECT * FROM temp.items",
        "SELECT * FROM main.items",
        "SELECT * FROM heddle.items",
        "SELECT * FROM engine.items",
        "SELECT * FROM jobs",
        "SELECT * FROM main.jobs",
        "SELECT * FROM runs",
        "SELECT * FROM temp.jobs",
        "SELECT * FROM outbox",
        "SELECT * FROM pages",
        "SELECT * FROM heddle_engine",
        "SELECT * FROM heddle_engine('items')",
        "SELECT * FROM records('other')",
        "SELECT * FROM items(2)",
        "WITH items AS (SELECT * FROM main.items) SELECT * FROM items",
        "WITH heddle_items AS (SELECT * FROM temp.items WHERE id = 4) SELECT * FROM heddle_items",
        "SELECT * FROM sqlite_master",
        "SELECT * FROM sqlite_temp_master",
        "SELECT * FROM temp.sqlite_schema",
        "SELECT * FROM items UNION SELECT * FROM items",
        "SELECT * FROM items a JOIN items b ON a.id = b.id + 1",
        "SELECT (SELECT group_concat(json) FROM records)",
        "SELECT * FROM items WHERE id = (SELECT 4)",
        "SELECT * FROM items ORDER BY first_seen DESC LIMIT 1 OFFSET 3",
        "SELECT * FROM pragma_database_list",
        "SELECT * FROM pragma_table_list",
        "SELECT * FROM pragma_table_info('items')",
        "SELECT * FROM dbstat",
        "SELECT * FROM sqlite_dbpage",
        "EXPLAIN SELECT * FROM items",
        "EXPLAIN QUERY PLAN SELECT * FROM items"})
    EXPECT_THAT(query(sql), Not(HasSubstr("secret"))) << sql;
}

TEST_F(EngineTables, CannotBeReadByTriggersOfOtherJobs) {
  exec_as(kShop, "CREATE TABLE loot (a)");
  exec_as(kShop, "CREATE TABLE bait (a)");
  // What one job creates may be refused immediately, or when the other job's statement runs it.
  for (const char* trigger :
       {"CREATE TRIGGER t1 AFTER INSERT ON bait BEGIN INSERT INTO loot SELECT json FROM records; "
        "END",
        "CREATE TRIGGER t2 AFTER INSERT ON bait BEGIN INSERT INTO loot SELECT * FROM (WITH items "
        "AS (SELECT json FROM temp.records) SELECT * FROM items); END",
        "CREATE TRIGGER t3 AFTER INSERT ON bait BEGIN UPDATE loot SET a = (SELECT "
        "group_concat(fields) FROM items); END",
        "CREATE TRIGGER t4 AFTER INSERT ON bait WHEN (SELECT count(*) FROM records WHERE json "
        "LIKE '%secret%') BEGIN INSERT INTO loot VALUES ('secret'); END"}) {
    exec_as(kShop, trigger);
    exec_as(kOther, "INSERT INTO bait VALUES (1)");
    EXPECT_EQ(query("SELECT count(*) FROM loot WHERE a LIKE '%secret%'"), "0") << trigger;
    for (const char* name : {"t1", "t2", "t3", "t4"})
      exec_as(kShop, std::string("DROP TRIGGER IF EXISTS ") + name);
  }
  EXPECT_EQ(exec_as(kOther, "INSERT INTO bait VALUES (1)"), "1");
}

TEST_F(EngineTables, CannotBeReadThroughFullTextIndexesOfOtherJobs) {
  exec("CREATE TABLE bait (a)");
  exec("CREATE VIRTUAL TABLE loot USING fts5(json, content='records')");
  const std::string created = exec(
      "CREATE TRIGGER t AFTER INSERT ON bait BEGIN INSERT INTO loot(loot) VALUES ('rebuild'); "
      "END");
  const std::string used = exec_as(kOther, "INSERT INTO bait VALUES (1)");
  EXPECT_TRUE(created.starts_with("error") || used.starts_with("error")) << created << ", " << used;
  EXPECT_THAT(exec_as(kOther, "INSERT INTO loot(loot) VALUES ('rebuild')"), StartsWith("error"));
  exec("CREATE VIRTUAL TABLE words USING fts5vocab('loot', 'row')");
  EXPECT_THAT(query("SELECT count(*) FROM loot WHERE loot MATCH 'secret'"), Not(HasSubstr("1")));
  EXPECT_THAT(query("SELECT * FROM words"), Not(HasSubstr("secret")));
  EXPECT_THAT(query("SELECT hex(block) FROM loot_data"), Not(HasSubstr("736563726574")));
}

TEST_F(EngineTables, CannotBeReadThroughViews) {
  EXPECT_THAT(exec("CREATE VIEW v AS SELECT * FROM records"), HasSubstr("views and triggers"));
  EXPECT_THAT(query("SELECT * FROM v"), StartsWith("error"));
}

// Such a view or trigger could not be used, and no table could be renamed while it exists.
TEST_F(EngineTables, CannotBeNamedInViewsAndTriggers) {
  exec("CREATE TABLE t (a, \"b \"\" c\")");
  exec("CREATE VIEW own AS SELECT a FROM t");
  for (const char* sql :
       {"CREATE VIEW v AS SELECT 1 FROM t WHERE a IN (SELECT job_id FROM items)",
        "CREATE VIEW \"v \"\" w\" AS SELECT * FROM own, main.t, prices",
        "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO t (a) SELECT json FROM records; END",
        "CREATE TRIGGER r AFTER DELETE ON t BEGIN SELECT * FROM changes; END",
        "CREATE TRIGGER r AFTER UPDATE OF \"b \"\" c\" ON t BEGIN SELECT * FROM changes; END",
        "CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM items; END",
        "CREATE TRIGGER r INSTEAD OF DELETE ON own BEGIN SELECT * FROM items; END"})
    EXPECT_THAT(exec(sql), HasSubstr("views and triggers cannot use the engine's tables")) << sql;
  EXPECT_EQ(exec("CREATE VIEW later AS SELECT * FROM not_yet_there"), "0");
  EXPECT_EQ(exec("DROP VIEW later"), "0");
  EXPECT_EQ(
      exec("CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT items FROM (SELECT 1 AS items); END"),
      "0");
  EXPECT_EQ(exec("ALTER TABLE t RENAME TO u"), "0");
}

TEST_F(EngineTables, StayUsableDuringConcurrentSchemaChanges) {
  auto elsewhere = ScriptDatabase::open(file_, {});
  ASSERT_TRUE(elsewhere);
  for (int i = 0; i < 50; ++i) {
    const auto made =
        run_async((*elsewhere)->exec(kOther, "CREATE TABLE t" + std::to_string(i) + " (a)", {}));
    ASSERT_TRUE(made) << made.error().message;
    ASSERT_EQ(query("SELECT count(*) FROM records"), "3");
    ASSERT_EQ(query("SELECT count(*) FROM t" + std::to_string(i)), "0");
  }
}

TEST_F(EngineTables, CountTowardsTheTimeOfAStatement) {
  open({.statement_limit = std::chrono::milliseconds(200)});
  EXPECT_THAT(query("SELECT count(*) FROM items a, items b, items c, items d, items e, items f, "
                    "items g, items h, items i, items j, items k, items l, items m, items n"),
              HasSubstr("took longer than 200ms"));
}

TEST_F(EngineTables, ReportAnUnreadableEngineFile) {
  db_.reset();
  folder_.write("heddle.db", std::string(20'000, 'x'));
  for (const char* name : {"heddle.db-wal", "heddle.db-shm"})
    std::filesystem::remove(folder_.path() / name);
  open();
  EXPECT_THAT(query("SELECT * FROM records"), HasSubstr("heddle.db"));
  EXPECT_EQ(query("SELECT 1"), "1");
}

}  // namespace

}  // namespace heddle::store::testing
