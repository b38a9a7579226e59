// Ids of jobs, runs and dead letters shortened to their first characters.
#include <algorithm>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ShortIds : public DaemonFixture {
 protected:
  // All ids of what a command lists.
  std::vector<std::string> ids(const std::vector<std::string>& command, const char* name) {
    std::vector<std::string> found;
    const auto listed = project_.heddle_json(command);
    for (const auto& each : listed.as_array()) {
      const auto& id = each.at(name);
      found.push_back(id.is_int64() ? std::to_string(id.as_int64()) : std::string(id.as_string()));
    }
    return found;
  }
  static std::size_t count_with_prefix(const std::vector<std::string>& ids,
                                       const std::string& prefix) {
    return static_cast<std::size_t>(std::count_if(
        ids.begin(), ids.end(), [&](const std::string& id) { return id.starts_with(prefix); }));
  }
  static std::string shortest_prefix(const std::vector<std::string>& ids, const std::string& id) {
    std::string prefix;
    for (const char c : id) {
      prefix += c;
      if (count_with_prefix(ids, prefix) == 1) break;
    }
    return prefix;
  }
};

TEST_F(ShortIds, NameRuns) {
  write_job(1);
  for (int i = 0; i < 2; ++i) expect({"run", "pages"}, 0, "completed");
  const auto runs = ids({"runs", "pages"}, "run_id");
  ASSERT_EQ(runs.size(), 2u);
  const std::string prefix = shortest_prefix(runs, runs.back());
  expect({"run-trace", prefix}, 0, "run " + runs.back() + " of pages");
  const std::string shared = prefix.substr(0, prefix.size() - 1);
  const ProgramResult refused = project_.heddle({"run-trace", shared});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("several ids of runs begin with '" + shared + "'"),
                                 HasSubstr(runs.front()), HasSubstr(runs.back())));
  expect({"run-trace", "zz"}, 1, "there is no run 'zz'");
  expect({"cancel", prefix}, 1, "run " + runs.back() + " of job 'pages' has ended");
}

TEST_F(ShortIds, MayBeTypedWithCapitalLetters) {
  write_job(1);
  project_.write_job("pages-2", "url = \"https://a.example/\"\nselector = \"li\"\n");
  expect({"run", "PAGES"}, 0, "completed");
  expect({"show", "Pages"}, 0, "(pages)");
  expect({"runs", "PAGES-2"}, 0, "no runs yet");
  expect({"pause", "PAGES"}, 0, "pages: paused");
  const auto runs = ids({"runs", "pages"}, "run_id");
  ASSERT_EQ(runs.size(), 1u);
  std::string run = runs.front();
  const std::string lower = run;
  for (char& c : run)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  expect({"run-trace", run}, 0, "run " + lower + " of pages");
}

TEST_F(ShortIds, NameJobs) {
  write_job(1);
  for (const char* job : {"shop-a", "shop-b"})
    project_.write_job(job, "url = \"https://a.example/\"\nselector = \"li\"\n");
  expect({"run", "pag"}, 0, "completed");
  expect({"show", "pa"}, 0, "(pages)");
  expect({"show", "shop-b"}, 0, "(shop-b)");
  for (const char* command : {"show", "run", "pause", "runs", "records", "logs"})
    expect({command, "shop"}, 1, "several ids of jobs begin with 'shop': shop-a, shop-b");
  expect({"stop", "shop-a"}, 0, "shop-a: stopped");
}

TEST_F(ShortIds, NameDeadLetters) {
  site_.handle("/page", [](const SiteRequest&) { return SiteResponse{.status = 404}; });
  write_job(30);
  project_.heddle({"run", "pages"});
  const auto letters = ids({"dead", "list"}, "id");
  ASSERT_EQ(letters.size(), 30u);
  const auto is_ambiguous = [&](const std::string& prefix) {
    return count_with_prefix(letters, prefix) > 1 &&
           std::find(letters.begin(), letters.end(), prefix) == letters.end();
  };
  int ambiguous = 0;
  for (char digit = '1'; digit <= '9'; ++digit) {
    const std::string prefix(1, digit);
    if (!is_ambiguous(prefix)) continue;
    ++ambiguous;
    expect({"dead", "show", prefix}, 1,
           "several ids of dead letters begin with '" + prefix + "': ");
    expect({"dead", "retry", prefix}, 1,
           "several ids of dead letters begin with '" + prefix + "': ");
    expect({"dead", "purge", prefix}, 1, "there is no dead letter " + prefix);
  }
  EXPECT_GT(ambiguous, 0);
  expect({"dead", "show", letters.front()}, 0, "/page");
}

}  // namespace
}  // namespace heddle::testing
