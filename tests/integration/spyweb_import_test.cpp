// `heddle import spyweb`: jobs as they are, and nothing that SpyWeb has reported is reported again.
#include "tests/integration/spyweb_import_fixture.hpp"

namespace heddle::testing {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using ::testing::HasSubstr;

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

TEST_F(SpywebImport, CopiesWhatScriptsHaveStored) {
  spyweb_.write("jobs/tea/hooks.lua",
                "function before_fetch(request)\n"
                "  print(store_get('n'), global_store_get('where'), store_get('where'))\n"
                "  return request\nend\n");
  make_usual_database();
  execute("INSERT INTO lua_user VALUES ('tea_shop:n', '41'), ('where', 'here')");
  const auto imported = import_json();
  EXPECT_EQ(imported.at("script_values"), 2);
  EXPECT_THAT(import({"--dry-run"}).out, ::testing::Not(HasSubstr("of scripts would be copied")));
  EXPECT_THAT(project_.heddle({"run", "tea-shop"}).err, HasSubstr("41\there\tnil"));
  execute("UPDATE lua_user SET value = 'changed'");
  EXPECT_EQ(import_json().at("script_values"), 0);
  EXPECT_THAT(project_.heddle({"run", "tea-shop"}).err, HasSubstr("41\there\tnil"));
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
