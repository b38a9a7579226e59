// `kill -9` at random moments of a run, then the run again: nothing that was reported as stored is
// lost, nothing is stored twice, and the database stays sound.
#include <cstdlib>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "store/sqlite/connection.hpp"
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

std::string page_body(const std::string& query) {
  std::string body;
  for (int i = 0; i < kItemsPerPage; ++i)
    body += "<li>" + query + "-" + std::to_string(i) + "</li>";
  return body;
}

// The pages whose outcome was printed as stored before the end: "done   http://…/page?r3p17  …".
std::set<std::string> reported_pages(const std::string& err) {
  std::set<std::string> pages;
  std::istringstream lines(err);
  for (std::string line; std::getline(lines, line);) {
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
    site_.handle("/page", [](const SiteRequest& request) { return html(page_body(request.query)); });
  }

  void write_round(int round) {
    std::string urls;
    for (int page = 0; page < kPages; ++page)
      urls += site_.url("/page?r" + std::to_string(round) + "p" + std::to_string(page)) + "\n";
    project_.write("jobs/pages/urls.txt", urls);
  }

  std::multiset<std::string> stored_texts() {
    std::multiset<std::string> texts;
    const auto records = project_.heddle_json({"records", "pages"});
    for (const auto& record : records.as_array())
      texts.emplace(record.at("fields").at("text").as_string());
    return texts;
  }

  void expect_sound_database() {
    auto opened = store::Connection::open(project_.database(), {.read_only = true});
    ASSERT_TRUE(opened) << opened.error().message;
    auto mistakes = (*opened)->query_integer(
        "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'");
    ASSERT_TRUE(mistakes) << mistakes.error().message;
    EXPECT_EQ(*mistakes, 0);
  }

  TestSite site_;
  ProjectFolder project_{"[limits]\nper_host = 8\n"};
  std::mt19937 random_{std::random_device{}()};
};

TEST_F(KilledRun, LosesNothingItReportedAndStoresNothingTwice) {
  project_.write_job("pages",
                     "urls_file = \"urls.txt\"\nselector = \"li\"\nfields = [\"text:\"]\n"
                     "workers = 8\nstagger = \"0s\"\n");
  std::set<std::string> promised;
  int killed = 0;
  for (int round = 0; round < chaos_rounds(); ++round) {
    write_round(round);
    RunningHeddle run(project_.path(), {"run", "pages", "--verbose"});
    const int after_ms = std::uniform_int_distribution<int>(0, 120)(random_);
    std::this_thread::sleep_for(std::chrono::milliseconds(after_ms));  // the moment is the test
    run.signal(SIGKILL);
    const ProgramResult result = run.wait();
    killed += result.signal == SIGKILL ? 1 : 0;
    for (const std::string& page : reported_pages(result.err))
      for (int i = 0; i < kItemsPerPage; ++i) promised.insert(page + "-" + std::to_string(i));

    const ProgramResult again = project_.heddle({"run", "pages"});
    ASSERT_EQ(again.exit_code, 0) << again.out << again.err;
    for (int page = 0; page < kPages; ++page)
      for (int i = 0; i < kItemsPerPage; ++i)
        promised.insert("r" + std::to_string(round) + "p" + std::to_string(page) + "-" +
                        std::to_string(i));
  }
  EXPECT_GT(killed, 0) << "every run was over before its end came";
  const auto stored = stored_texts();
  const std::set<std::string> distinct(stored.begin(), stored.end());
  EXPECT_EQ(stored.size(), distinct.size()) << "stored twice";
  for (const std::string& text : promised) EXPECT_TRUE(distinct.contains(text)) << "lost: " << text;
  EXPECT_EQ(distinct.size(), static_cast<std::size_t>(chaos_rounds() * kPages * kItemsPerPage));
  expect_sound_database();
}

}  // namespace
}  // namespace heddle::testing
