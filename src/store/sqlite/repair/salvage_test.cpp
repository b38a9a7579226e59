#include "store/sqlite/repair/salvage.hpp"

#include <fstream>
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/scripts/script_schema.hpp"
#include "store/sqlite/core/schema.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::store {

namespace {

using heddle::testing::run_async;
using ::testing::HasSubstr;

constexpr int kJobs = 2000;

class Salvage : public ::testing::Test {
 protected:
  void SetUp() override {
    auto store = SqliteStore::open(file_);
    ASSERT_TRUE(store) << store.error().message;
    add_jobs();
    heddle::Run run;
    run.id = {"r1"};
    run.job = {"job7"};
    std::vector<std::string> urls;
    for (int i = 0; i < 3000; ++i) urls.push_back("http://a/" + std::to_string(i));
    ASSERT_TRUE(run_async((*store)->begin_run(run, urls)));
    run.id = {"r2"};
    ASSERT_TRUE(run_async((*store)->begin_run(run, urls)));
  }

  // In one transaction: otherwise each would be synced.
  void add_jobs() {
    auto db = Connection::open(file_, {});
    ASSERT_TRUE(db) << db.error().message;
    const auto added = (*db)->execute(
        "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < " +
        std::to_string(kJobs) +
        ") INSERT INTO jobs (id, name, kind, revision)"
        " SELECT 'job' || i, hex(zeroblob(150)), 'web', 'r' FROM n");
    ASSERT_TRUE(added) << added.error().message;
  }

  // The leaf pages of a table's tree.
  std::vector<std::int64_t> leaves_of(const std::string& table) {
    auto db = Connection::open(file_, {.read_only = true});
    EXPECT_TRUE(db);
    const auto pages = *(*db)->query_integer("PRAGMA page_count");
    const auto root = *(*db)->query_integer("SELECT rootpage FROM sqlite_schema WHERE name = '" +
                                            table + "' AND type = 'table'");
    std::vector<std::int64_t> leaves;
    std::ifstream file(file_, std::ios::binary);
    collect(file, root, pages, leaves);
    return leaves;
  }

  static void collect(std::ifstream& file, std::int64_t page, std::int64_t pages,
                      std::vector<std::int64_t>& leaves) {
    if (page < 1 || page > pages) return;
    std::string bytes(4096, '\0');
    file.seekg((page - 1) * 4096);
    file.read(bytes.data(), 4096);
    const auto at = [&bytes](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const auto word = [&at](std::size_t i) {
      return (std::int64_t{at(i)} << 24) | (at(i + 1) << 16) | (at(i + 2) << 8) | at(i + 3);
    };
    if (at(0) == 13 || at(0) == 10) return leaves.push_back(page);
    const int cells = (at(3) << 8) | at(4);
    for (int i = 0; i < cells; ++i) {
      const auto cell = static_cast<std::size_t>(12 + 2 * i);
      const auto offset = static_cast<std::size_t>((at(cell) << 8) | at(cell + 1));
      collect(file, word(offset), pages, leaves);
    }
    collect(file, word(8), pages, leaves);
  }

  void damage(std::int64_t page) {
    std::fstream file(file_, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp((page - 1) * 4096);
    file << std::string(4096, '\x5A');
  }

  void overwrite(std::int64_t at, std::int64_t count, char byte) {
    std::fstream file(file_, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(at);
    file << std::string(static_cast<std::size_t>(count), byte);
  }

  void remove_saved() const {
    for (const char* part : {"", "-wal", "-shm", "-journal"})
      std::filesystem::remove(saved_.string() + part);
  }

  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      names.push_back(entry.path().filename().string());
    return names;
  }

  std::map<std::string, SavedTable> save(DatabaseKind kind = DatabaseKind::engine) {
    auto report = salvage(file_, saved_, kind);
    EXPECT_TRUE(report) << report.error().message;
    std::map<std::string, SavedTable> tables;
    if (report)
      for (SavedTable& table : *report) tables.emplace(table.name, table);
    return tables;
  }

  heddle::testing::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "heddle.db";
  std::filesystem::path saved_ = folder_.path() / "saved.db";
};

TEST_F(Salvage, CopiesAWholeDatabaseWithoutLoss) {
  const auto tables = save();
  EXPECT_EQ(tables.at("jobs").saved, kJobs);
  EXPECT_EQ(tables.at("tasks").saved, 6000);
  for (const auto& [name, table] : tables) EXPECT_EQ(table.lost, 0) << name;
  EXPECT_TRUE(check_database(saved_, DatabaseKind::engine));
  EXPECT_TRUE(SqliteStore::open(saved_));
}

TEST_F(Salvage, LosesOnlyTheRowsOfDamagedPages) {
  const auto leaves = leaves_of("jobs");
  ASSERT_GT(leaves.size(), 50u);
  damage(leaves[10]);
  damage(leaves[30]);
  EXPECT_EQ(check_database(file_, DatabaseKind::engine).error().code, ErrorCode::corrupt);
  const auto tables = save();
  const SavedTable& jobs = tables.at("jobs");
  EXPECT_GT(jobs.saved, kJobs - 2 * 20) << "a page has some 12 rows";
  EXPECT_LT(jobs.saved, kJobs);
  EXPECT_EQ(jobs.lost, kJobs - jobs.saved) << "its index has the number of rows";
  EXPECT_EQ(tables.at("tasks").saved, 6000);
  EXPECT_TRUE(check_database(saved_, DatabaseKind::engine));
  EXPECT_TRUE(SqliteStore::open(saved_));
}

TEST_F(Salvage, LosesOnlyRowsBetweenDamagedPagesOfAKeyedTable) {
  const auto leaves = leaves_of("tasks");
  ASSERT_GT(leaves.size(), 20u);
  damage(leaves[leaves.size() / 4]);
  const auto tables = save();
  const SavedTable& tasks = tables.at("tasks");
  EXPECT_LT(tasks.saved, 6000);
  EXPECT_GT(tasks.saved, 6000 - 200);
  EXPECT_TRUE(check_database(saved_, DatabaseKind::engine));
}

// Without its row in job_lives a job would start as new and run.
TEST_F(Salvage, KeepsPausedAndStoppedJobsInactiveWhenTheirStatusIsLost) {
  {
    auto db = Connection::open(file_, {});
    ASSERT_TRUE(db);
    const auto added = (*db)->execute(
        "INSERT INTO job_lives (job, state, since, check_state, failed_runs, attempt, revision)"
        " SELECT number, 'paused', 5, 'ok', 0, 0, hex(zeroblob(300)) FROM jobs;"
        "INSERT INTO events (at, kind, job, data) SELECT 1, 'job.paused', number,"
        " '{\"reason\":\"user\"}' FROM jobs;"
        "INSERT INTO events (at, kind, job, data) SELECT 2, CASE number % 3 WHEN 0 THEN "
        "'job.stopped'"
        " WHEN 1 THEN 'job.scheduled' ELSE 'check.ok' END, number, '{}' FROM jobs;");
    ASSERT_TRUE(added) << added.error().message;
  }
  const auto leaves = leaves_of("job_lives");
  ASSERT_GT(leaves.size(), 10U);
  for (std::size_t i = 0; i < leaves.size(); i += 2) damage(leaves[i]);
  const SavedTable table = save()["job_lives"];
  EXPECT_LT(table.saved, kJobs);
  auto db = Connection::open(saved_, {.read_only = true});
  ASSERT_TRUE(db);
  const auto number = [&db](const std::string& sql) { return *(*db)->query_integer(sql); };
  EXPECT_EQ(number("SELECT count(*) FROM job_lives"), table.saved + table.rebuilt);
  EXPECT_GT(table.rebuilt, kJobs / 5);
  EXPECT_EQ(number("SELECT count(*) FROM jobs j WHERE j.number % 3 <> 1 AND NOT EXISTS"
                   " (SELECT 1 FROM job_lives l WHERE l.job = j.number)"),
            0);
  EXPECT_GT(number("SELECT count(*) FROM jobs j WHERE NOT EXISTS"
                   " (SELECT 1 FROM job_lives l WHERE l.job = j.number)"),
            0)
      << "jobs without such an event start as new";
  EXPECT_EQ(number("SELECT count(*) FROM job_lives WHERE since = 2 AND (state <> 'stopped' OR"
                   " pause_reason IS NOT NULL)"),
            0);
  EXPECT_GT(number("SELECT count(*) FROM job_lives WHERE since = 1 AND state = 'paused' AND"
                   " pause_reason = 'user'"),
            0);
  EXPECT_EQ(number("SELECT count(*) FROM job_lives WHERE run IS NOT NULL"
                   " AND job <> (SELECT number FROM jobs WHERE id = 'job7')"),
            0);
}

// Otherwise new rows would be taken for the lost ones.
TEST_F(Salvage, NeverReusesIdsOfLostRows) {
  auto db = Connection::open(file_, {});
  ASSERT_TRUE(db);
  ASSERT_TRUE((*db)->execute(
      "INSERT INTO items (job, url, run, key, first_seen, fields)"
      " VALUES (1, 500, 1, zeroblob(16), 0, '{}');"
      "INSERT INTO versions (page, run, at, content) VALUES (1, 1, 0, 700);"
      "INSERT INTO pages (id, job, url, final_url, item_count, http_status, first_seen, last_seen,"
      " keys_hash) VALUES (1, 3000, 400, 600, 0, 200, 0, 0, 0);"
      "INSERT INTO versions (page, run, at, content) VALUES (2, 1, 0, 1);"));
  db->reset();
  ASSERT_TRUE(salvage(file_, saved_, DatabaseKind::engine));
  auto saved = Connection::open(saved_, {});
  ASSERT_TRUE(saved);
  ASSERT_TRUE(
      (*saved)->execute("INSERT INTO urls (hash, url) VALUES (1, 'new');"
                        "INSERT INTO contents (hash, size, zstd) VALUES (x'01', 0, '')"));
  EXPECT_GT(*(*saved)->query_integer("SELECT max(id) FROM urls WHERE url = 'new'"), 600);
  EXPECT_GT(*(*saved)->query_integer("SELECT id FROM contents WHERE hash = x'01'"), 700);
  EXPECT_EQ(*(*saved)->query_integer("SELECT count(*) FROM versions"), 1) << "one has a page";
  EXPECT_EQ(*(*saved)->query_integer("SELECT CAST(value AS INTEGER) FROM notes"
                                     " WHERE name = 'jobs.last_number'"),
            3000);
}

TEST_F(Salvage, SavesAllButAnOverwrittenFirstPage) {
  for (const char byte : {'\0', '\x5A'}) {
    overwrite(0, 4096, byte);
    ASSERT_FALSE(check_database(file_, DatabaseKind::engine));
    const auto tables = save();
    EXPECT_EQ(tables.at("jobs").saved, kJobs);
    EXPECT_EQ(tables.at("tasks").saved, 6000);
    EXPECT_EQ(tables.at("runs").saved, 2);
    for (const auto& [name, table] : tables) EXPECT_EQ(table.lost, 0) << name;
    EXPECT_TRUE(check_database(saved_, DatabaseKind::engine));
    EXPECT_TRUE(SqliteStore::open(saved_));
    remove_saved();
    EXPECT_EQ(files(), std::vector<std::string>{"heddle.db"}) << "nothing is left behind";
  }
}

TEST_F(Salvage, SavesTheRestOfATruncatedDatabase) {
  const auto size = std::filesystem::file_size(file_);
  ASSERT_GT(size, 100u * 4096);
  // The tasks are at the end of the file, the jobs before them.
  const std::vector<std::pair<std::uintmax_t, std::int64_t>> cuts{
      {size - 4096, 7000}, {size / 4 * 3, 1800}, {size / 2 + 1000, 1000}};
  for (const auto& [left, least] : cuts) {
    std::filesystem::resize_file(file_, left);
    ASSERT_FALSE(check_database(file_, DatabaseKind::engine));
    const auto tables = save();
    std::int64_t saved = 0;
    for (const auto& [name, table] : tables) saved += table.saved;
    EXPECT_GT(saved, least) << left;
    EXPECT_TRUE(check_database(saved_, DatabaseKind::engine)) << left;
    EXPECT_TRUE(SqliteStore::open(saved_));
    remove_saved();
  }
}

TEST_F(Salvage, DetectsTheVersionOfAFileWithoutItsFirstPage) {
  for (std::size_t version = 1; version < migrations().size(); ++version) {
    std::filesystem::remove(file_);
    {
      auto db = Connection::open(file_, {});
      ASSERT_TRUE(migrate(**db, migrations().first(version)));
    }
    add_jobs();
    overwrite(0, 4096, '\0');
    EXPECT_EQ(save().at("jobs").saved, kJobs) << version;
    {
      auto db = Connection::open(saved_, {.read_only = true});
      EXPECT_EQ(*(*db)->query_integer("PRAGMA user_version"), static_cast<std::int64_t>(version));
    }
    std::filesystem::remove(saved_);
  }
}

TEST_F(Salvage, ReadsTheWalOfAFileWithoutItsFirstPage) {
  auto store = SqliteStore::open(file_);
  ASSERT_TRUE(store);
  ASSERT_TRUE(run_async((*store)->put_job_name({{"in the log"}, "n", "web", "r"})));
  ASSERT_GT(std::filesystem::file_size(file_.string() + "-wal"), 0u);
  // As a power cut leaves it.
  for (const char* part : {"", "-wal"})
    std::filesystem::copy_file(file_.string() + part, file_.string() + "2" + part);
  store->reset();
  file_ += "2";
  overwrite(0, 4096, '\0');
  EXPECT_EQ(save().at("jobs").saved, kJobs + 1);
}

TEST_F(Salvage, FailsWhenTheTablesCannotBeLocated) {
  const auto size = std::filesystem::file_size(file_);
  overwrite(0, static_cast<std::int64_t>(size), '\x5A');
  const auto failed = salvage(file_, saved_, DatabaseKind::engine);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::corrupt);
  for (const std::string bytes : {"", "x", "SQLite format 3"}) {
    std::ofstream(file_, std::ios::binary | std::ios::trunc) << bytes;
    std::filesystem::remove(saved_);
    if (bytes.empty()) continue;
    EXPECT_FALSE(salvage(file_, saved_, DatabaseKind::engine));
  }
}

// Random bytes in place of pages that are read in search of the tables.
TEST_F(Salvage, SurvivesArbitraryBytes) {
  std::string whole(std::filesystem::file_size(file_), '\0');
  std::ifstream(file_, std::ios::binary)
      .read(whole.data(), static_cast<std::streamsize>(whole.size()));
  std::mt19937 random(11);
  for (int round = 0; round < 40; ++round) {
    std::string bytes = whole.substr(0, 4096 * (3 + random() % 60));
    for (int i = 0; i < 3; ++i)
      for (std::size_t at = random() % bytes.size(), end = at + random() % 6000;
           at < std::min(end, bytes.size()); ++at)
        bytes[at] = static_cast<char>(random());
    bytes.replace(0, 4096, 4096, round % 2 == 0 ? '\0' : static_cast<char>(random()));
    std::ofstream(file_, std::ios::binary | std::ios::trunc) << bytes;
    const auto saved = salvage(file_, saved_, DatabaseKind::engine);
    EXPECT_TRUE(!saved || check_database(saved_, DatabaseKind::engine)) << "round " << round;
    remove_saved();
  }
}

TEST_F(Salvage, SavesScriptKeysWhenTheFirstPageIsLost) {
  std::filesystem::remove(file_);
  ASSERT_TRUE(make_script_file(file_));
  {
    auto db = Connection::open(file_, {});
    ASSERT_TRUE((*db)->execute(
        "CREATE TABLE mine (a); INSERT INTO mine VALUES (1);"
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)"
        " INSERT INTO heddle_values SELECT 'shop', CAST('key ' || i AS BLOB), x'01' FROM n"));
  }
  overwrite(0, 4096, '\0');
  const auto tables = save(DatabaseKind::scripts);
  EXPECT_EQ(tables.at("heddle_values").saved, 500);
  EXPECT_EQ(tables.at("(made by scripts)").lost, std::nullopt) << "their number is unknown";
  EXPECT_TRUE(check_database(saved_, DatabaseKind::scripts));
}

TEST_F(Salvage, RecreatesTheTablesOfScripts) {
  std::filesystem::remove(file_);
  {
    auto db = Connection::open(file_, {});
    ASSERT_TRUE(db);
    const auto made = (*db)->execute(
        "PRAGMA application_id=1214604396; PRAGMA user_version=1;"
        "CREATE TABLE \"odd \"\"name\" (a, b TEXT UNIQUE); CREATE INDEX by_a ON \"odd \"\"name\" "
        "(a);"
        "CREATE VIEW v AS SELECT a FROM \"odd \"\"name\";"
        "INSERT INTO \"odd \"\"name\" VALUES (1, 'x'), (2, 'y'), (NULL, NULL)");
    ASSERT_TRUE(made) << made.error().message;
  }
  const auto tables = save(DatabaseKind::scripts);
  EXPECT_EQ(tables.at("odd \"name").saved, 3);
  auto db = Connection::open(saved_, {.read_only = true});
  ASSERT_TRUE(db);
  EXPECT_EQ(*(*db)->query_integer("SELECT count(*) FROM v"), 3);
  EXPECT_EQ(*(*db)->query_integer("SELECT count(*) FROM sqlite_schema WHERE type = 'index'"), 2);
}

}  // namespace

}  // namespace heddle::store
