// What `heddle run` and `heddle show` say about pages and scripts that do not do what the job
// means.
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
using ::testing::Not;

class PageProblems : public ::testing::Test {
 protected:
  void SetUp() override {
    site_.answer("/", html("<ul><li><b>Tea</b></li><li><b>Pot</b></li></ul>"));
    write_job();
  }
  void write_job(const std::string& more = "") {
    project_.write_job("shop", "url = \"" + site_.url("/") +
                                   "\"\nselector = \"li\"\nfields = [\"name:b\"]\n"
                                   "schedule = \"manual\"\n" +
                                   more);
  }
  void write_script(const std::string& text) { project_.write("jobs/shop/hooks.lua", text); }
  std::string check_state() {
    return std::string(project_.heddle_json({"show", "shop"}).at("check_state").as_string());
  }
  std::string names() { return project_.heddle({"records", "shop", "--format", "csv"}).out; }

  TestSite site_;
  ProjectFolder project_;
};

constexpr const char* kHotTea =
    "function filter_item(item)\n  if item.fields.name == 'Tea' then error('too hot') end\n"
    "  return item\nend\n";

TEST_F(PageProblems, ShowAnErrorOfFilterItemAndStoreTheOtherItems) {
  write_script(kHotTea);
  const ProgramResult run = project_.heddle({"run", "shop"});
  EXPECT_NE(run.exit_code, 0);
  EXPECT_THAT(run.out, AllOf(HasSubstr("hooks.lua:2: too hot"), HasSubstr("failed for 1 of 2"),
                             HasSubstr("1 failed")));
  EXPECT_THAT(names(), AllOf(HasSubstr("Pot"), Not(HasSubstr("Tea"))));

  project_.heddle({"run", "shop"});
  EXPECT_EQ(check_state(), "failing");

  write_script("function filter_item(item) return item end\n");
  const json::value mended = project_.heddle_json({"run", "shop"});
  EXPECT_EQ(mended.at("state"), "completed");
  EXPECT_EQ(mended.at("items").at("new"), 1) << "the item that was held back";
  EXPECT_THAT(names(), HasSubstr("Tea"));
  EXPECT_EQ(check_state(), "ok");
}

TEST_F(PageProblems, ShowAnErrorOfFilterItemInADaemonToo) {
  write_script(kHotTea);
  const RunningDaemon daemon(project_, 1);
  const ProgramResult run = project_.heddle({"run", "shop"});
  EXPECT_NE(run.exit_code, 0);
  EXPECT_THAT(run.out, AllOf(HasSubstr("hooks.lua:2: too hot"), HasSubstr("1 failed")));
  EXPECT_THAT(names(), HasSubstr("Pot"));
}

TEST_F(PageProblems, KeepTheItemWhenTheProjectSaysSoAndStillShowTheError) {
  const std::string project = "[network]\nallow = [\"127.0.0.1\"]\n";
  project_.write("heddle.toml", project + "[script]\non_error = \"keep\"\n");
  write_script(kHotTea);
  const ProgramResult run = project_.heddle({"run", "shop"});
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_THAT(run.out, AllOf(HasSubstr("too hot"), HasSubstr("2 new")));
}

TEST_F(PageProblems, BecomeTheCheckStateWhenASelectorNeverMatches) {
  site_.answer("/", html("<ul></ul>"));
  for (int i = 0; i < 3; ++i) {
    const ProgramResult run = project_.heddle({"run", "shop"});
    EXPECT_EQ(run.exit_code, 0) << run.out;
    EXPECT_THAT(run.out, HasSubstr("selector \"li\" matches nothing on the page"));
    EXPECT_EQ(check_state(), i == 0 ? "pending" : "selector_broken");
  }
  EXPECT_THAT(project_.heddle({"check"}).out,
              HasSubstr("jobs/shop/config.toml:3: selector: warning: \"li\" has matched nothing in "
                        "any run so far"));
}

TEST_F(PageProblems, NameAnEmptyPageAndPlainText) {
  write_job("[retry]\nmax = 0\n");
  site_.answer("/", SiteResponse{.status = 204});
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT(project_.heddle({"run", "shop"}).out, HasSubstr("the page is empty"));
  EXPECT_EQ(check_state(), "selector_broken");
  site_.answer("/", SiteResponse{.body = "sold out"}.with_header("Content-Type", "text/plain"));
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT(project_.heddle({"run", "shop"}).out, HasSubstr("the page is plain text"));
  EXPECT_EQ(check_state(), "selector_broken");
}

TEST_F(PageProblems, AreNoneWhenTheJobSaysThatPagesMayBeEmpty) {
  write_job("[expect]\nmin_items = 0\n");
  for (const char* body : {"<ul></ul>", ""}) {
    site_.answer("/", html(body));
    for (int i = 0; i < 2; ++i) EXPECT_EQ(project_.heddle({"run", "shop"}).exit_code, 0) << body;
    EXPECT_EQ(check_state(), "ok") << body;
  }
}

TEST_F(PageProblems, BecomeTheCheckStateWhenItemsVanishForTheSecondTime) {
  project_.heddle({"run", "shop"});
  EXPECT_EQ(check_state(), "ok");
  site_.answer("/", html("<p>Our new shop</p>"));
  EXPECT_THAT(project_.heddle({"run", "shop"}).out, HasSubstr("it had items before"));
  EXPECT_EQ(check_state(), "ok");
  const json::value again = project_.heddle_json({"run", "shop"});  // the page has not changed
  ASSERT_EQ(again.at("notices").as_array().size(), 1u) << again;
  EXPECT_EQ(again.at("notices").at(0).at("kind"), "no_items");
  EXPECT_TRUE(again.at("errors").as_array().empty());
  EXPECT_EQ(check_state(), "selector_broken");
  EXPECT_THAT(project_.heddle({"check"}).out, Not(HasSubstr("matched nothing")));
  site_.answer("/", html("<li><b>Tea</b></li>"));
  project_.heddle({"run", "shop"});
  EXPECT_EQ(check_state(), "ok");
}

TEST_F(PageProblems, FailARunWhosePageAsksToLogIn) {
  write_job("[retry]\nmax = 0\n");
  site_.answer("/", html("<title>Log in</title><h1>Log in</h1><form><label>User <input name=u>"
                         "</label><label>Password <input type=password name=p></label>"
                         "<button>Log in</button></form>"));
  for (int i = 0; i < 2; ++i) {
    const ProgramResult run = project_.heddle({"run", "shop"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.out, AllOf(HasSubstr("login_required"), HasSubstr("the page asks to log in")));
    EXPECT_EQ(check_state(), "login_required");
  }
  EXPECT_THAT(project_.heddle({"show", "shop"}).out, HasSubstr("the page asks to log in"));
}

TEST_F(PageProblems, FailARunWhoseSiteReturnsAnotherPage) {
  write_job("[retry]\nmax = 0\n");
  const RunningDaemon daemon(project_, 1);
  EXPECT_EQ(project_.heddle({"run", "shop"}).exit_code, 0);
  site_.answer("/", html("<title>Just a moment...</title><h1>Checking your browser</h1><p>Verify "
                         "you are human</p><script>_cf_chl_opt={}</script>"));
  const ProgramResult run = project_.heddle({"run", "shop"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, AllOf(HasSubstr("bot_wall"), HasSubstr("1 failed")));
  EXPECT_EQ(check_state(), "ok") << "it may not last";
  EXPECT_THAT(names(), AllOf(HasSubstr("Tea"), HasSubstr("Pot")));
  EXPECT_TRUE(project_.heddle_json({"dead", "list"}).as_array().empty());
}

TEST_F(PageProblems, NameAFieldThatMatchesNothing) {
  project_.write_job("shop", "url = \"" + site_.url("/") +
                                 "\"\nselector = \"li\"\nschedule = \"manual\"\n"
                                 "fields = [\"name:b\", \"price:.price\"]\n");
  EXPECT_THAT(project_.heddle({"run", "shop"}).out,
              HasSubstr("field \"price\" is empty in all items"));
  EXPECT_THAT(project_.heddle({"check", "shop"}).out,
              AllOf(HasSubstr("5: fields: warning: field \"price\" has matched nothing in any run"),
                    Not(HasSubstr("field \"name\""))));
  write_job();  // what was found with other rules does not count
  EXPECT_THAT(project_.heddle({"check", "shop"}).out, Not(HasSubstr("matched nothing")));
  EXPECT_EQ(check_state(), "pending");
}

TEST_F(PageProblems, SayThatAPageIsAPdf) {
  site_.answer("/", {.headers = {{"Content-Type", "application/pdf"}}, .body = "%PDF-1.7 ..."});
  EXPECT_THAT(project_.heddle({"run", "shop"}).out, HasSubstr("the page is a PDF, not HTML"));
  project_.heddle({"run", "shop"});
  EXPECT_EQ(check_state(), "selector_broken");
}

TEST_F(PageProblems, SayThatAFeedIsReadAsHtml) {
  site_.answer("/", {.headers = {{"Content-Type", "application/rss+xml"}},
                     .body = "<?xml version=\"1.0\"?><rss><channel><item><title>Tea</title>"
                             "<link>http://a/tea</link></item></channel></rss>"});
  project_.write_job("shop",
                     "url = \"" + site_.url("/") +
                         "\"\nformat = \"html\"\nselector = \"item\"\nschedule = \"manual\"\n"
                         "fields = [\"title:title\", \"link:link\"]\n");
  EXPECT_THAT(project_.heddle({"run", "shop"}).out,
              AllOf(HasSubstr("the page is an RSS feed, which `format = \"html\"` reads as HTML"),
                    HasSubstr("field \"link\" is empty")));
  project_.heddle({"run", "shop"});
  EXPECT_EQ(check_state(), "selector_broken");
}

TEST_F(PageProblems, ShowAnErrorOfAHookAfterWhichTheCycleContinues) {
  write_script("function after_extract(items) error('no tea') end\n");
  const ProgramResult run = project_.heddle({"run", "shop"});
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_THAT(run.out, AllOf(HasSubstr("after_extract: "), HasSubstr("no tea")));
  project_.heddle({"run", "shop"});
  EXPECT_EQ(check_state(), "failing");
}

}  // namespace
}  // namespace heddle::testing
