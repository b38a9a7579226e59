// Statements of hostile scripts: none may access other data, hang or exhaust the process.
#include <future>
#include <thread>

#include <fmt/format.h>
#include <sqlite3.h>

#include "store/scripts/script_database_for_test.hpp"

namespace heddle::store::testing {

namespace {

using namespace std::chrono_literals;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class HostileSql : public ScriptDatabaseTest {
 protected:
  void SetUp() override {
    ScriptDatabaseTest::SetUp();
    ASSERT_TRUE(run_async(db_->set(kOther, "password", "secret")));
  }
  [[nodiscard]] std::string kept() {
    auto value = run_async(db_->get(kOther, "password"));
    return value ? value->value_or("nothing") : value.error().message;
  }
};

class RefusedSql : public HostileSql, public ::testing::WithParamInterface<const char*> {};

TEST_P(RefusedSql, IsRefusedAndChangesNothing) {
  exec("CREATE TABLE t (a, b)");
  EXPECT_THAT(query(GetParam()), StartsWith("error: "));
  EXPECT_THAT(exec(GetParam()), StartsWith("error: "));
  EXPECT_EQ(kept(), "secret");
  EXPECT_EQ(query("SELECT count(*) FROM t"), "0");
  EXPECT_EQ(query("SELECT count(*) FROM sqlite_schema"), "3");
}

INSTANTIATE_TEST_SUITE_P(
    OtherFiles, RefusedSql,
    ::testing::Values("ATTACH 'heddle.db' AS x", "ATTACH DATABASE '/tmp/x.db' AS x",
                      "ATTACH ':memory:' AS x", "ATTACH '' AS x", "DETACH main", "VACUUM",
                      "VACUUM INTO 'stolen.db'", "SELECT load_extension('x')",
                      "SELECT load_extension('x', 'y')", "SELECT readfile('/etc/passwd')",
                      "SELECT writefile('/tmp/x', 'y')", "SELECT edit('x')",
                      "SELECT fts3_tokenizer('simple')", "SELECT sqlite_log(1, 'x')",
                      "CREATE VIRTUAL TABLE x USING csv(filename='/etc/passwd')",
                      "CREATE VIRTUAL TABLE x USING zipfile('/tmp/x')",
                      "SELECT * FROM fsdir('/etc')"));

INSTANTIATE_TEST_SUITE_P(
    Settings, RefusedSql,
    ::testing::Values("PRAGMA writable_schema=ON", "PRAGMA trusted_schema=ON",
                      "PRAGMA journal_mode=DELETE", "PRAGMA synchronous=OFF",
                      "PRAGMA max_page_count=100000000", "PRAGMA user_version=7",
                      "PRAGMA application_id=7", "PRAGMA temp_store_directory='/tmp'",
                      "PRAGMA data_store_directory='/tmp'", "PRAGMA database_list",
                      "PRAGMA mmap_size=1000000000", "PRAGMA cache_size=1000000000",
                      "PRAGMA hard_heap_limit=1", "PRAGMA locking_mode=EXCLUSIVE",
                      "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA foreign_keys=ON",
                      "PRAGMA schema_version=9", "PRAGMA encoding='UTF-16'",
                      "PRAGMA integrity_check", "PRAGMA optimize", "PRAGMA busy_timeout=0",
                      "SELECT * FROM pragma_database_list", "ANALYZE", "ANALYZE heddle_values"));

INSTANTIATE_TEST_SUITE_P(Transactions, RefusedSql,
                         ::testing::Values("BEGIN", "BEGIN EXCLUSIVE", "COMMIT", "END", "ROLLBACK",
                                           "SAVEPOINT x", "RELEASE x", "ROLLBACK TO x", "begin;"));

INSTANTIATE_TEST_SUITE_P(
    Internals, RefusedSql,
    ::testing::Values(
        "SELECT * FROM heddle_values", "SELECT count(*) FROM heddle_values",
        "SELECT * FROM main.HEDDLE_VALUES", "SELECT 1 FROM \"heddle_values\"",
        "SELECT rowid FROM [heddle_values]", "SELECT EXISTS (SELECT 1 FROM heddle_values)",
        "WITH x AS (SELECT * FROM heddle_values) SELECT * FROM x",
        "WITH heddle_values AS (SELECT * FROM main.heddle_values) SELECT * FROM heddle_values",
        "INSERT INTO t SELECT owner, value FROM heddle_values",
        "CREATE TABLE x AS SELECT * FROM heddle_values",
        "INSERT INTO heddle_values VALUES ('other', 'password', 'x')",
        "UPDATE heddle_values SET value = 'x'", "DELETE FROM heddle_values",
        "REPLACE INTO heddle_values VALUES ('other', 'password', 'x')", "DROP TABLE heddle_values",
        "ALTER TABLE heddle_values RENAME TO mine", "ALTER TABLE heddle_values ADD COLUMN x",
        "ALTER TABLE heddle_values DROP COLUMN value",
        "ALTER TABLE heddle_values RENAME COLUMN value TO x",
        "CREATE INDEX i ON heddle_values (value)", "CREATE INDEX heddle_i ON t (a)",
        "CREATE TRIGGER x AFTER INSERT ON heddle_values BEGIN SELECT 1; END",
        "CREATE TEMP TRIGGER x AFTER INSERT ON heddle_values BEGIN SELECT 1; END",
        "CREATE TEMP TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END", "CREATE TEMP TABLE x (a)",
        "CREATE TEMP VIEW x AS SELECT 1", "CREATE TABLE temp.x (a)",
        "UPDATE t SET a = (SELECT value FROM heddle_values)",
        "SELECT * FROM t WHERE a IN (SELECT value FROM heddle_values)",
        "SELECT * FROM t WHERE a IN heddle_values", "SELECT * FROM t, heddle_values",
        "INSERT INTO t (a) VALUES (1) RETURNING (SELECT value FROM heddle_values)",
        "INSERT INTO t VALUES ((SELECT value FROM heddle_values), 1)",
        "SELECT * FROM pragma_table_info('heddle_values')", "PRAGMA table_info(heddle_values)",
        "PRAGMA index_list('Heddle_Values')"));

INSTANTIATE_TEST_SUITE_P(
    Schema, RefusedSql,
    ::testing::Values("DELETE FROM sqlite_master", "UPDATE sqlite_master SET sql = 'x'",
                      "INSERT INTO sqlite_master VALUES ('table', 'x', 'x', 2, 'x')",
                      "UPDATE sqlite_schema SET rootpage = 2 WHERE name = 't'",
                      "DROP TABLE sqlite_master", "CREATE TABLE sqlite_x (a)",
                      "DELETE FROM temp.sqlite_master", "INSERT INTO sqlite_stat1 VALUES (1, 1, 1)",
                      "SELECT * FROM dbstat", "SELECT * FROM sqlite_stmt",
                      "SELECT * FROM sqlite_dbpage", "SELECT * FROM bytecode('SELECT 1')",
                      "CREATE VIRTUAL TABLE x USING dbstat",
                      "CREATE VIRTUAL TABLE x USING rtree(a,b,c)",
                      "CREATE VIRTUAL TABLE x USING fts4(a)",
                      "CREATE VIRTUAL TABLE x USING heddle_engine"));

TEST_F(HostileSql, FindsNoKeysThroughAFullTextIndexOnThem) {
  exec("CREATE VIRTUAL TABLE f USING fts5(value, content='heddle_values')");
  EXPECT_THAT(query("SELECT * FROM f"), Not(HasSubstr("secret")));
  EXPECT_THAT(exec("INSERT INTO f(f) VALUES ('rebuild')"), StartsWith("error"));
  EXPECT_THAT(query("SELECT hex(block) FROM f_data"), Not(HasSubstr("736563726574")));
}

TEST_F(HostileSql, FindsNoKeysThroughTriggersAndViews) {
  exec("CREATE TABLE t (a)");
  exec("CREATE VIEW v AS SELECT * FROM heddle_values");
  EXPECT_THAT(query("SELECT * FROM v"), StartsWith("error"));
  exec("CREATE TRIGGER x AFTER INSERT ON t BEGIN UPDATE heddle_values SET value = 'x'; END");
  EXPECT_THAT(exec("INSERT INTO t VALUES (1)"), StartsWith("error"));
  EXPECT_EQ(kept(), "secret");
}

TEST_F(HostileSql, CannotCorruptTheShadowTablesOfAFullTextIndex) {
  exec("CREATE VIRTUAL TABLE f USING fts5(a)");
  EXPECT_THAT(exec("UPDATE f_data SET block = zeroblob(100)"), StartsWith("error"));
  EXPECT_THAT(exec("DROP TABLE f_data"), StartsWith("error"));
}

TEST_F(HostileSql, CannotMakeHugeValues) {
  for (const char* sql :
       {"SELECT zeroblob(2000000000)", "SELECT randomblob(1000000000)",
        "SELECT hex(zeroblob(16000000))",
        "SELECT replace(hex(zeroblob(100000)), '0', hex(zeroblob(100000)))",
        "WITH RECURSIVE x(t) AS (SELECT 'aaaaaaaa' UNION ALL SELECT t || t FROM x) "
        "SELECT max(length(t)) FROM x",
        "SELECT group_concat(t) FROM (WITH RECURSIVE x(t) AS (SELECT hex(zeroblob(1000000)) UNION "
        "ALL SELECT t FROM x LIMIT 100) SELECT t FROM x)"})
    EXPECT_THAT(query(sql), AnyOf(HasSubstr("larger than"), HasSubstr("took longer"))) << sql;
}

TEST_F(HostileSql, CannotExhaustMemoryByAggregation) {
  open({.max_statement_memory = 32u << 20});
  for (const char* sql :
       {"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        "SELECT json_group_array(hex(randomblob(1000))) FROM n",
        "WITH RECURSIVE n(i, t) AS (SELECT 1, randomblob(1000000) UNION ALL SELECT i + 1, "
        "randomblob(1000000) FROM n) SELECT count(*) FROM (SELECT DISTINCT t FROM n)",
        "WITH RECURSIVE n(i, t) AS (SELECT 1, randomblob(1000000) UNION ALL SELECT i + 1, "
        "randomblob(1000000) FROM n) SELECT t FROM n ORDER BY t LIMIT 1000"}) {
    sqlite3_memory_highwater(1);
    EXPECT_THAT(query(sql), StartsWith("error: ")) << sql;
    EXPECT_LT(sqlite3_memory_highwater(0), 128 << 20) << sql;
  }
}

TEST_F(HostileSql, CannotExhaustMemoryInOneStep) {
  limit_sqlite_memory(200 << 20);
  std::string sql = "SELECT count(*) FROM (SELECT randomblob(16000000) AS a0";
  for (int i = 1; i < 240; ++i) sql += fmt::format(", randomblob(16000000) AS a{}", i);
  sql += ")";
  std::string use = "SELECT length(a0)";
  for (int i = 1; i < 240; ++i) use += fmt::format("+length(a{})", i);
  sqlite3_memory_highwater(1);
  EXPECT_THAT(query(use + sql.substr(sql.find(" FROM"))), Not(StartsWith("error: \"")));
  EXPECT_THAT(query("SELECT " +
                    sql.substr(sql.find("randomblob"), sql.rfind(')') - sql.find("randomblob"))),
              StartsWith("error: "));
  EXPECT_LT(sqlite3_memory_highwater(0), 256 << 20);
  limit_sqlite_memory(0);
  EXPECT_EQ(query("SELECT 1"), "1");
}

TEST_F(HostileSql, CannotBlockTheThreadInsideAFunction) {
  open({.statement_limit = 1s});
  const auto start = std::chrono::steady_clock::now();
  for (const char* sql :
       {"SELECT instr(hex(zeroblob(8000000)), hex(zeroblob(4000000)) || '1')",
        "SELECT replace(hex(zeroblob(8000000)), hex(zeroblob(4000000)) || '1', 'x')",
        // A thousand at a time: ThreadSanitizer checks the rest of a text at each position.
        ("SELECT length(trim(hex(zeroblob(8000000)), replace(hex(zeroblob(1000000)), "
         "hex(zeroblob(500)), printf('%.1000c', 'b')) || '0'))"),
        "SELECT hex(zeroblob(8000000)) LIKE '%0%0%0%0%0%0%0%0%0%0%1'",
        "SELECT hex(zeroblob(8000000)) GLOB '*0*0*0*0*0*0*0*0*0*0*1'"})
    EXPECT_THAT(query(sql), AnyOf("0", StartsWith("error: took longer"), StartsWith("0")));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 60s);  // SQLite's own would take hours
}

TEST_F(HostileSql, CannotCopyTheDatabase) {
  for (const char* sql :
       {"VACUUM", "vacuum main INTO 'stolen.db'", " ; /* x */ -- y\n VACUUM INTO 'stolen.db'"})
    EXPECT_EQ(exec(sql),
              "error: scripts have one database: ATTACH, DETACH and VACUUM are not available");
}

TEST_F(HostileSql, CannotFormatWithHugeWidths) {
  for (const char* call :
       {"'%.*c', 2000000000, 'x'", "'%.2000000000c', 'x'", "'%*d', 2000000000, 1", "'%1001d', 1",
        "'%*d', -2000000000, 1", "'%.*f', 9000000000000000000, 1.0", "'%s %n %.*c', 1, 1001, 'x'",
        "'%-+010.99999999999999999999d', 1"}) {
    EXPECT_THAT(query(fmt::format("SELECT printf({})", call)), HasSubstr("above 1000")) << call;
    EXPECT_THAT(query(fmt::format("SELECT format({})", call)), HasSubstr("above 1000")) << call;
  }
}

TEST_F(HostileSql, CannotMergeHugeObjects) {
  SqlParams params;
  params.positional = {"{\"a\":\"" + std::string(200'000, 'x') + "\"}"};
  EXPECT_THAT(query("SELECT json_patch(?, '{}')", params), HasSubstr("larger than 100 KB"));
  EXPECT_THAT(query("SELECT json_patch('{}', ?)", params), HasSubstr("larger than 100 KB"));
}

TEST_F(HostileSql, CannotWriteStatementsWithoutEnd) {
  EXPECT_THAT(query("SELECT '" + std::string(2u << 20, 'x') + "'"), StartsWith("error"));
  EXPECT_THAT(query("SELECT " + std::string(5000, '(') + "1" + std::string(5000, ')')),
              StartsWith("error"));
  std::string sum = "SELECT 1";
  for (int i = 0; i < 3000; ++i) sum += "+1";
  EXPECT_THAT(query(sum), HasSubstr("too large"));
  std::string list = "SELECT 1";
  for (int i = 0; i < 1000; ++i) list += ",1";
  EXPECT_THAT(query(list), HasSubstr("too many columns"));
  EXPECT_THAT(query("SELECT 'a' LIKE '" + std::string(300, '%') + "'"), HasSubstr("too complex"));
  EXPECT_THAT(query("SELECT ?40000"), HasSubstr("variable number"));
}

TEST_F(HostileSql, CannotLoopInTriggers) {
  exec("CREATE TABLE t (a)");
  exec("CREATE TRIGGER x AFTER INSERT ON t BEGIN INSERT INTO t VALUES (new.a + 1); END");
  EXPECT_THAT(exec("INSERT INTO t VALUES (1)"), AnyOf("1", StartsWith("error")));
  EXPECT_THAT(query("SELECT count(*) FROM t"), AnyOf("0", "2"));
}

TEST_F(HostileSql, DoesNotBlockKeys) {
  open({.statement_limit = 2s});
  auto busy = std::async(std::launch::async, [&] {
    return query(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        "SELECT count(*) FROM n");
  });
  while (!db_->running()) std::this_thread::yield();
  ASSERT_TRUE(run_async(db_->set(kShop, "a", "1")));
  EXPECT_EQ(**run_async(db_->get(kShop, "a")), "1");
  EXPECT_TRUE(db_->running());
  EXPECT_THAT(busy.get(), HasSubstr("took longer than 2s"));
}

}  // namespace

}  // namespace heddle::store::testing
