// Every project of examples/, copied and run.
#include <algorithm>
#include <cstdlib>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/examples/example_project.hpp"

namespace heddle::testing {
namespace {

namespace json = boost::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() / "examples"))
    if (std::filesystem::exists(entry.path() / "heddle.toml"))
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

class EveryExample : public ::testing::TestWithParam<std::string> {
 protected:
  TestSite site_;
  ExampleProject project_{GetParam(), site_};
};

INSTANTIATE_TEST_SUITE_P(Examples, EveryExample, ::testing::ValuesIn(example_names()),
                         [](const auto& example) { return example.param; });

TEST_P(EveryExample, PassesItsCheck) {
  const ProgramResult result = project_.heddle({"check"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr("0 errors, 0 warnings, 0 notices"));
}

TEST_P(EveryExample, PassesItsOwnTests) {
  const ProgramResult result = project_.heddle({"test"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr(" passed, 0 failed"));
  EXPECT_EQ(site_.connections(), 0u) << "its tests need a network";
}

TEST_P(EveryExample, HasAReadmeAndIsListed) {
  EXPECT_THAT(project_.read("README.md"), HasSubstr("heddle test"));
  EXPECT_THAT(read_text(source_folder() / "examples" / "README.md"),
              HasSubstr("](" + GetParam() + ")"));
}

// The values of one field of all records, oldest first.
std::vector<std::string> field_values(const json::value& records, std::string_view field) {
  std::vector<std::string> values;
  for (const json::value& record : records.as_array())
    if (const json::value* value = record.at("fields").as_object().if_contains(field))
      values.emplace_back(value->as_string());
  std::reverse(values.begin(), values.end());
  return values;
}

class Example : public ::testing::Test {
 protected:
  void SetUp() override {
    site_.answer("/", shop_page({"Kettle|€ 49.50|in stock", "Lamp|€ 159.00|in stock",
                                 "Candles|€ 12.90|sold out"}));
  }
  TestSite site_;
};

TEST_F(Example, BasicAddsAHeaderAndAField) {
  ExampleProject project("basic", site_);
  EXPECT_EQ(project.run("shop").at("items").at("new"), 3);
  EXPECT_THAT(field_values(project.records("shop"), "amount"),
              ElementsAre("49.50", "159.00", "12.90"));
  EXPECT_EQ(site_.requests("/").at(0).header("Accept-Language"), "en");
  EXPECT_THAT(project.log(), HasSubstr("[shop] found 3 items on " + site_.url("/")));
}

TEST_F(Example, FilteredStoresBargainsAndNotifiesTheChat) {
  site_.answer("/chat", SiteResponse{.status = 204});
  ExampleProject project("filtered", site_);
  EXPECT_EQ(project.run("shop").at("items").at("new"), 1);
  ASSERT_EQ(site_.count("/chat"), 1u);
  EXPECT_EQ(parse_json(site_.requests("/chat").at(0).body),
            parse_json(R"({"text":"Bargains:\nKettle for € 49.50"})"));
}

TEST_F(Example, PaginatedReadsEveryPageOnce) {
  serve_files(site_, source_folder() / "examples" / "paginated" / "site");
  ExampleProject project("paginated", site_);
  EXPECT_EQ(project.run("books").at("items").at("new"), 7);
  for (const char* page : {"/page1.html", "/page2.html", "/page3.html"})
    EXPECT_EQ(site_.count(page), 1u) << page;
  const auto links = field_values(project.records("books"), "link");
  ASSERT_EQ(links.size(), 7u);
  EXPECT_EQ(links.front(), site_.url("/book/Warp-and-Weft"));
  EXPECT_EQ(links.back(), site_.url("/book/Selvedge"));
}

TEST_F(Example, PaginatedKeepsTheFirstPagesWhenALaterOneFails) {
  serve_files(site_, source_folder() / "examples" / "paginated" / "site");
  site_.answer("/page3.html", SiteResponse{.status = 500});
  ExampleProject project("paginated", site_);
  EXPECT_EQ(project.run("books").at("items").at("new"), 5);
  EXPECT_THAT(project.log(), HasSubstr("stopped after page 2 500"));
}

TEST_F(Example, JsonApiSendsItsTokenAndReadsTheResponse) {
  serve_files(site_, source_folder() / "examples" / "json_api" / "site");
  ExampleProject project("json_api", site_);
  setenv("HEDDLE_ENV_API_TOKEN", "t0ken", 1);
  const json::value run = project.run("parts");
  unsetenv("HEDDLE_ENV_API_TOKEN");
  EXPECT_EQ(run.at("items").at("new"), 3);
  EXPECT_EQ(site_.requests("/api/parts.json").at(0).header("Authorization"), "Bearer t0ken");
  const json::value records = project.records("parts");
  EXPECT_THAT(field_values(records, "price"), ElementsAre("16.90 EUR", "48.00 EUR"));
  EXPECT_THAT(field_values(records, "stock"), ElementsAre("12", "0", "3"));
}

TEST_F(Example, JsonApiFailsWithThePositionOfTheError) {
  site_.answer("/api/parts.json", html("<h1>Maintenance</h1>"));
  ExampleProject project("json_api", site_);
  const json::value run = project.run("parts");
  EXPECT_EQ(run.at("state"), "failed");
  EXPECT_THAT(std::string(run.at("errors").at(0).at("message").as_string()),
              HasSubstr("jobs/parts/hooks.lua:15: the API did not answer in JSON"));
}

// The site is the proxy as well: proxy requests have an absolute URL.
class ExampleWithProxies : public Example {
 protected:
  void SetUp() override {
    dead_ = "http://127.0.0.1:9";  // the discard port, which has no listener
    for (TestSite* proxy : {&angry_, &good_})
      proxy->handle_rest([proxy, this](const SiteRequest& request) {
        if (proxy == &angry_ || !is_for_the_shop(request)) return SiteResponse{.status = 403};
        return shop_page({"Kettle|€ 49.50|in stock"});
      });
    project_.replace(
        "jobs/shop/config.toml", "proxies = \"http://127.0.0.1:8098 " + address_of(site_) + "\"",
        "proxies = \"" + dead_ + " " + address_of(angry_) + " " + address_of(good_) + "\"");
  }
  static std::string address_of(const TestSite& site) {
    return "http://127.0.0.1:" + std::to_string(site.port());
  }
  bool is_for_the_shop(const SiteRequest& request) const {
    return request.target == site_.url("/");
  }

  std::string dead_;
  TestSite angry_;
  TestSite good_;
  ExampleProject project_{"retry_with_proxies", site_};
};

TEST_F(ExampleWithProxies, TriesEachProxyAndRemembersTheWorkingOne) {
  EXPECT_EQ(project_.run("shop").at("items").at("new"), 1);
  EXPECT_THAT(project_.log(), HasSubstr("through " + dead_ + " it failed: could not connect"));
  EXPECT_THAT(project_.log(),
              HasSubstr("through " + address_of(angry_) + " it failed: status 403"));
  EXPECT_EQ(angry_.count(site_.url("/")), 1u);
  EXPECT_EQ(good_.count(site_.url("/")), 1u);
  EXPECT_EQ(site_.connections(), 0u) << "it went past the proxies";

  EXPECT_EQ(project_.run("shop").at("state"), "completed");
  EXPECT_THAT(project_.log(), Not(HasSubstr("failed")));
  EXPECT_EQ(angry_.count(site_.url("/")), 1u);
  EXPECT_EQ(good_.count(site_.url("/")), 2u);
}

TEST_F(Example, ExternalDatabaseDetectsANewLow) {
  ExampleProject project("external_database", site_);
  project.run("shop");
  EXPECT_THAT(project.log(), HasSubstr("[shop] 3 items stored, 3 prices remembered"));
  site_.answer("/", shop_page({"Kettle|€ 39.00|in stock", "Lamp|€ 169.00|in stock"}));
  project.run("shop");
  EXPECT_THAT(project.log(), HasSubstr("Kettle is cheaper than ever: 39 instead of 49.5"));
  EXPECT_THAT(project.log(), Not(HasSubstr("Lamp is cheaper")));
  EXPECT_THAT(project.log(), HasSubstr("[shop] 5 items stored,"));
}

TEST_F(Example, MultiWorkerQueueFetchesEveryPageOnceWithFourWorkers) {
  std::vector<std::string> pages;
  for (int page = 1; page <= 12; ++page) pages.push_back("/goods/" + std::to_string(page));
  for (const std::string& page : pages) {
    site_.answer(page, shop_page({"Thing of " + page + "|€ 1|in stock", "Kettle|€ 2|in stock"}));
    site_.hold(page);
  }
  ExampleProject project("multi_worker_queue", site_);
  json::value run;
  std::thread running([&] { run = project.run("shop"); });
  for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(site_.wait_for_requests(pages[i], 1));
  for (const std::string& page : pages) site_.release(page);
  running.join();

  EXPECT_EQ(run.at("pages").at("done"), 12);
  EXPECT_EQ(run.at("items").at("new"), 13);
  for (const std::string& page : pages) EXPECT_EQ(site_.count(page), 1u) << page;
  for (int worker = 1; worker <= 4; ++worker)
    EXPECT_THAT(project.log(), HasSubstr("Worker " + std::to_string(worker) + " processing http"));
  EXPECT_THAT(project.log(), HasSubstr("4 workers fetched 12 pages; 24 items found in all runs"));
}

std::vector<std::string> events(const std::vector<SiteRequest>& requests) {
  std::vector<std::string> names;
  for (const SiteRequest& request : requests)
    names.emplace_back(parse_json(request.body).at("event").as_string());
  return names;
}

TEST_F(Example, LifecycleMetricsArePostedInOrderAfterSuccess) {
  site_.answer("/metrics", SiteResponse{.status = 204});
  ExampleProject project("lifecycle_metrics", site_);
  project.run("shop");
  const auto posted = site_.requests("/metrics");
  ASSERT_THAT(events(posted), ElementsAre("success", "cycle", "finished"));
  EXPECT_EQ(posted[0].header("Content-Type"), "application/json");
  EXPECT_EQ(parse_json(posted[0].body),
            parse_json(R"({"event":"success","job":"shop","items":3})"));
  const json::value cycle = parse_json(posted[1].body);
  EXPECT_EQ(cycle.at("stages").at("fetch"), "success");
  EXPECT_EQ(cycle.at("stages").at("store"), "success");
  EXPECT_FALSE(cycle.at("stages").as_object().contains("on_error"));
}

TEST_F(Example, LifecycleMetricsArePostedForEveryFailedAttempt) {
  site_.answer("/metrics", SiteResponse{.status = 204});
  site_.answer("/", SiteResponse{.status = 500});
  ExampleProject project("lifecycle_metrics", site_);
  EXPECT_EQ(project.run("shop").at("state"), "failed");
  const auto posted = site_.requests("/metrics");
  ASSERT_THAT(events(posted), ElementsAre("error", "cycle", "error", "cycle", "finished"));
  EXPECT_EQ(parse_json(posted[2].body).at("attempt"), 2);
  EXPECT_THAT(std::string(parse_json(posted[0].body).at("message").as_string()), HasSubstr("500"));
}

TEST_F(Example, ReportFilesContainTheNewItemsAndTheCurrentState) {
  ExampleProject project("report_files", site_);
  project.run("shop");
  site_.answer("/", shop_page({"Kettle|€ 49.50|in stock", "Jug|€ 32.00|in stock"}));
  project.run("shop");
  const std::string news = project.read("shared/news.csv");
  EXPECT_EQ(std::count(news.begin(), news.end(), '\n'), 4);
  const std::string state = project.read("shared/shop.md");
  EXPECT_THAT(state, HasSubstr("- Jug: € 32.00, in stock\n"));
  EXPECT_THAT(state, Not(HasSubstr("Lamp")));
  EXPECT_THAT(state, HasSubstr("1 new in this run"));
}

TEST_F(Example, SpywebClassicPassesCountsThroughGlobals) {
  ExampleProject project("spyweb_classic", site_);
  EXPECT_EQ(project.run("shop").at("items").at("new"), 2);
  EXPECT_THAT(project.log(), HasSubstr("[shop] asked for " + site_.url("/")));
  EXPECT_THAT(project.log(), HasSubstr("[shop] items: 3, bytes: "));
  EXPECT_EQ(site_.requests("/").at(0).header("User-Agent"),
            "price-watch/1.0 (+mailto:me@example.org)");
}

}  // namespace
}  // namespace heddle::testing
