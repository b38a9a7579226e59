// `heddle add`: from the address of a page to a job whose next run reports only what is new.
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/project_folder.hpp"
#include "tests/program/running_daemon.hpp"
#include "tests/program/terminal_program.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using ::testing::Not;

SiteResponse typed(std::string type, std::string body) {
  SiteResponse response;
  response.headers = {{"Content-Type", std::move(type)}};
  response.body = std::move(body);
  return response;
}

std::string shop(int products, const std::string& title = "Blankets | The mill") {
  std::string page = "<title>" + title + "</title><main><h1>Blankets</h1>";
  for (int i = 10; i < 10 + products; ++i) {
    const std::string number = std::to_string(i);
    page += "<div class=product-card><h3><a href=/p/" + number + ">Wool blanket number " + number +
            "</a></h3><span class=price>" + number + ".50 EUR</span></div>";
  }
  return page + "</main>";
}

class Add : public ::testing::Test {
 protected:
  Add() { site_.answer("/", html(shop(12))); }

  ProgramResult add(std::string path, std::vector<std::string> options = {"--yes"}) {
    options.insert(options.begin(), {"add", site_.url(path)});
    return project_.heddle(std::move(options));
  }
  [[nodiscard]] std::vector<std::string> job_folders() const {
    std::vector<std::string> names;
    std::error_code none;
    for (const auto& each : std::filesystem::directory_iterator(project_.path() / "jobs", none))
      names.push_back(each.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  [[nodiscard]] std::string config_of(const std::string& job) const {
    std::ostringstream text;
    text << std::ifstream(project_.path() / "jobs" / job / "config.toml").rdbuf();
    return text.str();
  }
  void expect_valid_project() const {
    const ProgramResult check = project_.heddle({"check"});
    EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
    EXPECT_THAT(check.out, HasSubstr("0 errors, 0 warnings, 0 notices"));
  }

  TestSite site_;
  ProjectFolder project_;
};

TEST_F(Add, WritesAJobThatReportsOnlyWhatComesAfterIt) {
  const ProgramResult added = add("/", {"--yes", "--every", "2h"});
  EXPECT_EQ(added.exit_code, 0) << added.err;
  EXPECT_THAT(added.out, HasSubstr("Wool blanket number 10"));
  EXPECT_THAT(added.out, HasSubstr("jobs/blankets/config.toml"));
  EXPECT_THAT(added.out, HasSubstr("12 items stored without a message"));
  EXPECT_THAT(added.out, HasSubstr("heddle records blankets"));
  expect_valid_project();
  EXPECT_THAT(config_of("blankets"), HasSubstr("interval = \"2h\""));
  EXPECT_EQ(project_.heddle_json({"records", "blankets"}).as_array().size(), 12U);
  site_.answer("/", html(shop(13)));
  EXPECT_EQ(project_.heddle_json({"run", "blankets"}).at("items").at("new"), 1);
}

TEST_F(Add, FollowsThePriceOfAProduct) {
  const auto show = [&](const std::string& price) {
    site_.answer("/p", html("<title>Lamp</title><main itemscope itemtype='https://schema.org/"
                            "Product'><h1 itemprop=name>Lamp</h1><div itemprop=offers itemscope "
                            "itemtype='https://schema.org/Offer'><meta itemprop=price content='" +
                            price +
                            "'><meta itemprop=priceCurrency content=EUR></div><form "
                            "action=/cart><button>Add to cart</button></form></main>"));
  };
  show("38.00");
  const ProgramResult added = add("/p", {"--yes", "--name", "lamp"});
  EXPECT_EQ(added.exit_code, 0) << added.err;
  EXPECT_EQ(project_.heddle({"changes", "lamp"}).out, "no changes yet\n");
  EXPECT_EQ(project_.heddle({"changes", "lamp", "--since", "1h"}).out, "no changes in this time\n");
  for (const char* price : {"35.00", "38.00"}) {
    show(price);
    const json::value run = project_.heddle_json({"run", "lamp"});
    EXPECT_EQ(run.at("items").at("changed"), 1);
    EXPECT_EQ(run.at("items").at("new"), 0);
  }
  const json::value changes = project_.heddle_json({"changes", "lamp"});
  ASSERT_EQ(changes.as_array().size(), 2U);
  EXPECT_EQ(changes.at(0).at("before"), "35.00");
  EXPECT_EQ(changes.at(0).at("after"), "38.00");
  EXPECT_EQ(changes.at(1).at("before"), "38.00");
  const json::value records = project_.heddle_json({"records", "lamp"});
  ASSERT_EQ(records.as_array().size(), 1U);
  EXPECT_EQ(records.at(0).at("state"), "present");
  EXPECT_THAT(project_.heddle({"records", "lamp"}).out, HasSubstr(" present "));
}

TEST_F(Add, PrintsOneJsonDocument) {
  const json::value added =
      project_.heddle_json({"add", site_.url("/"), "--yes", "--name", "Wool"});
  EXPECT_EQ(added.at("job"), "wool");
  EXPECT_EQ(added.at("file"), "jobs/wool/config.toml");
  EXPECT_EQ(added.at("picked"), 1);
  EXPECT_EQ(added.at("run").at("items").at("seen"), 12);
  EXPECT_EQ(added.at("candidates").at(0).at("samples").at(0).at("title"), "Wool blanket number 10");
  EXPECT_TRUE(added.at("error").is_null());
}

TEST_F(Add, OnlyLooksInADryRun) {
  const json::value added = project_.heddle_json({"add", site_.url("/"), "--dry-run"});
  EXPECT_TRUE(added.at("job").is_null());
  EXPECT_EQ(added.at("candidates").at(0).at("items"), 12);
  EXPECT_EQ(job_folders(), std::vector<std::string>{});
  EXPECT_FALSE(std::filesystem::exists(project_.path() / "data"));
}

TEST_F(Add, AsksOnATerminal) {
  site_.answer("/two", html(shop(6) + "<div class=news>" + [] {
                 std::string news;
                 for (int i = 10; i < 16; ++i)
                   news += "<div class=news-entry><h4><a href=/n/" + std::to_string(i) +
                           ">What the mill reports, part " + std::to_string(i) + "</a></h4></div>";
                 return news;
               }()));
  const auto answer = [&](const std::string& typed, const std::string& name) {
    return run_on_terminal(project_.path(), {"add", site_.url("/two"), "--name", name},
                           {.columns = 60, .environment = {{"LC_ALL", "C"}}, .typed = typed});
  };
  const TerminalResult first = answer("\n", "first");
  EXPECT_EQ(first.exit_code, 0) << first.output;
  EXPECT_THAT(first.output, HasSubstr("Which one? 1 to "));
  EXPECT_THAT(first.output, Not(HasSubstr("…")));  // the locale has ASCII only
  EXPECT_THAT(config_of("first"), HasSubstr(".product-card"));
  const TerminalResult second = answer("nonsense\n2\n", "second");
  EXPECT_EQ(second.exit_code, 0) << second.output;
  EXPECT_THAT(config_of("second"), HasSubstr(".news-entry"));
  const TerminalResult none = answer("n\n", "none");
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.output, HasSubstr("nothing was written"));
  EXPECT_EQ(job_folders(), (std::vector<std::string>{"first", "second"}));
}

TEST_F(Add, DoesNotGuessWithoutATerminal) {
  const ProgramResult added = add("/", {});
  EXPECT_EQ(added.exit_code, 2);
  EXPECT_THAT(added.err, HasSubstr("add --yes"));
  EXPECT_EQ(add("/", {"--json"}).exit_code, 2);
  EXPECT_EQ(site_.count("/"), 0U);
}

TEST_F(Add, LeavesNoFolderForPagesThatCannotBeWatched) {
  site_.answer("/login", html("<title>Log in</title><h1>Log in</h1><form><input name=user><input "
                              "type=password name=password><button>Log in</button></form>"));
  site_.answer("/pdf", typed("application/pdf", "%PDF-1.7 \x01\x02"));
  site_.answer("/empty", html(""));
  site_.answer("/app", html("<title>App</title><div id=root></div><script src=/a.js></script>"));
  SiteResponse wall = html(
      "<title>Just a moment...</title><h1>Checking your browser before "
      "accessing the site</h1><div class=g-recaptcha></div>");
  wall.status = 403;
  site_.answer("/wall", wall);
  const std::pair<const char*, const char*> cases[] = {
      {"/login", "asks to log in"},   {"/pdf", "a PDF"},      {"/empty", "the page is empty"},
      {"/app", "without JavaScript"}, {"/wall", "bot check"}, {"/missing", "404"}};
  for (const auto& [path, message] : cases) {
    const ProgramResult added = add(path);
    EXPECT_EQ(added.exit_code, 1) << path;
    EXPECT_THAT(added.err, HasSubstr(message)) << path;
    const ProgramResult as_json = add(path, {"--yes", "--json"});
    EXPECT_EQ(as_json.exit_code, 1) << path;
    EXPECT_FALSE(json::parse(as_json.out).at("error").is_null()) << path;
  }
  EXPECT_EQ(job_folders(), std::vector<std::string>{});
}

TEST_F(Add, IsGuardedAsRunsAre) {
  project_.write("heddle.toml", "");
  const ProgramResult added = add("/");
  EXPECT_EQ(added.exit_code, 1);
  EXPECT_THAT(added.err, HasSubstr("[network]"));
  EXPECT_EQ(site_.count("/"), 0U);
}

TEST_F(Add, RefusesWrongArguments) {
  EXPECT_EQ(add("/", {"--yes", "--every", "never"}).exit_code, 2);
  EXPECT_EQ(add("/", {"--yes", "--name", "..."}).exit_code, 2);
  EXPECT_EQ(add("/", {"--yes", "--watch", "text"}).exit_code, 2);
  EXPECT_EQ(add("/", {"--yes", "--pick", "9"}).exit_code, 2);
  EXPECT_EQ(add("/", {"--yes", "--below", "300"}).exit_code, 2);
  EXPECT_EQ(project_.heddle({"add", "ftp://shop.example/", "--yes"}).exit_code, 2);
  EXPECT_THAT(add("/", {"--yes", "--watch", "feed"}).err, HasSubstr("the page is not a feed"));
  EXPECT_EQ(job_folders(), std::vector<std::string>{});
}

TEST_F(Add, RefusesAProjectWhoseDefaultsChangeTheJob) {
  project_.write("heddle.toml",
                 "[network]\nallow = [\"127.0.0.1\"]\n[defaults]\njson_in = \"script\"\n");
  const ProgramResult added = add("/");
  EXPECT_EQ(added.exit_code, 1);
  EXPECT_THAT(added.err, HasSubstr("heddle.toml:4: defaults.json_in"));
  EXPECT_EQ(job_folders(), std::vector<std::string>{});
}

TEST_F(Add, NeverTakesANameThatIsThere) {
  EXPECT_EQ(add("/").exit_code, 0);
  const ProgramResult again = add("/");
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.err, HasSubstr("job 'blankets' fetches this address already"));
  EXPECT_EQ(job_folders(), (std::vector<std::string>{"blankets", "blankets-2"}));
  const ProgramResult named = add("/", {"--yes", "--name", "BLANKETS"});
  EXPECT_EQ(named.exit_code, 1);
  EXPECT_THAT(named.err, HasSubstr("choose another --name"));
  expect_valid_project();
}

TEST_F(Add, KeepsHostilePagesInTheirPlace) {
  const std::string titles[] = {"\"\n[webhook]\nenabled = true",
                                "'''\"\"\"\n",
                                "../../../etc/cron.d/x",
                                "\x1b[2J${env:HOME}{{x}}",
                                std::string(5000, 'x'),
                                "&#0;&#27;&quot;",
                                "   "};
  for (const std::string& title : titles) {
    site_.answer("/", html(shop(12, title)));
    const ProgramResult added = add("/");
    EXPECT_EQ(added.exit_code, 0) << title << added.err;
    EXPECT_EQ(added.out.find('\x1b'), std::string::npos);
  }
  expect_valid_project();
  EXPECT_EQ(job_folders().size(), std::size(titles));
}

TEST_F(Add, HidesSecretsOfTheAddress) {
  setenv("ADD_TEST_TOKEN", "very-secret-token", 1);
  site_.answer("/", html(shop(12, "very-secret-token blankets")));
  const ProgramResult added = add("/?token=${env:ADD_TEST_TOKEN}");
  unsetenv("ADD_TEST_TOKEN");
  EXPECT_EQ(added.exit_code, 0) << added.err;
  EXPECT_EQ(site_.requests("/").at(0).query, "token=very-secret-token");
  ASSERT_EQ(job_folders().size(), 1U);
  EXPECT_THAT(config_of(job_folders()[0]), HasSubstr("token=${env:ADD_TEST_TOKEN}"));
  EXPECT_THAT(config_of(job_folders()[0]), Not(HasSubstr("very-secret")));
  EXPECT_THAT(added.out + added.err, Not(HasSubstr("very-secret")));
}

TEST_F(Add, RunsTheBaselineInARunningDaemon) {
  project_.write_job(
      "other", "url = \"" + site_.url("/") + "\"\nschedule = \"manual\"\nselector = \"li\"\n");
  const RunningDaemon daemon(project_, 1);
  const ProgramResult added = add("/");
  EXPECT_EQ(added.exit_code, 0) << added.err;
  EXPECT_THAT(added.out, HasSubstr("heddle show blankets"));
  const json::value job = project_.heddle_json({"show", "blankets"});
  EXPECT_EQ(job.at("state"), "scheduled");
  EXPECT_EQ(project_.heddle_json({"records", "blankets"}).as_array().size(), 12U);
}

TEST_F(Add, FollowsFeedsAndJson) {
  site_.answer("/feed", typed("application/rss+xml",
                              "<rss version='2.0'><channel><title>News</title><item><title>One"
                              "</title><link>https://a.example/1</link></item></channel></rss>"));
  site_.answer("/api", typed("application/json",
                             R"({"items":[{"id":1,"name":"Tea"},{"id":2,"name":"Milk"}]})"));
  EXPECT_EQ(add("/feed").exit_code, 0);
  EXPECT_EQ(add("/api", {"--yes", "--name", "api"}).exit_code, 0);
  expect_valid_project();
  EXPECT_EQ(project_.heddle_json({"records", "news"}).as_array().size(), 1U);
  EXPECT_EQ(project_.heddle_json({"records", "api"}).as_array().size(), 2U);
}

}  // namespace
}  // namespace heddle::testing
