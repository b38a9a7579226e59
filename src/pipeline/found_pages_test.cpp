// Pages that a job discovers, through the whole pipeline.
#include "pipeline/found_pages.hpp"

#include <map>
#include <mutex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pipeline_for_test.hpp"

namespace heddle::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A shop with a listing of several pages, each with a link to the next one, and a page per item.
class Discovery : public ::testing::Test {
 protected:
  Discovery() {
    world.job.fields = {{"name", "b", "", FieldType::text, ""},
                        {"link", "a", "href", FieldType::text, ""}};
    world.job.is_url_list = true;
    world.job.discover.is_enabled = true;
    world.job.discover.follow = {FollowKind::pagination, FollowKind::items};
    world.job.urls = {world.site.url("/list")};
    world.job.notification.enabled = false;
    listing("/list", {"tea", "milk"}, "/list?page=2");
    answer_items();
  }

  void listing(const std::string& target, const std::vector<std::string>& items,
               const std::string& next = "") {
    std::string page = "<ul>";
    for (const std::string& item : items)
      page += "<li><b>" + item + "</b><a href='/" + item + "'>more</a></li>";
    page += "</ul><div class=pagination>";
    if (!next.empty()) page += "<a rel=next href='" + next + "'>Next</a>";
    const std::lock_guard lock(mutex_);
    pages_[target] = page + "</div>";
  }

  void answer_items() {
    world.site.handle_rest([this](const testing::SiteRequest& request) {
      const std::lock_guard lock(mutex_);
      const auto page = pages_.find(request.target);
      if (page != pages_.end()) return testing::html(page->second);
      if (request.path == "/robots.txt") return testing::SiteResponse{404};
      return testing::html("<li><b>about " + request.path.substr(1) + "</b></li>");
    });
  }

  void begin(std::int64_t most_pages = 100) {
    heddle::Run begun;
    begun.id = RunId{"run-" + std::to_string(++world.runs)};
    begun.job = world.job.id;
    begun.started_at = world.clock.now();
    begun.most_pages = most_pages;
    run_ = begun.id;
    ASSERT_TRUE(world.drive(world.store->begin_run(begun, world.job.urls)));
  }

  // Works through the run as a worker does. Returns the visited pages as "depth target".
  std::vector<std::string> work() {
    std::vector<std::string> visited;
    told.clear();
    while (true) {
      auto batch = world.drive(world.store->lease_tasks(run_, 1, world.clock.now()));
      EXPECT_TRUE(batch);
      if (!batch || batch->leases.empty()) return visited;
      const Task& task = batch->leases[0].task;
      visited.push_back((task.is_discovered ? std::to_string(task.depth) : "start") + " " +
                        task.url.substr(world.site.url("/").size()));
      CycleSpec spec;
      spec.lease = batch->leases[0];
      world.artefacts = {};
      spec.artefacts = &world.artefacts;
      const auto end = world.drive(run_cycle(*world.services, *world.session, spec));
      EXPECT_EQ(failure_text(end), "");
      if (!failure_text(end).empty()) return visited;
      for (const Delivery& delivery : world.artefacts.deliveries) told.push_back(delivery.payload);
    }
  }

  std::vector<std::string> visit() {
    begin();
    return work();
  }

  heddle::Run ended(RunState state = RunState::completed) {
    auto run = world.drive(world.store->end_run(run_, state, {}, world.clock.now()));
    EXPECT_TRUE(run);
    return run ? *run : heddle::Run{};
  }

  // What was found wrong with the pages of the run.
  std::vector<std::string> notices() {
    std::vector<std::string> messages;
    const auto run = world.drive(world.store->find_run(run_));
    EXPECT_TRUE(run && *run);
    for (const RunError& error : (*run)->errors) messages.push_back(error.message);
    return messages;
  }

  PipelineForTest world;
  std::vector<std::string> told;

 private:
  std::mutex mutex_;                          // the site has a thread of its own
  std::map<std::string, std::string> pages_;  // by target
  RunId run_;
};

TEST_F(Discovery, FollowsTheListingAndItsItemsInTheSameRun) {
  listing("/list?page=2", {"rice"});
  ASSERT_TRUE(world.load());
  EXPECT_THAT(visit(), ElementsAre("start list", "0 list?page=2", "1 tea", "1 milk", "1 rice"));
  EXPECT_THAT(world.stored_names(),
              ElementsAre("about milk", "about rice", "about tea", "milk", "rice", "tea"));
  const heddle::Run run = ended();
  EXPECT_EQ(run.pages.total, 5);
  EXPECT_EQ(run.pages.done, 5);
}

TEST_F(Discovery, DoesNotCountNextPagesAsDepth) {
  for (int page = 2; page <= 12; ++page)
    listing("/list?page=" + std::to_string(page), {"item" + std::to_string(page)},
            page < 12 ? "/list?page=" + std::to_string(page + 1) : "");
  world.job.discover.depth = 1;
  ASSERT_TRUE(world.load());
  const auto visited = visit();
  EXPECT_THAT(visited, SizeIs(12 + 2 + 11));
  EXPECT_THAT(visited, ::testing::Contains("0 list?page=12"));
  EXPECT_THAT(visited, ::testing::Contains("1 item12"));
}

TEST_F(Discovery, FollowsLinksToTheGreatestDepth) {
  world.job.discover.follow = {FollowKind::links};
  world.job.discover.exclude = {"*page=*"};
  listing("/tea", {"leaf"});
  listing("/leaf", {"tree"});
  listing("/tree", {"forest"});
  ASSERT_TRUE(world.load());
  EXPECT_THAT(visit(), ElementsAre("start list", "1 tea", "1 milk", "2 leaf"));
}

TEST_F(Discovery, VisitsPagesOfTheJobOnce) {
  world.job.discover.follow = {FollowKind::links};
  world.job.urls = {world.site.url("/list?b=2&a=1"), world.site.url("/tea")};
  listing("/list?b=2&a=1", {"tea?utm_source=list", "list?a=1&b=2", "milk"});
  ASSERT_TRUE(world.load());
  EXPECT_THAT(visit(), ElementsAre("start list?b=2&a=1", "start tea", "1 milk"));
}

TEST_F(Discovery, FollowsTheLinksOfUnchangedPagesInTheNextRun) {
  listing("/list?page=2", {"rice"});
  ASSERT_TRUE(world.load());
  const auto first = visit();
  ended();
  EXPECT_EQ(visit(), first);
  EXPECT_THAT(told, IsEmpty());
  EXPECT_EQ(ended().items.fresh, 0);
}

TEST_F(Discovery, AsksForThePagesAtTheGreatestDepthOnlyIfTheyHaveChanged) {
  world.job.discover.follow = {FollowKind::items};
  world.job.discover.depth = 1;
  world.site.handle("/tea", [](const testing::SiteRequest& request) {
    if (request.header("If-None-Match") == "\"1\"") return testing::SiteResponse{304};
    return testing::html("<li><b>Tea</b></li>").with_header("ETag", "\"1\"");
  });
  world.site.handle("/list", [](const testing::SiteRequest& request) {
    EXPECT_EQ(request.header("If-None-Match"), "");
    return testing::html("<li><b>x</b><a href='/tea'>x</a></li>").with_header("ETag", "\"1\"");
  });
  ASSERT_TRUE(world.load());
  visit();
  ended();
  EXPECT_THAT(visit(), ElementsAre("start list", "1 tea"));
  EXPECT_EQ(world.site.requests("/tea").back().header("If-None-Match"), "\"1\"");
}

TEST_F(Discovery, TakesTheFirstRunAsBaselineAndLaterPagesAsNews) {
  world.job.first_run = FirstRun::baseline;
  ASSERT_TRUE(world.load());
  EXPECT_THAT(visit(), SizeIs(4));
  EXPECT_THAT(told, IsEmpty()) << "pages that were found in the first run";
  ended();
  listing("/list", {"tea", "milk", "rice"}, "/list?page=2");
  visit();
  ASSERT_THAT(told, SizeIs(2)) << "the listing, and the page of its new item";
  EXPECT_THAT(told[0], HasSubstr("rice"));
  EXPECT_THAT(told[1], HasSubstr("about rice"));
}

TEST_F(Discovery, SkipsFoundPagesThatRobotsForbid) {
  world.site.answer(
      "/robots.txt",
      testing::SiteResponse{200, {}, "User-agent: *\nDisallow: /milk\nDisallow: /list\n"});
  ASSERT_TRUE(world.load());
  EXPECT_THAT(visit(), ElementsAre("start list", "0 list?page=2", "1 tea", "1 milk"));
  EXPECT_EQ(world.site.count("/milk"), 0U);
  EXPECT_EQ(world.site.count("/list"), 1U) << "the page of the job, without asking";
  const heddle::Run run = ended();
  EXPECT_EQ(run.pages.done, 2);
  EXPECT_EQ(run.pages.skipped, 2);
  EXPECT_EQ(run.pages.failed, 0);
}

TEST_F(Discovery, IgnoresRobotsWhenTheJobSaysSo) {
  world.site.answer("/robots.txt", testing::SiteResponse{200, {}, "User-agent: *\nDisallow: /\n"});
  world.job.robots = RobotsRule::ignore;
  ASSERT_TRUE(world.load());
  EXPECT_THAT(visit(), SizeIs(4));
  EXPECT_EQ(ended().pages.done, 4);
}

TEST_F(Discovery, StopsAtThePagesOfTheRunAndLeavesTheItemsThere) {
  world.job.key = {"link"};
  world.job.gone_after = 1;
  ASSERT_TRUE(world.load());
  begin();
  EXPECT_THAT(work(), SizeIs(4));
  ended();
  listing("/list", {"tea", "rice"}, "/list?page=2");
  begin(3);
  EXPECT_THAT(work(), ElementsAre("start list", "0 list?page=2", "1 tea"));
  const heddle::Run run = ended(RunState::limited);
  EXPECT_EQ(run.pages.total, 3);
  EXPECT_EQ(run.items.gone, 0);
  begin();
  EXPECT_THAT(work(), SizeIs(4));
  EXPECT_EQ(ended().items.gone, 1) << "milk, in a run that read all pages";
}

TEST_F(Discovery, DoesNotFollowThePagesThatARedirectLeadsAwayTo) {
  testing::TestSite other;
  other.answer("/", testing::html("<li><b>other</b><a href='/deep'>x</a></li>"));
  world.job.discover.follow = {FollowKind::links};
  world.job.discover.exclude = {"*page=*", "*/milk"};
  const std::string elsewhere = "http://localhost:" + std::to_string(other.port()) + "/";
  world.project.network.allow.emplace_back("localhost");
  world.site.answer("/tea", testing::redirect(elsewhere));
  ASSERT_TRUE(world.load());
  EXPECT_THAT(visit(), ElementsAre("start list", "1 tea"));
  EXPECT_EQ(other.count("/"), 1U);
}

TEST_F(Discovery, SearchesPagesWhoseItemsAScriptMakes) {
  const std::string item = "{fields = {name = 'made', link = '" + world.site.url("/made") + "'}}";
  ASSERT_TRUE(world.load("function override_extract() return {" + item + "} end"));
  EXPECT_THAT(visit(), ElementsAre("start list", "0 list?page=2", "1 made"));
}

TEST_F(Discovery, FollowsTheEntriesOfAFeed) {
  world.job.watch = WatchKind::feed;
  world.job.fields = {};
  world.site.answer(
      "/list", testing::SiteResponse{
                   200,
                   {{"Content-Type", "application/rss+xml"}},
                   "<rss version='2.0'><channel><title>t</title><item><title>one</title><link>" +
                       world.site.url("/tea") + "</link></item></channel></rss>"});
  world.site.answer("/tea", testing::SiteResponse{
                                200,
                                {{"Content-Type", "application/rss+xml"}},
                                "<rss version='2.0'><channel><title>t</title></channel></rss>"});
  ASSERT_TRUE(world.load());
  EXPECT_THAT(visit(), ElementsAre("start list", "1 tea"));
}

TEST_F(Discovery, TakesNoPageForBrokenThatLacksWhatOthersHave) {
  world.site.answer("/tea", testing::html("<p>no item at all, but enough text to be a page</p>"));
  ASSERT_TRUE(world.load());
  EXPECT_THAT(visit(), SizeIs(4)) << "the page of an item has no link to itself";
  EXPECT_THAT(notices(), IsEmpty());
  world.job.discover.follow = {FollowKind::pagination};
  ASSERT_TRUE(world.change_script(""));
  EXPECT_THAT(visit(), ElementsAre("start list", "0 list?page=2"));
  EXPECT_THAT(notices(), ElementsAre(HasSubstr("\"link\" is empty")))
      << "the pages of a listing are of one kind";
}

TEST_F(Discovery, FindsNothingInARunOfDeadLetters) {
  ASSERT_TRUE(world.load());
  begin(0);
  EXPECT_THAT(work(), ElementsAre("start list"));
}

TEST_F(Discovery, StoresNoSecretsOfLinks) {
  world.job.secrets = {{"${env:TOKEN}", "a-long-secret-token", true}};
  world.job.discover.follow = {FollowKind::links};
  world.job.urls = {world.site.url("/list?key=${env:TOKEN}")};
  listing("/list?key=a-long-secret-token", {"tea?key=a-long-secret-token", "milk?x=${env:HOME}"});
  ASSERT_TRUE(world.load());
  EXPECT_THAT(visit(), ElementsAre("start list?key=${env:TOKEN}", "1 tea?key=${env:TOKEN}",
                                   "1 milk?x=$${env:HOME}"));
  EXPECT_EQ(world.site.requests("/tea")[0].query, "key=a-long-secret-token");
  EXPECT_EQ(world.site.requests("/milk")[0].query, "x=${env:HOME}");
}

}  // namespace
}  // namespace heddle::pipeline
