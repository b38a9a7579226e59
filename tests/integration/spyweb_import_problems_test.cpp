// `heddle import spyweb`: what cannot be imported is named and left as it is.
#include "tests/integration/spyweb_import_fixture.hpp"

namespace heddle::testing {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using ::testing::HasSubstr;
using ::testing::Not;

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
  EXPECT_EQ(
      result.err,
      "not imported: jobs/empty: it has no config.toml\n"
      "not imported: jobs/etc: a symbolic link\n"
      "not imported: jobs/tea/link: a symbolic link\n"
      "not imported: 1 record of job 'old_job', which does not exist\n"
      "not imported: 1 record that cannot be read\n"
      "not imported: 1 item whose record SpyWeb has deleted; it is reported as new if the page "
      "still lists it\n");
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
    EXPECT_THAT(result.err,
                HasSubstr("1 record of job 'pots', which does not exist or cannot be read"));
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

TEST_F(SpywebImport, NamesAllMistakesOfAJobThatItLeavesOut) {
  spyweb_.write("jobs/pots/config.toml", "url = \"nonsense\"\nselector = \"li\"\n");
  const auto result = import();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("config.toml:1: url: "));
  EXPECT_THAT(result.err, HasSubstr("name: is missing"));
}

TEST_F(SpywebImport, KeepsValuesOfAJobThatIsLeftOutForTheNextImport) {
  make_usual_database();
  spyweb_.write("jobs/pots/config.toml", job("Pots") + "oops = [\n");
  add_record("old_job", "Old");
  execute("INSERT INTO lua_user VALUES ('pots:count', '7'), ('old_job:count', '8'), ('a:b', '9')");
  const auto result = import();
  EXPECT_THAT(result.out, HasSubstr("1 stored value of scripts copied")) << "the key \"a:b\"";
  for (const char* id : {"pots", "old_job"})
    EXPECT_THAT(result.err, HasSubstr("not imported: 1 stored value of scripts of '" +
                                      std::string(id) + "', which has no job"));
  spyweb_.write("jobs/pots/config.toml", job("Pots"));
  spyweb_.write("jobs/pots/hooks.lua",
                "function before_fetch(request)\n"
                "  print(store_get('count'), global_store_get('pots:count'))\n"
                "  return request\nend\n");
  EXPECT_EQ(import_json().at("script_values"), 1);
  EXPECT_THAT(project_.heddle({"run", "pots"}).err, HasSubstr("7\tnil"));
}

TEST_F(SpywebImport, NamesAFolderInPlaceOfTheDatabase) {
  fs::create_directory(spyweb_.path() / "data");
  const auto result = import();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("is neither an SQLite nor a redb database"));
}

TEST_F(SpywebImport, FailsWhenNoFolderOfJobsCanBeCopied) {
  spyweb_.write("jobs.toml", "[[jobs]]\n" + job("Cups"));
  fs::rename(spyweb_.path() / "jobs/tea", spyweb_.path() / "tea");
  fs::create_directory_symlink(spyweb_.path() / "tea", spyweb_.path() / "jobs/tea");
  auto result = import();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("heddle: jobs was not imported: its jobs are symbolic links"));
  fs::remove_all(spyweb_.path() / "jobs");
  fs::create_directory_symlink("/etc", spyweb_.path() / "jobs");
  result = import();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("heddle: jobs was not imported: it is a symbolic link"));
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

}  // namespace
}  // namespace heddle::testing
