// `kill -9` at random moments of a run. Directly afterwards everything reported as stored exists;
// after the run was repeated every item exists once and was notified once.
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/core/statement.hpp"
#include "tests/program/project_folder.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {
namespace {

constexpr int kPages = 60;
constexpr int kItemsPerPage = 5;

int chaos_rounds() {
  const char* wanted = std::getenv("HEDDLE_CHAOS_ROUNDS");
  return wanted != nullptr ? std::atoi(wanted) : 12;
}

std::string item_text(const std::string& page, int item) {
  return page + "-" + std::to_string(item);
}

std::string page_name(int round, int page) {
  return "r" + std::to_string(round) + "p" + std::to_string(page);
}

std::string page_body(const std::string& query) {
  std::string body;
  for (int i = 0; i < kItemsPerPage; ++i) body += "<li>" + item_text(query, i) + "</li>";
  return body;
}

// The pages reported as stored before the kill: "done   http://…/page?r3p17  …". A truncated last
// line does not count.
std::set<std::string> reported_pages(const std::string& err) {
  std::set<std::string> pages;
  std::istringstream lines(err);
  for (std::string line; std::getline(lines, line) && !lines.eof();) {
    if (!line.starts_with("done ")) continue;
    const auto start = line.find('?');
    const auto end = line.find(' ', start);
    if (start != std::string::npos && end != std::string::npos)
      pages.insert(line.substr(start + 1, end - start - 1));
  }
  return pages;
}

class KilledRun : public ::testing::Test {
 protected:
  void SetUp() override {
    site_.stop_remembering();
    site_.handle("/page",
                 [](const SiteRequest& request) { return html(page_body(request.query)); });
    site_.answer("/hook", SiteResponse{.status = 204});
    project_.write_job("pages",
                       "urls_file = \"urls.txt\"\nselector = \"li\"\nfields = [\"text:\"]\n"
                       "workers = 8\nstagger = \"0s\"\n[webhook]\nenabled = true\nurl = \"" +
                           site_.url("/hook") + "\"\n");
  }

  void write_round(int round) {
    std::string urls;
    for (int page = 0; page < kPages; ++page)
      urls += site_.url("/page?" + page_name(round, page)) + "\n";
    project_.write("jobs/pages/urls.txt", urls);
  }

  // Returns what the killed run reported as stored. Alternates between a random moment from the
  // start on and one with pages in flight.
  std::set<std::string> kill_run(int round) {
    RunningHeddle run(project_.path(), {"run", "pages", "--verbose"});
    if (round % 2 == 0)
      run.wait_for_lines("done ", std::uniform_int_distribution<std::size_t>(1, kPages)(random_));
    else
      std::this_thread::sleep_for(
          std::chrono::microseconds(std::uniform_int_distribution<int>(0, 120'000)(random_)));
    run.signal(SIGKILL);
    const ProgramResult result = run.wait();
    killed_ += result.signal == SIGKILL ? 1 : 0;
    return reported_pages(result.err);
  }

  std::multiset<std::string> stored_texts(int at_most) {
    std::multiset<std::string> texts;
    if (!std::filesystem::exists(project_.database())) return texts;
    const auto records =
        project_.heddle_json({"records", "pages", "--limit", std::to_string(at_most)});
    for (const auto& record : records.as_array())
      texts.emplace(record.at("fields").at("text").as_string());
    return texts;
  }

  // How often each item is in the outbox, sent or not.
  std::map<std::string, int> notified_texts() {
    std::map<std::string, int> notified;
    auto db = store::Connection::open(project_.database(), {.read_only = true});
    EXPECT_TRUE(db) << db.error().message;
    if (!db) return notified;
    store::Statement payloads(**db, "SELECT payload FROM outbox WHERE kind = 'webhook'");
    auto rows = payloads.query();
    for (auto more = rows.next(); more && *more; more = rows.next()) {
      const auto message = boost::json::parse(std::string(rows.text(0)));
      for (const auto& item : message.at("items").as_array())
        ++notified[std::string(item.at("text").as_string())];
    }
    return notified;
  }

  void expect_reported_pages_stored(const std::set<std::string>& pages) {
    const auto stored = stored_texts(2 * kPages * kItemsPerPage);
    const auto notified = notified_texts();
    for (const std::string& page : pages)
      for (int i = 0; i < kItemsPerPage; ++i) {
        const std::string text = item_text(page, i);
        EXPECT_EQ(stored.count(text), 1u) << text << " was reported as stored";
        const auto found = notified.find(text);
        EXPECT_EQ(found == notified.end() ? 0 : found->second, 1) << text << " is to be told of";
      }
  }

  void expect_intact_database() {
    auto opened = store::Connection::open(project_.database(), {.read_only = true});
    ASSERT_TRUE(opened) << opened.error().message;
    auto errors = (*opened)->query_integer(
        "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'");
    ASSERT_TRUE(errors) << errors.error().message;
    EXPECT_EQ(*errors, 0);
  }

  TestSite site_;
  ProjectFolder project_{"[limits]\nper_host = 8\n"};
  std::mt19937 random_{std::random_device{}()};
  int killed_ = 0;
};

TEST_F(KilledRun, KeepsReportedPagesAndStoresAndNotifiesNothingTwice) {
  std::size_t promised = 0;
  for (int round = 0; round < chaos_rounds(); ++round) {
    write_round(round);
    const std::set<std::string> reported = kill_run(round);
    promised += reported.size();
    if (!reported.empty()) expect_reported_pages_stored(reported);

    const ProgramResult again = project_.heddle({"run", "pages"});
    ASSERT_EQ(again.exit_code, 0) << again.out << again.err;
    ASSERT_FALSE(HasFailure()) << "in round " << round;
  }
  EXPECT_GT(killed_, 0) << "every run was over before its end came";
  EXPECT_GT(promised, 0u) << "no run was killed after a page was reported";

  const int expected = chaos_rounds() * kPages * kItemsPerPage;
  const auto stored = stored_texts(2 * expected);
  const auto notified = notified_texts();
  EXPECT_EQ(stored.size(), static_cast<std::size_t>(expected));
  EXPECT_EQ(notified.size(), static_cast<std::size_t>(expected));
  for (int round = 0; round < chaos_rounds(); ++round)
    for (int page = 0; page < kPages; ++page)
      for (int i = 0; i < kItemsPerPage; ++i)
        EXPECT_EQ(stored.count(item_text(page_name(round, page), i)), 1u);
  for (const auto& [text, times] : notified) EXPECT_EQ(times, 1) << text << " is told twice";
  expect_intact_database();
}

}  // namespace
}  // namespace heddle::testing
