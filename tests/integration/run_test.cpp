// Output and effects of `heddle run`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/sqlite/core/connection.hpp"
#include "tests/program/project_folder.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

constexpr const char* kShop =
    "<ul><li><a href=/tea>Tea</a><b>3,50 €</b></li><li><a href=/pot>Pot</a><b>12 €</b></li></ul>";

std::string shop_job(const TestSite& site) {
  return "url = \"" + site.url("/shop") +
         "\"\nselector = \"li\"\nfields = [\"name:a\", \"link:a@href\", "
         "{name = \"price\", selector = \"b\", type = \"money\"}]\n";
}

class HeddleRun : public ::testing::Test {
 protected:
  void SetUp() override {
    site_.answer("/shop", html(kShop));
    project_.write_job("shop", shop_job(site_));
  }
  TestSite site_;
  ProjectFolder project_;
};

TEST_F(HeddleRun, StoresItemsWithAbsoluteLinksAndTypedValues) {
  const json::value run = project_.heddle_json({"run", "shop"});
  EXPECT_EQ(run.at("state"), "completed");
  EXPECT_EQ(run.at("items").at("new"), 2);
  const json::value records = project_.heddle_json({"records", "shop"});
  ASSERT_EQ(records.as_array().size(), 2u);
  const json::value& newest = records.at(0);
  EXPECT_EQ(newest.at("fields").at("name"), "Pot");
  EXPECT_EQ(newest.at("fields").at("link"), json::value(site_.url("/pot")));
  EXPECT_EQ(newest.at("values").at("price"), json::parse(R"({"amount":"12","currency":"EUR"})"));
  EXPECT_EQ(newest.at("state"), "present");
  EXPECT_EQ(newest.at("url"), json::value(site_.url("/shop")));
}

TEST_F(HeddleRun, StoresNothingNewWhenThePageIsTheSame) {
  project_.heddle_json({"run", "shop"});
  const json::value again = project_.heddle_json({"run", "shop"});
  EXPECT_EQ(again.at("items"), json::parse(R"({"seen":2,"new":0,"changed":0,"gone":0})"));
  EXPECT_EQ(project_.heddle_json({"records", "shop"}).as_array().size(), 2u);
}

TEST_F(HeddleRun, ReportsDurationsAndErrors) {
  project_.heddle_json({"run", "shop"});
  site_.answer("/shop", html("<ul><li><a href=/tea>Tea</a><b>3,50 €</b></li></ul>"));
  const json::value again = project_.heddle_json({"run", "shop"});
  EXPECT_EQ(again.at("items"), json::parse(R"({"seen":1,"new":0,"changed":0,"gone":1})"));
  EXPECT_EQ(again.at("changes"), 1);
  EXPECT_EQ(again.at("slots").as_array().size(), 1u);
  EXPECT_GT(again.at("cpu_ms").as_double(), 0);
  EXPECT_FALSE(again.as_object().contains("price_changes")) << "nobody looks at prices yet";

  const std::string id(again.at("run_id").as_string());
  const json::value listed = project_.heddle_json({"runs", "shop"}).at(0);
  for (const char* key : {"items", "changes", "cpu_ms", "slots"})
    EXPECT_EQ(listed.at(key), again.at(key)) << key;
  EXPECT_EQ(project_.heddle_json({"run-trace", id}).at("run"), listed);
  EXPECT_THAT(project_.heddle({"runs", "shop"}).out, HasSubstr("CPU"));
  EXPECT_THAT(project_.heddle({"run-trace", id}).out, HasSubstr(" MB in worker"));
  EXPECT_THAT(project_.heddle({"show", "shop"}).out,
              HasSubstr("1 page with a new version; items: 0 changed, 1 gone"));
}

TEST_F(HeddleRun, IsCountedOnItsDayAfterRetentionHasRemovedIt) {
  project_.heddle_json({"run", "shop"});
  project_.heddle_json({"run", "shop"});
  const json::value before = project_.heddle_json({"show", "shop"}).at("days");
  if (before.as_array().size() != 1u) GTEST_SKIP() << "midnight came in between";
  EXPECT_EQ(before.at(0).at("runs"), 2);
  EXPECT_EQ(before.at(0).at("pages").at("done"), 2);
  EXPECT_EQ(before.at(0).at("items").at("new"), 2);
  {
    auto db = store::Connection::open(project_.database(), {});
    ASSERT_TRUE(db);
    // As retention removes the older of the two.
    const std::string day(before.at(0).at("day").as_string());
    ASSERT_TRUE((*db)->execute(
        "INSERT INTO run_days (job, day, runs, completed, failed, duration_ms, pages_done,"
        " pages_failed, pages_skipped, items_seen, items_new, items_changed, bytes, items_gone,"
        " changes, cpu_us) SELECT job, CAST(julianday('" +
        day +
        "') - 2440587.5 AS INTEGER), 1, 1, 0, ended_at - started_at,"
        " pages_done, 0, 0, items_seen, items_new, 0, bytes, 0, 0, cpu_us FROM runs"
        " WHERE number = 1; DELETE FROM runs WHERE number = 1"));
  }
  EXPECT_EQ(project_.heddle_json({"show", "shop"}).at("days"), before);
  EXPECT_THAT(project_.heddle({"show", "shop"}).out, HasSubstr("DAY"));
}

TEST_F(HeddleRun, DoesNotParseAPageOnA304) {
  site_.handle("/shop", [](const SiteRequest& request) {
    if (request.header("If-None-Match") == "\"v1\"") return SiteResponse{.status = 304};
    return html(kShop).with_header("ETag", "\"v1\"");
  });
  project_.heddle_json({"run", "shop"});
  const json::value again = project_.heddle_json({"run", "shop"});
  EXPECT_EQ(again.at("items").at("seen"), 2);
  const auto trace =
      project_.heddle_json({"run-trace", std::string(again.at("run_id").as_string())});
  for (const json::value& stage : trace.at("pages").at(0).at("stages").as_array()) {
    if (stage.at("name") != "extract") continue;
    EXPECT_EQ(stage.at("status"), "skipped");
  }
}

TEST_F(HeddleRun, FetchesUnconditionallyAfterTheRulesChanged) {
  site_.handle("/shop", [](const SiteRequest& request) {
    if (request.header("If-None-Match") == "\"v1\"") return SiteResponse{.status = 304};
    return html(kShop).with_header("ETag", "\"v1\"");
  });
  project_.heddle_json({"run", "shop"});
  project_.write_job(
      "shop", "url = \"" + site_.url("/shop") + "\"\nselector = \"li\"\nfields = [\"name:a\"]\n");
  EXPECT_EQ(project_.heddle_json({"run", "shop"}).at("items").at("new"), 2);
}

TEST_F(HeddleRun, KeepsTwoJobsWithEqualFieldsApart) {
  project_.write_job("twin", shop_job(site_));
  EXPECT_EQ(project_.heddle_json({"run", "shop"}).at("items").at("new"), 2);
  EXPECT_EQ(project_.heddle_json({"run", "twin"}).at("items").at("new"), 2);
  EXPECT_EQ(project_.heddle_json({"records", "twin"}).as_array().size(), 2u);
}

TEST_F(HeddleRun, ReportsAnItemOnceWhenSeveralPagesShowIt) {
  std::string urls;
  for (int i = 0; i < 40; ++i) urls += site_.url("/shop?p=" + std::to_string(i)) + "\n";
  project_.write("jobs/many/urls.txt", urls);
  project_.write_job("many",
                     "urls_file = \"urls.txt\"\nselector = \"li\"\nfields = [\"name:a\"]\n"
                     "workers = 16\nstagger = \"0s\"\n[webhook]\nenabled = true\nurl = \"" +
                         site_.url("/hook") + "\"\n");
  site_.answer("/hook", SiteResponse{.status = 204});
  const json::value run = project_.heddle_json({"run", "many"});
  EXPECT_EQ(run.at("items").at("new"), 2);
  std::size_t notified = 0;
  for (const SiteRequest& request : site_.requests("/hook"))
    notified += json::parse(request.body).at("items").as_array().size();
  EXPECT_EQ(notified, 2u);
}

TEST_F(HeddleRun, KeepsOnlyItemsWithOneOfTheKeywords) {
  project_.write_job("shop", shop_job(site_) + "keywords = [\"TEA\"]\n");
  EXPECT_EQ(project_.heddle_json({"run", "shop"}).at("items").at("new"), 1);
  const json::value records = project_.heddle_json({"records", "shop"});
  EXPECT_EQ(records.at(0).at("matches"), json::parse(R"(["TEA"])"));
}

TEST_F(HeddleRun, RunsACycleOnTheOneUrlPerWorker) {
  project_.write_job("shop", shop_job(site_) + "workers = 3\nstagger = \"0s\"\n");
  const json::value run = project_.heddle_json({"run", "shop"});
  EXPECT_EQ(run.at("pages").at("done"), 3);
  EXPECT_EQ(run.at("items").at("new"), 2);
}

TEST_F(HeddleRun, FailsWhenItsOnlyPageFails) {
  site_.answer("/shop", SiteResponse{.status = 404});
  const ProgramResult result = project_.heddle({"run", "shop"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("failed"));
  EXPECT_THAT(result.out, HasSubstr("404"));
}

TEST_F(HeddleRun, CompletesAsLimitedWhenThereAreTooManyPages) {
  project_.write("jobs/many/urls.txt", site_.url("/a") + "\n" + site_.url("/b") + "\n");
  site_.handle_rest([](const SiteRequest&) { return html("<p>x</p>"); });
  project_.write_job("many",
                     "urls_file = \"urls.txt\"\nselector = \"p\"\nfields = [\"t:\"]\n"
                     "[limits]\npages_per_run = 1\n");
  const ProgramResult result = project_.heddle({"run", "many", "--json"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(json::parse(result.out).at("state"), "limited");
  EXPECT_THAT(result.err, HasSubstr("limit"));
}

TEST_F(HeddleRun, RejectsADisabledJobWithAHint) {
  project_.write_job("shop", shop_job(site_) + "enabled = false\n");
  const ProgramResult result = project_.heddle({"run", "shop"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("enabled = true"));
}

TEST_F(HeddleRun, SuggestsASimilarJob) {
  const ProgramResult result = project_.heddle({"run", "shpo"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("did you mean 'shop'?"));
}

TEST_F(HeddleRun, HasAnExitStatusForWrongUsage) {
  EXPECT_EQ(project_.heddle({"run"}).exit_code, 2);
  EXPECT_EQ(project_.heddle({"no-such-command"}).exit_code, 2);
  EXPECT_EQ(project_.heddle({"--help"}).exit_code, 0);
}

TEST_F(HeddleRun, WaitsForTheProjectLock) {
  site_.hold("/shop");
  RunningHeddle first(project_.path(), {"run", "shop"});
  ASSERT_TRUE(site_.wait_for_requests("/shop", 1));
  RunningHeddle second(project_.path(), {"run", "shop"});
  site_.release("/shop");
  EXPECT_EQ(first.wait().exit_code, 0);
  EXPECT_EQ(second.wait().exit_code, 0);
  EXPECT_EQ(project_.heddle_json({"runs", "shop"}).as_array().size(), 2u);
}

TEST_F(HeddleRun, FinishesPagesInFlightWhenInterrupted) {
  project_.write("jobs/many/urls.txt", site_.url("/shop?1") + "\n" + site_.url("/shop?2") + "\n");
  project_.write_job("many",
                     "urls_file = \"urls.txt\"\nselector = \"li\"\nfields = [\"name:a\"]\n");
  site_.hold("/shop");
  RunningHeddle run(project_.path(), {"run", "many", "--json"});
  ASSERT_TRUE(site_.wait_for_requests("/shop", 1));
  run.signal(SIGINT);
  site_.release("/shop");
  const ProgramResult result = run.wait();
  EXPECT_EQ(result.exit_code, 1);
  const json::value parsed = json::parse(result.out);
  EXPECT_EQ(parsed.at("state"), "cancelled");
  EXPECT_EQ(parsed.at("items").at("new"), 2);
  EXPECT_EQ(parsed.at("pages").at("done"), 1);
}

TEST_F(HeddleRun, RestrictsItsDataFolderToItsOwner) {
  project_.heddle_json({"run", "shop"});
  EXPECT_EQ(std::filesystem::status(project_.path() / "data").permissions(),
            std::filesystem::perms::owner_all);
}

TEST_F(HeddleRun, StoresNothingAndWritesItsFilesInDebugMode) {
  project_.write_job("shop", shop_job(site_) + "enabled = false\n");
  const json::value debug = project_.heddle_json({"debug", "shop"});
  EXPECT_EQ(debug.at("pages").at(0).at("items").as_array().size(), 2u);
  EXPECT_TRUE(std::filesystem::exists(project_.path() / "data/jobs/shop/response-1.html"));
  EXPECT_TRUE(std::filesystem::exists(project_.path() / "data/jobs/shop/fields-1.json"));
  project_.write_job("shop", shop_job(site_));
  EXPECT_EQ(project_.heddle_json({"run", "shop"}).at("items").at("new"), 2);
}

}  // namespace
}  // namespace heddle::testing
