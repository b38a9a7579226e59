// [expect], watch = "status" and pages in place of the wanted one, through the whole pipeline.
#include "pipeline/page_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pipeline_for_test.hpp"
#include "store/sqlite/core/connection.hpp"

namespace heddle::pipeline {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kLogIn =
    "<title>Log in</title><h1>Log in</h1><form><label>User <input name=u></label>"
    "<label>Password <input type=password name=p></label><button>Log in</button></form>";
constexpr const char* kBotWall =
    "<title>Just a moment...</title><h1>Checking your browser before accessing shop.example</h1>"
    "<p>Please verify you are human</p><script>window._cf_chl_opt={}</script>";
constexpr const char* kErrorPage =
    "<title>404 Not Found</title><h1>Page not found</h1><p>This page does not exist.</p>";

class PageChecks : public ::testing::Test {
 protected:
  void load(const std::string& hooks = "") {
    auto loaded = world.load(hooks);
    ASSERT_TRUE(loaded) << loaded.error().message;
  }
  void show(const std::string& page, int status = 200) {
    world.site.answer("/", {.status = status,
                            .headers = {{"Content-Type", "text/html; charset=utf-8"}},
                            .body = page});
  }
  // "expectation: what is wrong"; empty: the page is done.
  std::string failure() {
    end = world.cycle();
    const auto* failed = std::get_if<PageFailure>(&end.outcome);
    if (failed == nullptr) return {};
    return std::string(to_text(failed->error.kind)) + ": " + failed->error.message;
  }
  [[nodiscard]] const PageFailure& failed() const { return std::get<PageFailure>(end.outcome); }
  // Of the page of the last run, as the run shows it.
  std::string shown_problem() {
    const auto run = world.drive(world.store->find_run(RunId{"run-" + std::to_string(world.runs)}));
    if (!run || !*run || (*run)->errors.empty()) return {};
    const RunError& error = (*run)->errors.front();
    return std::string(to_text(error.kind)) + ": " + error.message;
  }
  // A cycle with this response in place of a fetch; returns what the run shows.
  std::string problem_of(const FetchResponse& response) {
    CycleSpec spec;
    spec.lease = world.lease(world.site.url("/"));
    spec.canned = &response;
    end = world.drive(run_cycle(*world.services, *world.session, spec));
    EXPECT_EQ(failure_text(end), "");
    return shown_problem();
  }
  std::int64_t count(const std::string& table) {
    auto beside = store::Connection::open(world.project.data_dir / "heddle.db", {});
    return beside ? *(*beside)->query_integer("SELECT count(*) FROM " + table) : -1;
  }
  PipelineForTest world;
  CycleResult end;
};

TEST_F(PageChecks, FailAPageWithAnotherStatus) {
  world.job.expect.status = {{200, 299}};
  load();
  show("down", 503);
  EXPECT_EQ(failure(), "expectation: " + world.site.url("/") +
                           " answered with status 503; expected status 200-299");
  EXPECT_TRUE(failed().transient) << "the server may recover";
  show("none", 404);
  EXPECT_THAT(failure(), HasSubstr("answered with status 404; expected status 200-299"));
  EXPECT_FALSE(failed().transient);
  show(PipelineForTest::kPage);
  EXPECT_EQ(failure(), "");
}

TEST_F(PageChecks, TakeAnErrorForTheSuccessThatIsExpected) {
  world.job.expect.status = {{404, 404}};
  load();
  show(PipelineForTest::kPage, 404);
  EXPECT_EQ(failure(), "");
  EXPECT_THAT(world.stored_names(), ElementsAre("Milk", "Tea"));
  show(kErrorPage, 404);
  EXPECT_EQ(failure(), "") << "an error page is what the job wants";
  show(PipelineForTest::kPage);
  EXPECT_EQ(failure(), "expectation: " + world.site.url("/") +
                           " answered with status 200; expected status 404");
  EXPECT_FALSE(failed().transient);
}

TEST_F(PageChecks, LeaveAnHttpErrorAloneWithoutAnExpectedStatus) {
  world.job.expect.contains = {"Tea"};
  load();
  show("none", 404);
  EXPECT_EQ(failure(), "http: " + world.site.url("/") + " answered with status 404");
}

TEST_F(PageChecks, FollowRedirectsBeforeTheStatusIsJudged) {
  world.job.expect.status = {{404, 404}};
  world.site.answer("/", testing::redirect("/gone"));
  world.site.answer("/gone", {.status = 404, .body = "gone"});
  load();
  EXPECT_EQ(failure(), "");
}

TEST_F(PageChecks, CanExpectARedirectThatIsNotFollowed) {
  world.job.expect.status = {{302, 302}};
  world.job.watch = WatchKind::status;
  world.job.limits.redirects = 0;
  world.site.answer("/", testing::redirect("/login"));
  load();
  EXPECT_EQ(failure(), "");
  EXPECT_EQ(world.site.count("/login"), 0U);
}

TEST_F(PageChecks, JudgeTheStatusOfAnOverriddenFetchToo) {
  world.job.expect.status = {{200, 200}};
  load("function override_fetch() return {status = 204, body = ''} end");
  EXPECT_EQ(failure(), "expectation: the answer was 204; expected status 200");
}

TEST_F(PageChecks, JudgeTheStatusOfADownloadThatAnotherJobMade) {
  load();
  world.session->shares_pages = true;
  EXPECT_EQ(failure(), "");
  world.job.id = {"other"};
  ASSERT_TRUE(world.drive(world.store->put_job_name({world.job.id, "Other", "web", "1"})));
  world.job.expect.status = {{404, 404}};
  ASSERT_TRUE(world.load_job());
  world.session->shares_pages = true;
  EXPECT_THAT(failure(), HasSubstr("answered with status 200; expected status 404"));
  EXPECT_EQ(world.site.count("/"), 1U);
}

TEST_F(PageChecks, JudgeTheStatusOfAnUnmodifiedPage) {
  world.site.handle("/", [](const testing::SiteRequest& request) {
    if (request.header("If-None-Match") == "\"1\"") return testing::SiteResponse{.status = 304};
    return testing::html(PipelineForTest::kPage).with_header("ETag", "\"1\"");
  });
  load();
  EXPECT_EQ(failure(), "");
  world.job.expect.status = {{404, 404}};
  ASSERT_TRUE(world.load_job());
  EXPECT_THAT(failure(), HasSubstr("answered with status 304; expected status 404"));
  world.job.expect.status = {{200, 200}};
  ASSERT_TRUE(world.load_job());
  EXPECT_EQ(failure(), "");
  EXPECT_TRUE(std::get<PageDone>(end.outcome).is_unchanged);
}

TEST_F(PageChecks, FailAPageWithoutAnExpectedTextAndStoreNothingOfIt) {
  world.job.expect.contains = {"tea"};
  load();
  EXPECT_EQ(failure(), "");
  const auto versions = count("versions");
  show("<title>Shop</title><ul><li><b>Coffee</b></li></ul>");
  EXPECT_EQ(failure(), "expectation: expected \"tea\" on the page; it begins with \"Shop Coffee\"");
  EXPECT_FALSE(failed().transient);
  EXPECT_THAT(world.stored_names(), ElementsAre("Milk", "Tea"));
  EXPECT_EQ(count("versions"), versions);
  show(PipelineForTest::kPage);
  EXPECT_EQ(failure(), "");
  EXPECT_TRUE(std::get<PageDone>(end.outcome).is_unchanged) << "page memory was kept";
}

TEST_F(PageChecks, FailAPageWithAnUnwantedText) {
  world.job.expect.not_contains = {"maintenance"};
  load();
  show(std::string(PipelineForTest::kPage) + "<!-- maintenance --><p>Down for Maintenance</p>");
  EXPECT_THAT(failure(), AllOf(HasSubstr("expectation: found \"maintenance\""),
                               HasSubstr("Down for Maintenance")));
  EXPECT_THAT(world.stored_names(), IsEmpty());
  show(std::string(PipelineForTest::kPage) + "<!-- maintenance -->");
  EXPECT_EQ(failure(), "");
}

TEST_F(PageChecks, JudgeTheTextAgainWhenTheRulesWereEdited) {
  load();
  EXPECT_EQ(failure(), "");
  world.job.expect.contains = {"Coffee"};
  ASSERT_TRUE(world.load_job());
  EXPECT_THAT(failure(), HasSubstr("expected \"Coffee\"")) << "though the body is the same";
}

TEST_F(PageChecks, FailAPageThatIsTooLargeToBeRead) {
  world.job.expect.contains = {"Tea"};
  world.job.limits.nodes = 3;
  load();
  EXPECT_THAT(failure(), AllOf(StartsWith("too_complex: "), Not(HasSubstr("too_complex: too"))));
}

TEST_F(PageChecks, JudgeTheTextThatAScriptHasChanged) {
  world.job.expect.contains = {"Coffee"};
  load(R"(function after_fetch(result)
    result.response.body = result.response.body .. "<p>Coffee</p>"
    return result
  end)");
  EXPECT_EQ(failure(), "");
}

TEST_F(PageChecks, FailAPageWithTooFewItems) {
  world.job.expect.min_items = 2;
  world.job.keywords = {"Tea"};
  load();
  EXPECT_EQ(failure(), "") << "both are on the page, though one is of no interest";
  show("<ul><li><b>Tea</b></li></ul>");
  EXPECT_EQ(failure(), "expectation: expected at least 2 items on the page; it has 1");
  EXPECT_THAT(world.stored_names(), ElementsAre("Tea"));
  show("<p>nothing</p>");
  EXPECT_EQ(failure(), "expectation: expected at least 2 items on the page; it has 0");
}

TEST_F(PageChecks, WarnOfASlowPageAndOfItsCertificateAndKeepTheData) {
  world.job.expect.max_time = 1000ms;
  world.job.expect.tls_days = 14;
  load();
  FetchResponse response;
  response.status = 200;
  response.url = "https://shop.example/";
  response.headers = {{"content-type", "text/html"}};
  response.body = PipelineForTest::kPage;
  response.time = 1500ms;
  EXPECT_EQ(problem_of(response), "expectation: the page took 1500 ms, expected at most 1000 ms");
  EXPECT_THAT(world.stored_names(), ElementsAre("Milk", "Tea"));
  response.time = 900ms;
  response.certificate_expires_at = world.clock.now() + 49h;
  EXPECT_THAT(problem_of(response),
              HasSubstr("expectation: the certificate of shop.example is valid for 2 days"));
  EXPECT_TRUE(std::get<PageDone>(end.outcome).is_unchanged) << "judged all the same";
  response.certificate_expires_at = world.clock.now() + 24h * 15;
  EXPECT_EQ(problem_of(response), "");
}

TEST_F(PageChecks, WarnRatherThanNoticeAnEmptyField) {
  world.job.expect.max_time = 1ms;
  world.job.fields.push_back({"price", ".none", "", FieldType::text, ""});
  load();
  FetchResponse response;
  response.status = 200;
  response.url = "http://shop.example/";
  response.headers = {{"content-type", "text/html"}};
  response.body = PipelineForTest::kPage;
  EXPECT_EQ(problem_of(response), "empty_field: field \"price\" is empty in all items");
  response.time = 5ms;
  EXPECT_EQ(problem_of(response), "expectation: the page took 5 ms, expected at most 1 ms");
}

class StatusWatch : public PageChecks {
 protected:
  StatusWatch() {
    world.job.watch = WatchKind::status;
    world.job.selector.clear();
    world.job.fields.clear();
  }
};

TEST_F(StatusWatch, StoresNeitherItemsNorVersions) {
  load();
  EXPECT_EQ(failure(), "");
  EXPECT_EQ(shown_problem(), "");
  EXPECT_EQ(count("versions"), 0);
  EXPECT_EQ(count("contents"), 0);
  EXPECT_EQ(count("items"), 0);
  EXPECT_EQ(count("pages"), 1);
  show("<p>something else</p>");
  EXPECT_EQ(failure(), "");
  EXPECT_EQ(count("versions"), 0);
}

TEST_F(StatusWatch, FailsWithTheStatusAlsoWhenNoneIsGiven) {
  load();
  show(kBotWall, 403);
  EXPECT_EQ(failure(), "expectation: " + world.site.url("/") +
                           " answered with status 403; expected status 200-299");
}

TEST_F(StatusWatch, CanExpectTexts) {
  world.job.expect.contains = {"welcome"};
  load();
  show("<h1>Welcome</h1>");
  EXPECT_EQ(failure(), "");
  show(kLogIn);
  EXPECT_THAT(failure(), HasSubstr("expectation: expected \"welcome\""));
}

TEST_F(StatusWatch, TakesAnyPageForContent) {
  load();
  for (const char* page : {kLogIn, kBotWall, kErrorPage, ""}) {
    show(page);
    EXPECT_EQ(failure(), "") << page;
  }
}

TEST_F(StatusWatch, RunsTheHooksOfTheFetchAndTheLastOnes) {
  load(R"(
    function after_fetch(result) print("fetched") return result end
    function after_extract(items) print("extracted") return items end
    function on_success() print("success") end)");
  EXPECT_EQ(failure(), "");
  EXPECT_EQ(world.log.text(), "fetched\nsuccess\n");
}

// Read from responses in place of fetches: behind a wrong page the host has to wait.
class WrongPages : public PageChecks {
 protected:
  std::string read(const std::string& page, std::string type = "text/html") {
    FetchResponse response;
    response.status = 200;
    response.url = "https://shop.example/";
    response.headers = {{"content-type", std::move(type)}};
    response.body = page;
    CycleSpec spec;
    spec.lease = world.lease(world.site.url("/"));
    spec.canned = &response;
    end = world.drive(run_cycle(*world.services, *world.session, spec));
    const auto* failed = std::get_if<PageFailure>(&end.outcome);
    if (failed == nullptr) return {};
    return std::string(to_text(failed->error.kind)) + ": " + failed->error.message;
  }
};

TEST_F(WrongPages, FailAndLeaveWhatIsStored) {
  load();
  EXPECT_EQ(read(PipelineForTest::kPage), "");
  const auto versions = count("versions");
  for (const auto& [page, kind] : {std::pair{kLogIn, "login_required: the page asks to log in: "},
                                   {kBotWall, "bot_wall: the site returned a bot check"},
                                   {kErrorPage, "error_page: the page is an error page: "}}) {
    EXPECT_THAT(read(page), AllOf(StartsWith(kind), HasSubstr("selector \"li\"")));
    EXPECT_TRUE(failed().transient) << kind;
    EXPECT_FALSE(failed().stored) << kind;
  }
  EXPECT_EQ(count("versions"), versions);
  EXPECT_THAT(world.stored_names(), ElementsAre("Milk", "Tea"));
  EXPECT_EQ(read(PipelineForTest::kPage), "");
  EXPECT_TRUE(std::get<PageDone>(end.outcome).is_unchanged) << "page memory was kept";
}

TEST_F(WrongPages, SlowTheirHostDown) {
  for (const char* page : {kLogIn, kBotWall, kErrorPage}) {
    PipelineForTest own;
    ASSERT_TRUE(own.load());
    const auto enter = [&own](const std::string& host, std::chrono::seconds wait) {
      return own
          .drive(enter_gate(*own.gate, host, nullptr, std::chrono::steady_clock::now() + wait))
          .has_value();
    };
    const std::string host = net::gate_key(*Url::parse(own.site.url()));
    EXPECT_EQ(failure_text(own.cycle()), "");
    EXPECT_TRUE(enter(host, 10s));
    own.site.answer("/", testing::html(page));
    EXPECT_NE(failure_text(own.cycle()), "");
    EXPECT_FALSE(enter(host, 0s)) << page;
    EXPECT_TRUE(enter("other.example", 10s));
  }
}

TEST_F(WrongPages, SayNothingAboutTheirHostInATestOfAScript) {
  load();
  EXPECT_THAT(read(kBotWall), StartsWith("bot_wall: "));
  EXPECT_TRUE(world
                  .drive(enter_gate(*world.gate, "shop.example", nullptr,
                                    std::chrono::steady_clock::now() + 1s))
                  .has_value());
}

TEST_F(WrongPages, AreContentWhereTheJobFindsItems) {
  load();
  EXPECT_EQ(read(std::string(kLogIn) + PipelineForTest::kPage), "");
  EXPECT_THAT(world.stored_names(), ElementsAre("Milk", "Tea"));
}

TEST_F(WrongPages, AreRecognizedBehindAnHttpError) {
  load();
  show(kBotWall, 403);
  EXPECT_THAT(failure(), AllOf(StartsWith("bot_wall: the site returned a bot check"),
                               HasSubstr("answered with status 403")));
}

TEST_F(WrongPages, AreNotSeenInOrdinaryHttpErrors) {
  load();
  for (const int status : {403, 404, 500}) {
    show("<title>Error</title><h1>Error</h1>", status);
    EXPECT_THAT(failure(), StartsWith("http: ")) << status;
  }
}

TEST_F(WrongPages, AreRecognizedInPlaceOfJson) {
  world.job.selector = "$.items[*]";
  world.job.fields = {{"name", "$.name", "", FieldType::text, "", SelectorKind::json_path}};
  load();
  EXPECT_THAT(read(kBotWall), StartsWith("bot_wall: "));
  EXPECT_THAT(read("<p>Hello</p>"), StartsWith("bad_content: "));
}

TEST_F(WrongPages, AreRecognizedInPlaceOfAFeed) {
  world.job.watch = WatchKind::feed;
  load();
  EXPECT_THAT(read(kLogIn), StartsWith("login_required: "));
}

TEST_F(WrongPages, TellMoreThanAMissingText) {
  world.job.expect.contains = {"Tea"};
  load();
  EXPECT_THAT(read(kBotWall), AllOf(StartsWith("bot_wall: "), HasSubstr("expected \"Tea\"")));
  EXPECT_THAT(read("<p>Hello</p>"), StartsWith("expectation: "));
}

TEST_F(WrongPages, AreReadAgainWhenAnEarlierVersionStoredThem) {
  load();
  EXPECT_EQ(read(PipelineForTest::kPage), "");
  auto beside = store::Connection::open(world.project.data_dir / "heddle.db", {});
  ASSERT_TRUE(beside);
  ASSERT_TRUE((*beside)->execute("UPDATE pages SET finding_kind = 'bot_wall', finding = 'x'"));
  EXPECT_EQ(read(PipelineForTest::kPage), "");
  EXPECT_FALSE(std::get<PageDone>(end.outcome).is_unchanged);
  EXPECT_EQ(shown_problem(), "");
}

TEST_F(WrongPages, AreShownToAfterFetch) {
  load("function after_fetch(result) print(result.class) return result end");
  EXPECT_THAT(read(kLogIn), StartsWith("login_required: "));
  EXPECT_THAT(read("{}", "application/json"), Not(HasSubstr("login")));
  show(kBotWall, 403);
  EXPECT_THAT(failure(), StartsWith("bot_wall: "));
  EXPECT_EQ(world.log.text(), "login\nnil\nbot_wall\n");
}

TEST_F(WrongPages, AreOverruledByAfterFetch) {
  for (const char* to : {"nil", "'generic'", "false"}) {
    PipelineForTest own;
    ASSERT_TRUE(own.load(std::string("function after_fetch(result) if result.class == 'login' then "
                                     "result.class = ") +
                         to + " end return result end"));
    own.site.answer("/", testing::html(kLogIn));
    EXPECT_EQ(failure_text(own.cycle()), "") << to;
  }
}

TEST_F(WrongPages, MayBeNamedByAfterFetch) {
  load(R"(function after_fetch(result)
    if result.response.body:find("Sorry") then result.class = "bot_wall" end
    return result
  end)");
  EXPECT_EQ(read(PipelineForTest::kPage), "");
  EXPECT_EQ(
      read(std::string("<p>Sorry</p>") + PipelineForTest::kPage),
      "bot_wall: the site returned a bot check (CAPTCHA) instead of the page: after_fetch set "
      "result.class");
}

TEST_F(WrongPages, KeepTheirClassWhenAfterFetchReturnsATableOfItsOwn) {
  load(R"(function after_fetch(result)
    if result.class then print("class") end
    return {response = {body = result.response.body}}
  end)");
  EXPECT_THAT(read(kLogIn), StartsWith("login_required: "));
}

TEST_F(WrongPages, AreNotClassifiedForScriptsThatDoNotAsk) {
  load("function after_fetch(result) for k in pairs(result) do print(k) end return result end");
  EXPECT_THAT(read(kLogIn), StartsWith("login_required: ")) << "no items were found";
  EXPECT_THAT(world.log.text(), Not(HasSubstr("class")));
}

}  // namespace
}  // namespace heddle::pipeline
