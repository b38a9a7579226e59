// A daemon whose heddle.toml changes during a run, and a site that records the user agent of each
// request.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {

class SettingsFixture : public DaemonFixture {
 protected:
  void SetUp() override {
    DaemonFixture::SetUp();
    change_settings(settings());
  }

  // `top` comes before all sections, `network` into its own, `more` at the end.
  struct Text {
    std::string top{};
    std::string network{};
    std::string more{};
  };
  static std::string settings() { return settings(Text{}); }
  static std::string settings(const Text& text) {
    return text.top + "[network]\nallow = [\"127.0.0.1\"]\n" + text.network +
           "[defaults]\nschedule = \"manual\"\n[defaults.retry]\nbase = \"10ms\"\njitter = 0\n"
           "[defaults.notification]\nenabled = false\n" +
           text.more;
  }
  static std::string with_agent(const std::string& name) {
    return settings(Text{.network = "user_agent = \"" + name + "\"\n"});
  }
  void change_settings(const std::string& text) { project_.write("heddle.toml", text); }

  std::vector<std::string> agents() const {
    std::vector<std::string> all;
    for (const SiteRequest& request : site_.requests("/page"))
      all.push_back(request.header("user-agent"));
    return all;
  }
  bool has_requests_from(const std::string& agent) const {
    const auto all = agents();
    return std::find(all.begin(), all.end(), agent) != all.end();
  }

  // The run is slow until then, so that it does not end before, and fast afterwards.
  bool receives_requests_from(const std::string& agent) {
    const bool has_received = eventually([&] { return has_requests_from(agent); });
    pause_ = std::chrono::milliseconds(0);
    return has_received;
  }

  // Starts a run; returns when some of its pages are done.
  std::unique_ptr<RunningHeddle> start_run(const RunningDaemon& daemon, int pages) {
    pages_ = pages;
    auto follower = std::make_unique<RunningHeddle>(
        project_.path(), std::vector<std::string>{"run", "pages", "--json"});
    EXPECT_TRUE(eventually([&] { return pages_done() >= 5; })) << daemon.log();
    return follower;
  }
  // Every page is stored once, and no attempt has failed.
  void expect_all_pages_once(RunningHeddle& follower, const RunningDaemon& daemon) {
    const ProgramResult result = follower.wait();
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err << daemon.log();
    EXPECT_THAT(result.out, ::testing::HasSubstr("\"failed\":0")) << result.out;
    EXPECT_EQ(pages_done(), pages_);
    EXPECT_EQ(count("SELECT count(*) FROM items"), pages_);
    EXPECT_EQ(count("SELECT count(*) FROM runs"), 1);
    EXPECT_EQ(unfinished_runs(), 0);
  }
  void expect_no_page_requested_twice() const {
    std::vector<std::string> queries;
    for (const SiteRequest& request : site_.requests("/page")) queries.push_back(request.query);
    std::sort(queries.begin(), queries.end());
    EXPECT_EQ(std::adjacent_find(queries.begin(), queries.end()), queries.end());
  }

  int pages_ = 0;
};

}  // namespace heddle::testing
