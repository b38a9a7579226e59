#include "config/write/new_job.hpp"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "config/project_for_test.hpp"
#include "config/write/field_text.hpp"
#include "config/write/job_folder.hpp"
#include "html/parse.hpp"
#include "pages/propose/propose.hpp"
#include "pages/source/read_items.hpp"

namespace heddle::config {
namespace {

NewJob list_job() {
  NewJob job;
  job.name = "Wool blankets";
  job.url = "https://shop.example/list?a=1&b=2";
  job.watch.selector = ".product-card";
  job.watch.fields = {{"title", "h3", "", FieldType::text, ""},
                      {"link", "a", "href", FieldType::text, ""},
                      {"price", ".price", "", FieldType::money, ""},
                      {"date", "time", "datetime", FieldType::text, ""}};
  job.watch.key = {"link"};
  job.watch.items = 24;
  job.watch.rows = {{"Blanket", "https://shop.example/1", "€ 89.00", "2026-03-01"}};
  return job;
}

// The job as the loader reads it from the text.
class NewJobText : public ::testing::Test {
 protected:
  Loaded load(const NewJob& job) {
    std::filesystem::create_directories(project.root());
    return load_project(project.root(), project.environment(),
                        DraftFile{new_job_file(job.name), new_job_text(job)});
  }
  static const Job* only_job(const Loaded& loaded) {
    EXPECT_EQ(ProjectForTest::texts(loaded.problems), std::vector<std::string>{});
    return loaded.project.jobs.empty() ? nullptr : &loaded.project.jobs.front();
  }

  ProjectForTest project;
};

TEST_F(NewJobText, IsReadAsItWasMeant) {
  const NewJob written = list_job();
  const Loaded loaded = load(written);
  const Job* job = only_job(loaded);
  ASSERT_NE(job, nullptr);
  EXPECT_EQ(job->id.text, "wool-blankets");
  EXPECT_EQ(job->urls, std::vector<std::string>{written.url});
  EXPECT_EQ(job->interval, std::chrono::hours(1));
  EXPECT_EQ(job->selector, ".product-card");
  EXPECT_EQ(job->fields, written.watch.fields);
  EXPECT_EQ(job->key, std::vector<std::string>{"link"});
  EXPECT_EQ(job->hash_fields, (std::vector<std::string>{"title", "price"}));
  EXPECT_EQ(job->first_run, FirstRun::baseline);
}

TEST_F(NewJobText, ExplainsEachLine) {
  EXPECT_EQ(new_job_text(list_job()), R"(# Written by `heddle add`: change what you like.
# `heddle check wool-blankets` reports mistakes, `heddle debug wool-blankets` shows what it finds.
name = "Wool blankets"
url = "https://shop.example/list?a=1&b=2"

# How often the job runs: "10m", "1h", "1d". For fixed times write instead, such as every
# day at 8 o'clock: schedule = "0 8 * * *"
interval = "1h"

# Each match of `selector` is one item: 24 when this file was written.
selector = ".product-card"

# What to take from each item: "name:css" is a text, "name:css@attribute" an attribute.
# The comment after a field is its first value when this file was written.
fields = [
  "title:h3",  # Blanket
  "link:a@href",  # https://shop.example/1
  { name = "price", selector = ".price", type = "money" },  # € 89.00
  "date:time@datetime",  # 2026-03-01
]

# Items with the same value in these fields are the same item; what changes about it is
# reported, and `heddle changes wool-blankets` lists it.
key = ["link"]

# Only differences in these fields are changes; others, such as dates, change without
# meaning.
hash_fields = ["title", "price"]

# The first run stores the present items without a message; "report" reports all of them.
first_run = "baseline"

# Only items in which one of these words occurs:
# keywords = ["wool", "sale"]

# New items are shown on the desktop, if there is one. To switch that off, remove the "#":
# [notification]
# enabled = false
# To send them to a program as JSON:
# [webhook]
# enabled = true
# url = "https://example.org/hook"
)");
}

TEST_F(NewJobText, FollowsAFeedWithoutRules) {
  NewJob written = list_job();
  written.watch = {};
  written.watch.watch = WatchKind::feed;
  const Loaded loaded = load(written);
  const Job* job = only_job(loaded);
  ASSERT_NE(job, nullptr);
  EXPECT_EQ(job->watch, WatchKind::feed);
}

TEST_F(NewJobText, LeavesTheScheduleOfAllJobsAlone) {
  project.write("heddle.toml", "[defaults]\nschedule = \"0 6 * * *\"\n");
  NewJob written = list_job();
  written.inherits_schedule = has_default_schedule(project.load());
  EXPECT_TRUE(written.inherits_schedule);
  const Loaded inherited = load(written);
  EXPECT_EQ(only_job(inherited)->schedule, "0 6 * * *");
  written.interval = "2h";
  const Loaded loaded = load(written);
  EXPECT_EQ(only_job(loaded)->schedule, "");
  EXPECT_EQ(only_job(loaded)->interval, std::chrono::hours(2));
}

TEST_F(NewJobText, ComparesAllFieldsWhenNoneTellTheItemsApart) {
  NewJob written = list_job();
  written.watch.key = {};
  const Loaded loaded = load(written);
  const Job* job = only_job(loaded);
  ASSERT_NE(job, nullptr);
  EXPECT_TRUE(job->hash_fields.empty());
}

TEST_F(NewJobText, KeepsTextsOfAPageInTheirPlace) {
  const std::string hostile[] = {
      "a\"\n[webhook]\nenabled = true\n#",
      "'''\n\"\"\"\nx = 1",
      "# enabled = true\r[limits]",
      std::string("nul\0byte", 8),
      "\x1b[31mred\x7f",
      "\xff\xfe broken",
      "back\\slash \\u0022",
      "\xe2\x80\xae reversed \xe2\x80\xa8 line",
  };
  for (const std::string& text : hostile) {
    NewJob written = list_job();
    WatchProposal page;
    page.title = text;
    page.final_url = "https://shop.example/";
    written.name = suggested_job_name(page);
    written.watch.rows = {{text, text, text, text}};
    const Loaded loaded = load(written);
    const Job* job = only_job(loaded);
    ASSERT_NE(job, nullptr) << text;
    EXPECT_EQ(job->fields, written.watch.fields);
    EXPECT_FALSE(job->webhook.enabled);
    EXPECT_EQ(job->name, written.name);
  }
}

TEST_F(NewJobText, KeepsSelectorsWithQuotesAndSigns) {
  for (const std::string selector : {R"([data-testid="a b"])", R"([title='it"s'])",
                                     R"(a[href*="@"])", R"(.a\:b)", "a:not(.b)"}) {
    NewJob written = list_job();
    written.watch.selector = selector;
    written.watch.fields[0].selector = selector;
    written.watch.fields[1].selector = selector;
    const Loaded loaded = load(written);
    const Job* job = only_job(loaded);
    ASSERT_NE(job, nullptr) << selector;
    EXPECT_EQ(job->selector, selector);
    EXPECT_EQ(job->fields, written.watch.fields) << selector;
  }
}

TEST_F(NewJobText, KeepsReferencesOfTheAddress) {
  project.variables["TOKEN"] = "secret-token";
  NewJob written = list_job();
  written.url = "https://shop.example/list?token=${env:TOKEN}";
  EXPECT_EQ(new_job_text(written).find("secret-token"), std::string::npos);
  const Loaded loaded = load(written);
  const Job* job = only_job(loaded);
  ASSERT_NE(job, nullptr);
  EXPECT_EQ(job->secrets.size(), 1U);
}

TEST_F(NewJobText, FindsTheRowsThatWereShown) {
  std::string lamps = "<title>Lamps</title><main>";
  std::string json = "[";
  for (int i = 10; i < 22; ++i) {
    const std::string number = std::to_string(i);
    lamps += "<div class='card \"x'><h3><a href=/p/" + number + ">Lamp number " + number +
             "</a></h3><span class=price>€ " + number + ".50</span></div>";
    json += std::string(i > 10 ? "," : "") + R"({"name":"Lamp )" + number + R"(","it's":")" +
            number + R"("})";
  }
  struct Case {
    std::string body;
    std::string type;
  };
  const Case cases[] = {
      {lamps, "text/html"},
      {json + "]", "application/json"},
      {"<title>One</title><h1>One lamp</h1><p>Only a text about it.</p>", "text/html"},
      {"<div id=root></div><script type=application/json id=data>" + json + "]</script>",
       "text/html"},
  };
  for (const Case& each : cases) {
    html::Parser parser;
    pages::ProposedPage page{*Url::parse("https://shop.example/")};
    page.headers = {{"content-type", each.type}};
    page.body = each.body;
    const WatchProposal proposal = pages::propose_watch(parser, page);
    ASSERT_FALSE(proposal.candidates.empty()) << proposal.obstacle;
    for (const WatchCandidate& candidate : proposal.candidates) {
      NewJob written;
      written.name = "Lamps";
      written.url = page.url.text();
      written.watch = candidate;
      const Loaded loaded = load(written);
      const Job* job = only_job(loaded);
      ASSERT_NE(job, nullptr);
      const auto rules = pages::SourceRules::compile(*job);
      ASSERT_TRUE(rules);
      const auto document = pages::read_source(parser, *rules, each.type, each.body, {});
      ASSERT_TRUE(document);
      const auto items = pages::read_items(*document, *rules, page.url);
      ASSERT_TRUE(items);
      ASSERT_EQ(items->items.size(), candidate.items) << new_job_text(written);
      for (std::size_t i = 0; i < candidate.rows.size(); ++i)
        for (std::size_t f = 0; f < candidate.fields.size(); ++f)
          EXPECT_EQ(items->items[i].fields[f].second.substr(0, 5),
                    candidate.rows[i][f].substr(0, 5));
    }
  }
}

TEST(NewJobName, ComesFromTheTitleOrTheHost) {
  const auto named = [](std::string title) {
    WatchProposal page;
    page.title = std::move(title);
    page.final_url = "https://www.shop.example/list";
    return suggested_job_name(page);
  };
  EXPECT_EQ(named("Wool blankets | The shop | Buy online"), "Wool blankets");
  EXPECT_EQ(named("News - The mill"), "News");
  EXPECT_EQ(named("Décor & ünïted"), "Décor & ünïted");
  EXPECT_EQ(named(""), "shop.example");
  EXPECT_EQ(named("!!!"), "shop.example");
  EXPECT_EQ(named("${env:HOME} {{x}}"), "env:HOME x");
  EXPECT_EQ(named("A very long title that goes on and on and on without an end in sight"),
            "A very long title that goes on and on");
}

TEST(NewJobName, IsNeverOneThatThereIs) {
  ProjectForTest project;
  project.job("", "lamps").write("jobs/lamps-2/notes.txt", "x");
  const Loaded loaded = project.load();
  EXPECT_EQ(unused_job_name(loaded, "Lamps"), "Lamps 3");
  EXPECT_EQ(unused_job_name(loaded, "Chairs"), "Chairs");
  EXPECT_EQ(holder_of_job_name(loaded, "LAMPS"), "jobs/lamps/config.toml:1");
  EXPECT_EQ(new_job_file("../../etc/passwd"), "jobs/etc-passwd/config.toml");
  EXPECT_EQ(new_job_file("..."), "");
}

std::string content_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(JobFolder, AppearsWithItsFileAndReplacesNothing) {
  const heddle::testing::TemporaryFolder root;
  ASSERT_TRUE(make_job_folder(root.path(), "jobs/shop/config.toml", "name = \"a\"\n"));
  EXPECT_EQ(content_of(root.path() / "jobs/shop/config.toml"), "name = \"a\"\n");
  const auto again = make_job_folder(root.path(), "jobs/shop/config.toml", "name = \"b\"\n");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::conflict);
  EXPECT_EQ(content_of(root.path() / "jobs/shop/config.toml"), "name = \"a\"\n");
  std::size_t entries = 0;
  for ([[maybe_unused]] const auto& each :
       std::filesystem::directory_iterator(root.path() / "jobs"))
    ++entries;
  EXPECT_EQ(entries, 1U);
}

TEST(JobFolder, LeavesNothingBehindWhenItCannotBeMade) {
  const heddle::testing::TemporaryFolder root;
  root.write("jobs", "a file");
  const auto made = make_job_folder(root.path(), "jobs/shop/config.toml", "x");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::unavailable);
}

TEST(FieldText, IsATableWhenTheShortFormCannotSayIt) {
  EXPECT_EQ(field_text({"title", "h3", "", FieldType::text, ""}), R"("title:h3")");
  EXPECT_EQ(field_text({"link", "", "href", FieldType::text, ""}), R"("link:@href")");
  EXPECT_EQ(field_text({"a:b", "h3", "", FieldType::text, ""}),
            R"({ name = "a:b", selector = "h3" })");
  EXPECT_EQ(shortened(plain_text("  a \n b\x01 "), 3), "a b");
  EXPECT_EQ(shortened("abcd", 3), "abc...");
}

}  // namespace
}  // namespace heddle::config
