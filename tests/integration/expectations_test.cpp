// What `heddle run`, `show`, `jobs` and `dead` say about jobs with [expect].
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/project_folder.hpp"
#include "tests/program/running_daemon.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {
namespace {

namespace json = boost::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Expectations : public ::testing::Test {
 protected:
  void SetUp() override { site_.answer("/", html("<h1>Welcome</h1>")); }
  void write_job(const std::string& rest) {
    project_.write_job("up", "url = \"" + site_.url("/") + "\"\nschedule = \"manual\"\n" + rest);
  }
  std::string check_state() {
    return std::string(project_.heddle_json({"show", "up"}).at("check_state").as_string());
  }
  json::array dead_letters() { return project_.heddle_json({"dead", "list"}).as_array(); }

  TestSite site_;
  ProjectFolder project_;
};

TEST_F(Expectations, DecideWhetherASiteIsUp) {
  write_job("watch = \"status\"\nalert_after = 1\n[retry]\nmax = 0\n");
  const RunningDaemon daemon(project_, 1);
  EXPECT_EQ(project_.heddle({"run", "up"}).exit_code, 0);
  EXPECT_EQ(check_state(), "ok");

  site_.answer("/", {.status = 503, .body = "down"});
  const ProgramResult down = project_.heddle({"run", "up"});
  EXPECT_EQ(down.exit_code, 1);
  EXPECT_THAT(down.out, AllOf(HasSubstr("expectation"),
                              HasSubstr("answered with status 503; expected status 200-299")));
  EXPECT_EQ(check_state(), "failing");
  site_.answer("/", misbehaving(SiteBehaviour::no_answer));
  EXPECT_EQ(project_.heddle({"run", "up"}).exit_code, 1);
  EXPECT_THAT(dead_letters(), IsEmpty());
  EXPECT_THAT(project_.heddle({"records", "up"}).out, Not(HasSubstr("Welcome")));

  site_.answer("/", html("<h1>Welcome</h1>"));
  EXPECT_EQ(project_.heddle_json({"run", "up"}).at("state"), "completed");
  EXPECT_EQ(check_state(), "ok");
}

TEST_F(Expectations, RetryAStatusThatMayPass) {
  write_job("watch = \"status\"\n[retry]\nbase = \"0s\"\n");
  site_.handle("/", [asked = std::make_shared<std::atomic<int>>(0)](const SiteRequest&) {
    return ++*asked < 3 ? SiteResponse{.status = 502} : html("<h1>Welcome</h1>");
  });
  EXPECT_EQ(project_.heddle({"run", "up"}).exit_code, 0);
  EXPECT_EQ(site_.count("/"), 3U);
}

TEST_F(Expectations, FailAPageWithoutTheirTextAndKeepItsItems) {
  const std::string rules = "selector = \"h1\"\n[expect]\ncontains = [\"welcome\"]\n";
  write_job(rules);
  EXPECT_EQ(project_.heddle_json({"run", "up"}).at("items").at("new"), 1);
  site_.answer("/", html("<h1>Sold out</h1>"));
  const json::value run = project_.heddle_json({"run", "up"});
  EXPECT_EQ(run.at("state"), "failed");
  EXPECT_EQ(run.at("pages").at("failed"), 1);
  EXPECT_EQ(run.at("errors").at(0).at("kind"), "expectation");
  EXPECT_EQ(run.at("errors").at(0).at("message"),
            "expected \"welcome\" on the page; it begins with \"Sold out\"");
  EXPECT_TRUE(run.at("notices").as_array().empty());
  EXPECT_EQ(site_.count("/"), 2U) << "a text is not retried";
  EXPECT_THAT(dead_letters(), IsEmpty());
  EXPECT_EQ(project_.heddle_json({"records", "up"}).as_array().size(), 1U);
}

TEST_F(Expectations, WarnOfASlowPage) {
  site_.handle("/", [](const SiteRequest&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // it cannot be faster
    return html("<h1>Welcome</h1>");
  });
  write_job("selector = \"h1\"\n[expect]\nmax_ms = 10\n");
  const ProgramResult run = project_.heddle({"run", "up"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, AllOf(HasSubstr("warning  http://"), HasSubstr("expected at most 10 ms"),
                             HasSubstr("1 new")));
  EXPECT_EQ(check_state(), "warning");
  const json::value last = project_.heddle_json({"run", "up"});
  EXPECT_TRUE(last.at("errors").as_array().empty());
  EXPECT_EQ(last.at("notices").at(0).at("kind"), "expectation");
  EXPECT_THAT(project_.heddle({"show", "up"}).out,
              AllOf(HasSubstr("warning"), HasSubstr("expected at most 10 ms")));
  EXPECT_THAT(project_.heddle({"jobs"}).out, HasSubstr("up: warning: the page took "));
  EXPECT_THAT(project_.heddle({"jobs", "--state", "warning"}).out, HasSubstr("up "));
  write_job("selector = \"h1\"\n[expect]\nmax_ms = 3600000\n");
  project_.heddle({"run", "up"});
  EXPECT_EQ(check_state(), "ok");
  EXPECT_THAT(project_.heddle({"jobs"}).out, Not(HasSubstr("warning:")));
}

TEST_F(Expectations, WarnAlsoAmongManyNotices) {
  std::string urls;
  for (int i = 0; i < 120; ++i) urls += "\"" + site_.url("/p" + std::to_string(i)) + "\", ";
  site_.handle_rest([](const SiteRequest& request) {
    if (request.path == "/p110") std::this_thread::sleep_for(std::chrono::milliseconds(600));
    return html("<p>" + request.path);
  });
  project_.write_job("up",
                     "urls = [" + urls +
                         "]\nschedule = \"manual\"\nselector = \"p\"\nworkers = 4\n"
                         "stagger = \"0s\"\nfields = [{ name = \"name\" }, \"price:.price\"]\n"
                         "[expect]\nmax_ms = 599\n");
  project_.heddle({"run", "up"});
  EXPECT_EQ(check_state(), "warning");
}

}  // namespace
}  // namespace heddle::testing
