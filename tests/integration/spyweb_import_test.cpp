// `heddle import spyweb`: jobs as they are, and nothing that SpyWeb has reported is reported again.
#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/sqlite/core/connection.hpp"
#include "tests/program/project_folder.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using ::testing::HasSubstr;
using ::testing::Not;

class SpywebImport : public ::testing::Test {
 protected:
  void SetUp() override {
    site_.answer("/shop", html("<ul><li>Tea</li><li>Pot</li><li>Cup</li></ul>"));
    spyweb_.write("jobs/tea/config.toml", job("Tea Shop"));
    spyweb_.write("jobs/tea/hooks.lua", "function filter_item(item) return item end\n");
  }

  [[nodiscard]] std::string job(const std::string& name) const {
    return "name = \"" + name + "\"\nurl = \"" + site_.url("/shop") +
           "\"\nselector = \"li\"\nfields = [\"name:\"]\ninterval = 300\n";
  }

  [[nodiscard]] fs::path database() const { return spyweb_.path() / "data"; }

  void execute(const std::string& sql) const {
    auto db = store::Connection::open(database(), {});
    ASSERT_TRUE(db) << db.error().message;
    auto done = (*db)->execute(sql);
    ASSERT_TRUE(done) << done.error().message;
  }

  void make_database() const {
    execute(
        "CREATE TABLE records (job_id TEXT NOT NULL, rev_ts INTEGER NOT NULL, json TEXT NOT NULL,"
        " PRIMARY KEY (job_id, rev_ts)); CREATE TABLE seen (hash TEXT PRIMARY KEY);"
        "CREATE TABLE lua_user (key TEXT PRIMARY KEY, value TEXT NOT NULL)");
  }

  void add_record(const std::string& job, const std::string& name) const {
    const std::string time = std::to_string(1'790'000'000'000'000'000 + ++records_);
    execute("INSERT INTO records VALUES ('" + job + "', " + time + ", '{\"fields\":{\"name\":\"" +
            name + "\"},\"timestamp\":" + time + ",\"hash\":\"" + name +
            "\",\"match_key\":[\"drink\"]}'); INSERT INTO seen VALUES ('" + name + "')");
  }

  void make_usual_database() const {
    make_database();
    add_record("tea_shop", "Tea");
    add_record("tea_shop", "Pot");
  }

  [[nodiscard]] ProgramResult import(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"import", "spyweb", spyweb_.path().string()});
    return project_.heddle(std::move(more));
  }
  [[nodiscard]] json::value import_json() const {
    return project_.heddle_json({"import", "spyweb", spyweb_.path().string()});
  }

  // Of all files, by path.
  static std::map<std::string, std::string> contents_of(const fs::path& folder) {
    std::map<std::string, std::string> contents;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      std::string& content = contents[entry.path().string()];
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      content.assign(std::istreambuf_iterator<char>(file), {});
    }
    return contents;
  }

  TestSite site_;
  TemporaryFolder spyweb_;
  ProjectFolder project_;
  mutable int records_ = 0;
};

TEST_F(SpywebImport, LeavesOnlyWhatSpywebHadNotSeenToReport) {
  make_usual_database();
  const auto imported = import();
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_EQ(imported.out,
            "jobs/tea: copied, 2 known items\n"
            "2 items will not be reported again (0 known before)\n");
  EXPECT_EQ(imported.err, "");
  const auto run = project_.heddle_json({"run", "tea-shop"});
  EXPECT_EQ(run.at("items").at("seen"), 3);
  EXPECT_EQ(run.at("items").at("new"), 1);
  const auto records = project_.heddle_json({"records", "tea-shop"});
  ASSERT_EQ(records.as_array().size(), 3u);
  EXPECT_EQ(records.at(0).at("fields").at("name"), "Cup");
  EXPECT_EQ(records.at(1).at("fields").at("name"), "Pot");
  EXPECT_EQ(records.at(1).at("matches"), json::array({"drink"}));
  EXPECT_EQ(records.at(1).at("first_seen"), "2026-09-21T14:13:20.000Z");
  EXPECT_EQ(records.at(1).at("state"), "present");
}

TEST_F(SpywebImport, IdentifiesItemsByTheHashFieldsOfTheirJob) {
  spyweb_.write("jobs/tea/config.toml", job("Tea Shop") + "hash_fields = [\"name\"]\n");
  make_database();
  execute(
      "INSERT INTO records VALUES ('tea_shop', 1, '{\"fields\":{\"name\":\"Tea\",\"price\":\"3\"},"
      "\"timestamp\":1790000000000000000,\"hash\":\"x\",\"match_key\":[]}')");
  ASSERT_EQ(import().exit_code, 0);
  EXPECT_EQ(project_.heddle_json({"run", "tea-shop"}).at("items").at("new"), 2);
}

TEST_F(SpywebImport, DoesNothingTwice) {
  make_usual_database();
  ASSERT_EQ(import().exit_code, 0);
  add_record("tea_shop", "Cup");
  const auto again = import_json();
  EXPECT_EQ(again.at("new_items"), 1);
  EXPECT_EQ(again.at("records"), 3);
  EXPECT_EQ(again.at("jobs").at(0).at("state"), "present");
  EXPECT_EQ(import_json().at("new_items"), 0);
  EXPECT_EQ(project_.heddle_json({"run", "tea-shop"}).at("items").at("new"), 0);
}

// An import stores the items before it moves the jobs into place.
TEST_F(SpywebImport, CompletesAnInterruptedOne) {
  make_usual_database();
  ASSERT_EQ(import().exit_code, 0);
  fs::create_directories(project_.path() / ".heddle-import" / "jobs");
  fs::rename(project_.path() / "jobs" / "tea", project_.path() / ".heddle-import/jobs/tea");
  const auto again = import_json();
  EXPECT_EQ(again.at("new_items"), 0);
  EXPECT_EQ(again.at("jobs").at(0).at("state"), "imported");
  EXPECT_FALSE(fs::exists(project_.path() / ".heddle-import"));
  EXPECT_EQ(project_.heddle_json({"run", "tea-shop"}).at("items").at("new"), 1);
}

TEST_F(SpywebImport, ChangesNothingInADryRun) {
  make_usual_database();
  const auto before = contents_of(project_.path());
  const auto result = import({"--dry-run"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "jobs/tea: would be copied, 2 known items\n");
  EXPECT_EQ(contents_of(project_.path()), before);
}

TEST_F(SpywebImport, MakesTheFolderOfANewProject) {
  make_usual_database();
  const auto target = project_.path() / "new" / "shop";
  const std::string source = spyweb_.path().string();
  EXPECT_EQ(run_heddle(target, {"import", "spyweb", source, "--dry-run"}).exit_code, 0);
  EXPECT_FALSE(fs::exists(target));
  EXPECT_EQ(run_heddle(target, {"import", "spyweb", source}).exit_code, 0);
  EXPECT_TRUE(fs::exists(target / "jobs" / "tea" / "hooks.lua"));
}

TEST_F(SpywebImport, LeavesTheSourceAsItIs) {
  make_usual_database();
  execute("PRAGMA journal_mode=WAL");
  const auto before = contents_of(spyweb_.path());
  ASSERT_EQ(import().exit_code, 0);
  EXPECT_EQ(contents_of(spyweb_.path()), before);
}

TEST_F(SpywebImport, ReadsWhatIsStillInTheLogOfTheDatabase) {
  make_database();
  auto db = store::Connection::open(database(), {});
  ASSERT_TRUE(db && (*db)->execute("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0"));
  ASSERT_TRUE((*db)->query_integer("SELECT count(*) FROM records"));  // holds it as SpyWeb does
  add_record("tea_shop", "Tea");
  const auto while_open = import();
  EXPECT_EQ(while_open.exit_code, 1);
  EXPECT_THAT(while_open.err, HasSubstr("stop SpyWeb first"));
  const auto copy = spyweb_.path() / "copy";
  fs::create_directories(copy);
  for (const char* name : {"data", "data-wal", "jobs"})
    fs::copy(spyweb_.path() / name, copy / name, fs::copy_options::recursive);
  const auto imported = project_.heddle_json({"import", "spyweb", copy.string()});
  EXPECT_EQ(imported.at("new_items"), 1);
}

TEST_F(SpywebImport, TakesNothingFromADamagedDatabase) {
  make_database();
  execute(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
      " INSERT INTO records SELECT 'tea_shop', i, '{\"fields\":{\"name\":\"' || i || '\"}}' FROM "
      "n");
  {
    std::fstream file(database(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(5 * 4096);
    file << std::string(8 * 4096, 'x');
  }
  const auto result = import();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("is damaged, so nothing was imported"));
  EXPECT_FALSE(fs::exists(project_.path() / "jobs"));
  EXPECT_FALSE(fs::exists(project_.path() / ".heddle-import"));
  EXPECT_FALSE(fs::exists(project_.database()));
}

TEST_F(SpywebImport, RunsNothingThatADatabaseBringsAlong) {
  execute(
      "CREATE VIEW records AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
      " SELECT 'tea_shop' AS job_id, i AS rev_ts, '{}' AS json FROM n");
  const auto result = import();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("not one of SpyWeb"));
}

TEST_F(SpywebImport, NamesADatabaseThatItCannotRead) {
  spyweb_.write("data", "redb\x1A\x0A\xA9\x0D\x0A and more");
  const auto result = import();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("is a redb database, which cannot be read"));
  EXPECT_THAT(result.err, HasSubstr("first_run = \"baseline\""));
  EXPECT_TRUE(fs::exists(project_.path() / "jobs" / "tea" / "config.toml"));
  spyweb_.write("data", "something else");
  EXPECT_THAT(import().err, HasSubstr("neither an SQLite nor a redb database"));
}

TEST_F(SpywebImport, NamesEverythingThatItLeavesOut) {
  make_usual_database();
  add_record("old_job", "Old");
  execute(
      "INSERT INTO records VALUES ('tea_shop', 1, 'no json'); INSERT INTO seen VALUES ('gone'),"
      " ('for the unreadable one')");
  spyweb_.write("jobs/empty/notes.txt", "no job");
  fs::create_symlink("/etc/hostname", spyweb_.path() / "jobs/tea/link");
  fs::create_directory_symlink("/etc", spyweb_.path() / "jobs/etc");
  const auto result = import();
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err,
            "not imported: jobs/empty: it has no config.toml\n"
            "not imported: jobs/etc: a symbolic link\n"
            "not imported: jobs/tea/link: a symbolic link\n"
            "not imported: 1 record of 'old_job', which has no job\n"
            "not imported: 1 record that cannot be read\n"
            "not imported: 1 item whose record was deleted: reported again if the page still has "
            "it\n");
  EXPECT_FALSE(fs::exists(fs::symlink_status(project_.path() / "jobs/tea/link")));
  EXPECT_FALSE(fs::exists(fs::symlink_status(project_.path() / "jobs/etc")));
}

TEST_F(SpywebImport, LeavesABrokenJobOutUntilItIsRepairedAndThenBringsItsItemsIn) {
  make_usual_database();
  spyweb_.write("jobs/pots/config.toml", job("Pots") + "oops = [\n");
  add_record("pots", "Pot 2");
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto result = import();
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err,
                HasSubstr("heddle: jobs/pots was not imported: jobs/pots/config.toml:"));
    EXPECT_THAT(result.err, HasSubstr("correct it there and import again"));
    EXPECT_THAT(result.err, HasSubstr("1 record of 'pots', which has no job that can be read"));
    EXPECT_THAT(result.out, HasSubstr("jobs/tea: "));
    EXPECT_FALSE(fs::exists(project_.path() / "jobs/pots"));
  }
  const auto json = project_.heddle({"import", "spyweb", spyweb_.path().string(), "--json"});
  EXPECT_EQ(json::parse(json.out).at("not_imported").at("jobs").at(0).at("place"), "jobs/pots");
  spyweb_.write("jobs/pots/config.toml", job("Pots"));
  EXPECT_EQ(import_json().at("new_items"), 1);
  EXPECT_EQ(project_.heddle_json({"records", "pots"}).as_array().size(), 1u);
}

TEST_F(SpywebImport, LeavesOutJobsThatNothingIdentifies) {
  make_usual_database();
  const auto error_of = [this] {
    const auto result = import();
    EXPECT_EQ(result.exit_code, 1);
    return result.err;
  };
  spyweb_.write("jobs/pots/config.toml", "url = \"" + site_.url("/shop") + "\"\n");
  EXPECT_THAT(error_of(), HasSubstr("jobs/pots was not imported: jobs/pots/config.toml:1: name"));
  spyweb_.write("jobs/pots/config.toml", job("Pots") + "hash_fields = 3\n");
  EXPECT_THAT(error_of(), HasSubstr("jobs/pots/config.toml:6: hash_fields"));
  fs::remove_all(spyweb_.path() / "jobs/pots");
  spyweb_.write("jobs.toml", "[[jobs]]\n" + job("Cups") + "[[jobs]]\nurl = \"x\"\n");
  EXPECT_THAT(error_of(), HasSubstr("jobs.toml was not imported: jobs.toml:"));
  EXPECT_FALSE(fs::exists(project_.path() / "jobs.toml"));
  spyweb_.write("jobs.toml", "[[jobs]\n");
  EXPECT_THAT(error_of(), HasSubstr("jobs.toml was not imported: jobs.toml:1"));
}

TEST_F(SpywebImport, TakesOverWhatScriptsShare) {
  make_usual_database();
  spyweb_.write("shared/rates/euro.txt", "1.1");
  spyweb_.write("prices.lua", "return { low = 1 }\n");
  spyweb_.write("server/init.lua", "return 1\n");
  const auto first = import();
  EXPECT_EQ(first.exit_code, 0);
  EXPECT_THAT(first.out, HasSubstr("shared/ and Lua modules: 2 files copied"));
  EXPECT_THAT(first.err, HasSubstr("not imported: server: "));
  EXPECT_TRUE(fs::exists(project_.path() / "shared/rates/euro.txt"));
  EXPECT_TRUE(fs::exists(project_.path() / "prices.lua"));
  EXPECT_EQ(import_json().at("shared_files"), 0);
  project_.write("prices.lua", "return { low = 2 }\n");
  const auto refused = import();
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("the project has another prices.lua already"));
}

TEST_F(SpywebImport, FollowsLinksOfTheProjectThatStayInsideAndNamesTheOthers) {
  make_usual_database();
  spyweb_.write("store/jobs.toml", "[[jobs]]\n" + job("Pots"));
  fs::rename(spyweb_.path() / "jobs", spyweb_.path() / "store/jobs");
  fs::rename(spyweb_.path() / "data", spyweb_.path() / "store/data");
  for (const char* name : {"jobs", "jobs.toml", "data"})
    fs::create_symlink(fs::path("store") / name, spyweb_.path() / name);
  const TemporaryFolder elsewhere;
  fs::create_symlink(elsewhere.path(), spyweb_.path() / "shared");
  const auto result = import();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("jobs/tea: copied, 2 known items"));
  EXPECT_THAT(result.out, HasSubstr("jobs.toml: copied"));
  EXPECT_THAT(result.err, HasSubstr("not imported: shared: a symbolic link that leads out"));
  fs::remove(spyweb_.path() / "data");
  fs::create_symlink("/etc/hostname", spyweb_.path() / "data");
  const auto linked = import();
  EXPECT_EQ(linked.exit_code, 1);
  EXPECT_THAT(linked.err, HasSubstr("data is a symbolic link that leads out of the folder"));
  fs::remove(spyweb_.path() / "jobs");
  fs::remove(spyweb_.path() / "jobs.toml");
  fs::create_symlink("/etc", spyweb_.path() / "jobs");
  EXPECT_THAT(import().err, HasSubstr("has no jobs that can be copied: jobs is a symbolic link"));
}

TEST_F(SpywebImport, NamesTheDatabaseOfTheUserAndWhatHelpsThere) {
  const auto error = [this] {
    const auto result = import();
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr(database().string()));
    EXPECT_THAT(result.err, Not(HasSubstr(".heddle-import")));
    EXPECT_THAT(result.err, Not(HasSubstr("heddle doctor")));
    return result.err;
  };
  spyweb_.write("data", std::string("SQLite format 3\0", 16) + std::string(5000, 'x'));
  EXPECT_THAT(error(), HasSubstr("is damaged, so nothing was imported"));
  spyweb_.write("data", "");
  fs::remove(database());
  execute("CREATE TABLE other (x)");
  EXPECT_THAT(error(), HasSubstr("Move the file elsewhere to import only the jobs"));
}

TEST_F(SpywebImport, RefusesFoldersThatItWouldEmptyOrCopyIntoThemselves) {
  const fs::path inside = project_.path() / ".heddle-import/old";
  fs::create_directories(inside);
  fs::copy(spyweb_.path() / "jobs", inside / "jobs", fs::copy_options::recursive);
  const auto refused = project_.heddle({"import", "spyweb", inside.string()});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("which every import empties: move it elsewhere first"));
  EXPECT_TRUE(fs::exists(inside / "jobs/tea/config.toml"));
  const fs::path below = spyweb_.path() / "jobs/tea/new";
  const auto nested = run_heddle(below, {"import", "spyweb", spyweb_.path().string()});
  EXPECT_EQ(nested.exit_code, 1);
  EXPECT_THAT(nested.err, HasSubstr("would be copied into itself"));
  EXPECT_FALSE(fs::exists(below));
}

TEST_F(SpywebImport, LeavesNoFolderOfANewProjectBehindWhenItFails) {
  const auto target = project_.path() / "new" / "shop";
  const auto fails = [&](const std::string& source) {
    EXPECT_EQ(run_heddle(target, {"import", "spyweb", source}).exit_code, 1);
    EXPECT_FALSE(fs::exists(target.parent_path()));
  };
  fails("/nonexistent");
  fails(TemporaryFolder().path().string());
  make_database();
  execute("DROP TABLE records");
  fails(spyweb_.path().string());
}

TEST_F(SpywebImport, CopiesWhatScriptsHaveStored) {
  spyweb_.write("jobs/tea/hooks.lua",
                "function before_fetch(request)\n"
                "  print(store_get('n'), global_store_get('where'), store_get('where'))\n"
                "  return request\nend\n");
  make_usual_database();
  execute("INSERT INTO lua_user VALUES ('tea_shop:n', '41'), ('where', 'here')");
  const auto imported = import_json();
  EXPECT_EQ(imported.at("script_values"), 2);
  EXPECT_THAT(project_.heddle({"run", "tea-shop"}).err, HasSubstr("41\there\tnil"));
  execute("UPDATE lua_user SET value = 'changed'");
  EXPECT_EQ(import_json().at("script_values"), 0);
  EXPECT_THAT(project_.heddle({"run", "tea-shop"}).err, HasSubstr("41\there\tnil"));
}

TEST_F(SpywebImport, RefusesAJobWhoseNameIsTaken) {
  make_usual_database();
  project_.write("jobs/tea/config.toml", job("Another"));
  project_.write("jobs/other/config.toml", job("Tea Shop"));
  const auto before = contents_of(project_.path() / "jobs");
  const auto result = import();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("nothing was imported: the project has another jobs/tea"));
  fs::remove_all(project_.path() / "jobs/tea");
  EXPECT_THAT(import().err, HasSubstr("has a job 'tea-shop' already (jobs/other/config.toml"));
  EXPECT_FALSE(fs::exists(project_.path() / "jobs/tea"));
}

TEST_F(SpywebImport, ImportsTheJobsOfJobsToml) {
  spyweb_.write("jobs.toml", "[[jobs]]\n" + job("Pots"));
  make_usual_database();
  add_record("pots", "Pot 2");
  const auto imported = import_json();
  EXPECT_EQ(imported.at("jobs").as_array().size(), 2u);
  EXPECT_EQ(imported.at("new_items"), 3);
  EXPECT_EQ(project_.heddle_json({"records", "pots"}).as_array().size(), 1u);
}

TEST_F(SpywebImport, IsNamedByEveryCommandInTheFolderOfASpywebProject) {
  make_usual_database();
  const std::string advice = "heddle --project NEW-FOLDER import spyweb " + spyweb_.path().string();
  const std::vector<std::vector<std::string>> commands{
      {"run", "tea"},     {"jobs"},           {"records", "tea"}, {"up"},
      {"status"},         {"trigger", "tea"}, {"doctor"},         {"dead", "list"},
      {"backup", "/tmp"}, {"debug", "tea"},   {"reload"},         {"logs", "tea"}};
  for (const auto& command : commands) {
    const auto result = run_heddle(spyweb_.path(), command);
    EXPECT_EQ(result.exit_code, 1) << command.front();
    EXPECT_THAT(result.err, HasSubstr(advice)) << command.front();
  }
  const auto check = run_heddle(spyweb_.path(), {"check"});
  EXPECT_EQ(check.exit_code, 1);
  EXPECT_THAT(check.out, HasSubstr(advice));
}

}  // namespace
}  // namespace heddle::testing
