// A job that discovers its pages, in a daemon that dies during the run, and on the command line.
#include <csignal>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

using ::testing::HasSubstr;

constexpr int kListPages = 6;
constexpr int kItemsPerPage = 5;
constexpr int kItems = kListPages * kItemsPerPage;

class DiscoveryTest : public DaemonFixture {
 protected:
  void SetUp() override {
    site_.handle("/list", [this](const SiteRequest& request) {
      std::this_thread::sleep_for(pause_.load());
      return html(list_page(request.query.empty() ? 1 : std::stoi(request.query.substr(5))));
    });
    site_.handle_rest([this](const SiteRequest& request) {
      if (request.path == "/robots.txt") return SiteResponse{404};
      std::this_thread::sleep_for(pause_.load());
      return html("<li><b>about " + request.path + "</b></li>");
    });
  }

  static std::string list_page(int page) {
    std::string text = "<ul>";
    for (int i = 0; i < kItemsPerPage; ++i) {
      const std::string item = std::to_string(page * 100 + i);
      text += "<li><b>item " + item + "</b><a href='/item/" + item + "?utm_source=list'>x</a></li>";
    }
    text += "</ul><div class=pagination>";
    if (page < kListPages)
      text += "<a rel=next href='/list?page=" + std::to_string(page + 1) + "'>Next</a>";
    return text + "</div>";
  }

  void write_shop(const std::string& more = "") {
    project_.write_job("shop", "url = \"" + site_.url("/list") +
                                   "\"\nselector = \"li\"\nfields = [\"name:b\", "
                                   "\"link:a@href\"]\nworkers = 3\nstagger = \"0s\"\n"
                                   "[discover]\nfollow = [\"pagination\", \"items\"]\n" +
                                   more);
  }
};

TEST_F(DiscoveryTest, LosesNoPageWhenTheDaemonIsKilledInTheRun) {
  pause_ = std::chrono::milliseconds(20);
  write_shop();
  {
    RunningDaemon daemon(project_, 1);
    const RunningHeddle follower(project_.path(), {"run", "shop"});
    ASSERT_TRUE(eventually([&] { return pages_done() >= 4; })) << daemon.log();
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  ASSERT_EQ(unfinished_runs(), 1);
  const std::int64_t known = count("SELECT count(*) FROM tasks");
  EXPECT_GT(known, 1);
  EXPECT_LT(pages_done(), kListPages + kItems);
  RunningDaemon next(project_, 1);
  ASSERT_TRUE(eventually([&] { return unfinished_runs() == 0; })) << next.log();
  EXPECT_EQ(count("SELECT count(*) FROM runs WHERE state = 'completed'"), 1);
  EXPECT_EQ(pages_done(), kListPages + kItems);
  EXPECT_EQ(count("SELECT pages_total FROM runs"), kListPages + kItems);
  EXPECT_EQ(count("SELECT count(DISTINCT url) FROM tasks"), kListPages + kItems);
  EXPECT_EQ(count("SELECT count(*) FROM items"), 2 * kItems);
}

TEST_F(DiscoveryTest, ShowsFoundPagesInItsCounts) {
  write_shop();
  const ProgramResult first = expect({"run", "shop"}, 0, "pages  36 done of 36");
  EXPECT_THAT(first.out, HasSubstr("60 seen, 60 new"));
  const auto runs = project_.heddle_json({"runs", "shop"});
  const std::string id(runs.at(0).at("run_id").as_string());
  EXPECT_THAT(project_.heddle({"run-trace", id}).out,
              HasSubstr("done (attempt 1, found at depth 1)"));
  const auto trace = project_.heddle_json({"run-trace", id});
  EXPECT_FALSE(trace.at("pages").at(0).as_object().contains("depth"));
  EXPECT_EQ(trace.at("pages").at(1).at("depth"), 0);
  EXPECT_EQ(trace.at("pages").at(35).at("depth"), 1);
}

TEST_F(DiscoveryTest, EndsAsLimitedAtTheGreatestNumberOfPages) {
  write_shop("max_pages = 10\n");
  const ProgramResult result = project_.heddle({"run", "shop"});
  EXPECT_THAT(result.out, HasSubstr("limited"));
  EXPECT_THAT(result.out, HasSubstr("the run has reached its limit of 10 pages"));
  EXPECT_THAT(result.out, HasSubstr("pages  10 done of 10"));
}

}  // namespace
}  // namespace heddle::testing
