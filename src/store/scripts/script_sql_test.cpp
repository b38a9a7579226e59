#include <thread>

#include "store/scripts/script_database_for_test.hpp"

namespace heddle::store::testing {

namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using ScriptSql = ScriptDatabaseTest;

TEST_F(ScriptSql, KeepsTablesForAllJobs) {
  EXPECT_EQ(exec("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)"), "0");
  EXPECT_EQ(exec("INSERT INTO t (name) VALUES ('a'), ('b')"), "2");
  EXPECT_EQ(query_as(kOther, "SELECT id, name FROM t ORDER BY id"), "1,a;2,b");
  EXPECT_EQ(exec_as(kOther, "UPDATE t SET name = 'c'"), "2");
  EXPECT_EQ(exec("DELETE FROM t WHERE id = 1"), "1");
  EXPECT_EQ(exec("DELETE FROM t WHERE id = 99"), "0");
  open();
  EXPECT_EQ(query("SELECT * FROM t"), "2,c");
}

TEST_F(ScriptSql, NamesColumnsInTheirOrder) {
  const auto rows = run_async(db_->query(kShop, "SELECT 1 AS z, 2 AS a, 3 AS m", {}));
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->columns, (std::vector<std::string>{"z", "a", "m"}));
}

TEST_F(ScriptSql, KeepsTheTypeOfEveryValue) {
  SqlParams params;
  params.positional = {std::monostate(),      true,
                       std::int64_t{1} << 60, 2.5,
                       std::string("text"),   std::string("\xff\0x", 3)};
  const auto rows = run_async(db_->query(
      kShop, "SELECT ?, ?, ?, ?, ?, ?6, typeof(?5), typeof(?6), length(?6)", std::move(params)));
  ASSERT_TRUE(rows) << rows.error().message;
  const auto& row = rows->rows.at(0);
  EXPECT_EQ(row[0], SqlValue(std::monostate()));
  EXPECT_EQ(row[1], SqlValue(std::int64_t{1}));
  EXPECT_EQ(row[2], SqlValue(std::int64_t{1} << 60));
  EXPECT_EQ(row[3], SqlValue(2.5));
  EXPECT_EQ(row[4], SqlValue(std::string("text")));
  EXPECT_EQ(row[5], SqlValue(std::string("\xff\0x", 3)));
  EXPECT_EQ(text_of(*rows).substr(text_of(*rows).size() - 11), "text,blob,3");
}

TEST_F(ScriptSql, KeepsEmptyAndBinaryStringsInTables) {
  exec("CREATE TABLE t (a, b)");
  const std::string with_nul("a\0b", 3);
  SqlParams params;
  params.positional = {std::string(), with_nul};
  EXPECT_EQ(exec("INSERT INTO t VALUES (?, ?)", params), "1");
  EXPECT_EQ(query("SELECT a IS NULL, a, b FROM t"), "0,," + with_nul);
}

TEST_F(ScriptSql, TakesNamedValues) {
  SqlParams params;
  params.named = {{"a", std::int64_t{1}}, {":b", std::string("x")}, {"$c", 1.5}};
  EXPECT_EQ(query("SELECT :a, @b, $c, :a + 1, :missing", params), "1,x,~1.500000,2,NULL");
  params.named = {{"typo", std::int64_t{1}}};
  EXPECT_THAT(query("SELECT :a", params), HasSubstr("no parameter :typo"));
  EXPECT_EQ(query("SELECT :a"), "NULL");
  params.named = {{"a", std::int64_t{1}}};
  EXPECT_THAT(query("SELECT :a, ?", params), HasSubstr("nameless"));
}

TEST_F(ScriptSql, CountsPositionalValues) {
  SqlParams params;
  params.positional = {std::int64_t{1}};
  EXPECT_THAT(query("SELECT ?, ?", params),
              AllOf(HasSubstr("2 parameters, 1 value was given"), HasSubstr("json_null")));
  EXPECT_THAT(query("SELECT 1", params), HasSubstr("0 parameters, 1 value was given"));
  params.named = {{"a", std::int64_t{1}}};
  EXPECT_THAT(query("SELECT ?", params), HasSubstr("not both"));
}

TEST_F(ScriptSql, ReturnsRowsOfChanges) {
  exec("CREATE TABLE t (id INTEGER PRIMARY KEY, n)");
  EXPECT_EQ(query("INSERT INTO t (n) VALUES (5), (6) RETURNING id, n"), "1,5;2,6");
  EXPECT_EQ(exec("UPDATE t SET n = n + 1 RETURNING n"), "2");
  EXPECT_EQ(query("DELETE FROM t RETURNING n"), "6;7");
  EXPECT_EQ(query("SELECT count(*) FROM t"), "0");
}

TEST_F(ScriptSql, TakesOneStatementPerCall) {
  exec("CREATE TABLE t (a)");
  EXPECT_EQ(query("SELECT 1;  \n -- the end\n /* really */ ; "), "1");
  EXPECT_EQ(query("-- first\nSELECT 1 -- no line end"), "1");
  EXPECT_EQ(query("SELECT 1 /* open"), "1");
  EXPECT_THAT(query("SELECT 1; SELECT 2"), HasSubstr("one statement per call"));
  EXPECT_THAT(exec("INSERT INTO t VALUES (1); DROP TABLE t"), HasSubstr("one statement per call"));
  EXPECT_THAT(query(""), HasSubstr("no statement"));
  EXPECT_THAT(query(" ; -- x"), HasSubstr("no statement"));
  EXPECT_THAT(query(std::string("SELECT 1\0; DROP TABLE t", 22)), HasSubstr("NUL"));
  EXPECT_EQ(query("SELECT count(*) FROM t"), "0");
}

TEST_F(ScriptSql, ReportsMistakesInSqlitesWords) {
  EXPECT_THAT(query("SELEC 1"), HasSubstr("near \"SELEC\": syntax error"));
  EXPECT_EQ(query("SELECT * FROM missing"), "error: no such table: missing");
  exec("CREATE TABLE t (a UNIQUE)");
  exec("INSERT INTO t VALUES (1)");
  EXPECT_EQ(exec("INSERT INTO t VALUES (1)"), "error: UNIQUE constraint failed: t.a");
  EXPECT_EQ(run_async(db_->query(kShop, "SELECT * FROM missing", {})).error().code,
            ErrorCode::bad_input);
}

TEST_F(ScriptSql, RollsBackAStatementThatFails) {
  exec("CREATE TABLE t (a UNIQUE)");
  EXPECT_THAT(exec("INSERT INTO t VALUES (1), (2), (1)"), StartsWith("error"));
  EXPECT_EQ(query("SELECT count(*) FROM t"), "0");
}

TEST_F(ScriptSql, StopsAStatementThatTakesTooLong) {
  open({.statement_limit = 200ms});
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(query("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                  "SELECT count(*) FROM n"),
            "error: took longer than 200ms and was stopped");
  EXPECT_LT(std::chrono::steady_clock::now() - start, 60s);
  EXPECT_EQ(query("SELECT 1"), "1");
}

TEST_F(ScriptSql, RollsBackAChangeThatTakesTooLong) {
  open({.statement_limit = 200ms});
  exec("CREATE TABLE t (a)");
  EXPECT_THAT(exec("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                   "INSERT INTO t SELECT i FROM n"),
              HasSubstr("took longer"));
  EXPECT_EQ(query("SELECT count(*) FROM t"), "0");
}

TEST_F(ScriptSql, RefusesResultsThatAreTooLarge) {
  open({.max_rows = 1000, .max_result_bytes = 1u << 20});
  const std::string numbers =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
      "LIMIT %) SELECT i, 1 FROM n";
  const auto first = [&](int count) {
    std::string sql = numbers;
    return sql.replace(sql.find('%'), 1, std::to_string(count));
  };
  EXPECT_THAT(query(first(1001)), AllOf(HasSubstr("more than 1000 rows"), HasSubstr("LIMIT")));
  EXPECT_THAT(query(first(1000)), StartsWith("1,1;2,1"));
  EXPECT_THAT(query("SELECT zeroblob(1000000), zeroblob(1000000)"),
              AllOf(HasSubstr("larger than 1 MB"), HasSubstr("LIMIT")));
}

TEST_F(ScriptSql, RollsBackAChangeWhoseResultIsTooLarge) {
  open({.max_rows = 1});
  exec("CREATE TABLE t (a)");
  EXPECT_THAT(query("INSERT INTO t VALUES (1), (2) RETURNING a"), HasSubstr("rows"));
  EXPECT_EQ(query("SELECT count(*) FROM t"), "0");
}

TEST_F(ScriptSql, StopsAtTheSizeLimitOfTheFile) {
  open({.max_file_bytes = 1 << 20});
  exec("CREATE TABLE t (a)");
  EXPECT_THAT(exec("INSERT INTO t VALUES (zeroblob(2000000))"), HasSubstr("size limit"));
  EXPECT_EQ(exec("INSERT INTO t VALUES (1)"), "1");
}

TEST_F(ScriptSql, WaitsForTheWritersOfOtherProcesses) {
  exec("CREATE TABLE t (n)");
  exec("INSERT INTO t VALUES (0)");
  auto other = ScriptDatabase::open(file_, {});
  ASSERT_TRUE(other);
  constexpr int kEach = 200;
  const auto count = [](ScriptDatabase& db) {
    for (int i = 0; i < kEach; ++i) {
      const auto done = run_async(db.exec(kShop, "UPDATE t SET n = n + 1", {}));
      EXPECT_TRUE(done) << done.error().message;
    }
  };
  {
    std::jthread theirs([&] { count(**other); });
    count(*db_);
  }
  EXPECT_EQ(query("SELECT n FROM t"), std::to_string(2 * kEach));
}

TEST_F(ScriptSql, SearchesTextsAndJson) {
  EXPECT_EQ(exec("CREATE VIRTUAL TABLE f USING fts5(title, content)"), "0");
  EXPECT_EQ(exec("INSERT INTO f VALUES ('Tea', 'green and black')"), "1");
  EXPECT_EQ(query("SELECT title FROM f WHERE f MATCH 'green'"), "Tea");
  EXPECT_EQ(query("SELECT value FROM json_each('[1,2]')"), "1;2");
  EXPECT_EQ(query("SELECT json_extract('{\"a\":5}', '$.a')"), "5");
  EXPECT_EQ(exec("DROP TABLE f"), "0");
}

TEST_F(ScriptSql, AllowsSchemaChanges) {
  EXPECT_EQ(exec("CREATE TABLE IF NOT EXISTS t (a)"), "0");
  EXPECT_EQ(exec("CREATE INDEX i ON t (a)"), "0");
  EXPECT_EQ(exec("ALTER TABLE t ADD COLUMN b"), "0");
  EXPECT_EQ(exec("ALTER TABLE t RENAME TO u"), "0");
  EXPECT_EQ(exec("ALTER TABLE u RENAME COLUMN b TO c"), "0");
  EXPECT_EQ(exec("CREATE VIEW v AS SELECT a FROM u"), "0");
  EXPECT_EQ(exec("CREATE TRIGGER r AFTER INSERT ON u BEGIN UPDATE u SET c = 1; END"), "0");
  EXPECT_EQ(exec("INSERT INTO u (a) VALUES (1)"), "1");
  EXPECT_EQ(query("SELECT * FROM u, v"), "1,1,1");
  EXPECT_EQ(query("SELECT name FROM pragma_table_info('u')"), "a;c");
  EXPECT_EQ(query("PRAGMA user_version"), "1");
  EXPECT_EQ(exec("DROP VIEW v"), "0");
  EXPECT_EQ(exec("DROP TABLE u"), "0");
  EXPECT_EQ(query("SELECT count(*) FROM sqlite_master WHERE name IN ('t', 'u', 'i', 'r')"), "0");
}

TEST_F(ScriptSql, HasTheTextFunctionsOfSqlite) {
  EXPECT_EQ(query("SELECT instr('häuser', 'us'), instr(x'0102', x'02'), instr('a', 'b'), "
                  "instr('a', ''), instr(NULL, 'a'), instr(12345, 34)"),
            "3,2,0,1,NULL,3");
  EXPECT_EQ(query("SELECT replace('aXbX', 'X', '--'), replace('a', '', 'b'), "
                  "replace('aaa', 'aa', 'b'), replace(NULL, 'a', 'b'), replace('x', 'x', '')"),
            "a--b--,a,ba,NULL,");
  EXPECT_EQ(query("SELECT trim('xxaxx', 'x'), ltrim('üüa', 'ü'), rtrim('aüxü', 'xü'), "
                  "trim('  a '), trim('xx', 'x'), trim('a', ''), trim(NULL, 'x')"),
            "a,a,a,a,,a,NULL");
}

TEST_F(ScriptSql, ReportsTheJobOfTheRunningStatement) {
  EXPECT_FALSE(db_->running());
  open({.statement_limit = 1s});
  std::jthread busy([&] {
    query_as(kOther,
             "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
             "SELECT count(*) FROM n");
  });
  std::optional<ScriptDatabase::Running> running;
  while (!running) running = db_->running();
  EXPECT_EQ(running->job, kOther);
  busy.join();
}

TEST_F(ScriptSql, FormatsAsSqliteDoes) {
  EXPECT_EQ(query("SELECT printf('%d|%5d|%-5d|%05d|%+d|%,d', 1, 2, 3, 4, 5, 1234567)"),
            "1|    2|3    |00004|+5|1,234,567");
  EXPECT_EQ(query("SELECT format('%*d|%-*d|%.*f|%*.*f', 4, 7, 4, 7, 2, 1.5, -8, 1, 2.25)"),
            "   7|7   |1.50|2.3     ");
  EXPECT_EQ(query("SELECT printf('100%% %s %q %c %.2f%', 'a', 'it''s', 'xyz', 3)"),
            "100% a it''s x 3.00%");
  EXPECT_EQ(query("SELECT printf('%s-%s', 'only')"), "only-");
  EXPECT_EQ(query("SELECT printf(NULL, 1), printf('plain'), printf('%.3c', 'x')"),
            "NULL,plain,xxx");
}

TEST_F(ScriptSql, MergesJsonAsSqliteDoes) {
  EXPECT_EQ(query("SELECT json_array(json_patch('{\"a\":1,\"b\":2}', '{\"a\":null,\"c\":3}'))"),
            "[{\"b\":2,\"c\":3}]");
  EXPECT_EQ(query("SELECT json_patch(NULL, '{}')"), "NULL");
  EXPECT_THAT(query("SELECT json_patch('{', '{}')"), ::testing::HasSubstr("malformed JSON"));
}

}  // namespace

}  // namespace heddle::store::testing
