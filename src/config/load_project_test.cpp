#include "config/load_project.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/load_for_reading.hpp"
#include "config/project_for_test.hpp"

namespace heddle::config {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr std::string_view kFullJob = R"(name = "Shop Offers"
id = "offers"
tags = ["daily"]
enabled = false
urls = ["https://example.com/{{city}}?page=1", "https://example.com/2"]
method = "post"
body = "q={{city}}"
timeout = 5
selector = "li.offer"
fields = [
  "title:h2",
  "link:a:first-child@href",
  { name = "price", selector = ".price", type = "money", regex = '([\d.]+)' },
  { name = "whole", selector = "" },
]
keywords = ["laptop"]
search_fields = ["title"]
hash_fields = ["link"]
workers = 4
stagger = "1s"
max_error_rate = 0.25
snapshots = "none"
debug = true
cookie_file = "cookies.txt"
robots = "obey"
vars = { city = "Berlin", page = 3 }

[headers]
Accept-Language = "de"

[proxy]
urls = ["http://user:pass@proxy.example.com:3128"]
rotate = "Sticky"

[webhook]
url = "https://hooks.example.com/x"
secret = ["whsec_b25lb25l", "dHdvdHdv"]
headers = { X-Team = "data" }

[notification]
enabled = false
timeout = 2500

[retry]
max = 1
factor = 2

[limits]
body = "2MiB"
run_time = "1h30m"
)";

TEST(LoadProject, ReadsEveryKeyOfAWebJob) {
  ProjectForTest project;
  const Loaded loaded = project.write("jobs/shop/config.toml", kFullJob).load();
  EXPECT_THAT(ProjectForTest::texts(loaded.problems), IsEmpty());
  ASSERT_EQ(loaded.project.jobs.size(), 1U);
  const Job& job = loaded.project.jobs[0];
  EXPECT_EQ(job.id.text, "offers");
  EXPECT_EQ(job.name, "Shop Offers");
  EXPECT_EQ(job.directory, project.root() / "jobs/shop");
  EXPECT_FALSE(job.enabled);
  EXPECT_THAT(job.urls, ElementsAre("https://example.com/Berlin?page=1", "https://example.com/2"));
  EXPECT_TRUE(job.is_url_list);
  EXPECT_EQ(job.method, "POST");
  EXPECT_EQ(job.body, "q=Berlin");
  EXPECT_EQ(job.timeout, 5s);
  EXPECT_THAT(job.vars, UnorderedElementsAre(Pair("city", "Berlin"), Pair("page", "3")));
  EXPECT_THAT(job.headers, ElementsAre(Pair("Accept-Language", "de")));
  EXPECT_EQ(job.workers, 4);
  EXPECT_EQ(job.stagger, 1s);
  EXPECT_DOUBLE_EQ(job.max_error_rate, 0.25);
  EXPECT_EQ(job.snapshots, SnapshotPolicy::none);
  EXPECT_EQ(job.robots, RobotsRule::obey);
  EXPECT_TRUE(job.debug);
  EXPECT_EQ(job.cookie_file, (project.root() / "jobs/shop/cookies.txt").string());
  EXPECT_EQ(job.retry.max, 1);
  EXPECT_DOUBLE_EQ(job.retry.factor, 2);
  EXPECT_EQ(job.retry.cap, 5min);
  EXPECT_EQ(job.limits.body, 2 * 1024 * 1024);
  EXPECT_EQ(job.limits.run_time, 90min);
}

TEST(LoadProject, StoresTheFirstReadingOfAJobWithAKeyAsKnown) {
  const auto first_run = [](std::string_view lines) {
    ProjectForTest project;
    const Loaded loaded = project.job(lines).load();
    return loaded.project.jobs.at(0).first_run;
  };
  EXPECT_EQ(first_run(""), FirstRun::report);
  EXPECT_EQ(first_run("key = \"title\"\n"), FirstRun::baseline);
  EXPECT_EQ(first_run("key = \"title\"\nfirst_run = \"report\"\n"), FirstRun::report);
  EXPECT_EQ(first_run("first_run = \"baseline\"\n"), FirstRun::baseline);
}

TEST(LoadProject, ReadsTheTablesOfAWebJob) {
  ProjectForTest project;
  const Loaded loaded = project.write("jobs/shop/config.toml", kFullJob).load();
  ASSERT_EQ(loaded.project.jobs.size(), 1U);
  const Job& job = loaded.project.jobs[0];
  ASSERT_EQ(job.fields.size(), 4U);
  EXPECT_EQ(job.fields[1].selector, "a:first-child");
  EXPECT_EQ(job.fields[1].attribute, "href");
  EXPECT_EQ(job.fields[2].type, FieldType::money);
  EXPECT_EQ(job.fields[2].regex, R"(([\d.]+))");
  EXPECT_EQ(job.fields[3].selector, "");
  EXPECT_TRUE(job.proxy.enabled);
  EXPECT_EQ(job.proxy.rotate, ProxyRotation::sticky);
  EXPECT_TRUE(job.webhook.enabled);
  EXPECT_THAT(job.webhook.secrets, ElementsAre("whsec_b25lb25l", "dHdvdHdv"));
  EXPECT_THAT(job.webhook.headers, ElementsAre(Pair("X-Team", "data")));
  EXPECT_FALSE(job.notification.enabled);
  EXPECT_EQ(job.notification.timeout, 2500ms);
}

TEST(LoadProject, SwitchesProxyAndWebhookOnByTheirUrlsAndOffByTheirFlag) {
  ProjectForTest project;
  project.job("", "a").job(
      "proxy = { urls = [\"http://p\"], enabled = false }\n"
      "webhook = { url = \"https://h\", enabled = false }\n",
      "b");
  const Loaded loaded = project.load();
  ASSERT_EQ(loaded.project.jobs.size(), 2U);
  for (const Job& job : loaded.project.jobs) {
    EXPECT_FALSE(job.proxy.enabled) << job.name;
    EXPECT_FALSE(job.webhook.enabled) << job.name;
  }
}

TEST(LoadProject, ReadsTheProjectFile) {
  ProjectForTest project;
  project.write("heddle.toml", R"(
timezone = "UTC"
data_dir = "var/data"
[network]
allow = ["192.168.0.0/16", "nas.local"]
deny = ["203.0.113.0/24"]
user_agent = "bot/1"
[limits]
per_host = 2
per_host_delay = "500ms"
[hosts."Shop.example.com"]
concurrency = 1
delay = "2s"
robots = "ignore"
headers = { X-Key = "v", "X.Dot" = "w" }
)");
  const Loaded loaded = project.job("").load();
  EXPECT_THAT(ProjectForTest::texts(loaded.problems), IsEmpty());
  const Project& read = loaded.project;
  EXPECT_EQ(read.timezone, "UTC");
  EXPECT_EQ(read.data_dir, project.root() / "var/data");
  EXPECT_THAT(read.network.allow, ElementsAre("192.168.0.0/16", "nas.local"));
  EXPECT_EQ(read.network.user_agent, "bot/1");
  EXPECT_EQ(read.per_host, 2);
  EXPECT_EQ(read.per_host_delay, 500ms);
  const HostRule& host = read.hosts.at("shop.example.com");
  EXPECT_EQ(host.concurrency, 1);
  EXPECT_EQ(host.delay, 2s);
  EXPECT_EQ(host.robots, RobotsRule::ignore);
  EXPECT_THAT(host.headers, UnorderedElementsAre(Pair("X-Key", "v"), Pair("X.Dot", "w")));
}

TEST(LoadProject, UsesTheMachinesZoneAndDataFolderWithoutAProjectFile) {
  ProjectForTest project;
  const Loaded loaded = project.job("").load();
  EXPECT_EQ(loaded.project.timezone, "Europe/Berlin");
  EXPECT_EQ(loaded.project.data_dir, project.root() / "data");
  EXPECT_EQ(loaded.project.jobs.at(0).timezone, "Europe/Berlin");
}

TEST(LoadProject, FindsJobsInFoldersAndInOneFile) {
  ProjectForTest project;
  project.job("", "b").job("", "deep/er/c").job("", ".hidden/d");
  project.write("jobs/b/notes.txt", "nothing");
  project.write("jobs.toml",
                "[[jobs]]\nname = \"One\"\nurl = \"https://a.example\"\nselector = \"p\"\n"
                "[[jobs]]\nname = \"Two\"\nurl = \"https://b.example\"\nfields = [\"t:h1\"]\n");
  project.write("jobs/deep/er/c/config.toml",
                "name = \"See\"\nurl = \"https://c.example\"\nselector = \"p\"\n");
  const Loaded loaded = project.load();
  EXPECT_THAT(ProjectForTest::texts(loaded.problems), IsEmpty());
  std::vector<std::string> ids;
  for (const Job& job : loaded.project.jobs) ids.push_back(job.id.text);
  EXPECT_THAT(ids, ElementsAre("b", "one", "see", "two"));
  EXPECT_TRUE(loaded.project.find_job("one")->directory.empty());
  EXPECT_EQ(loaded.find_job("deep/er/c")->id.text, "see");
  EXPECT_EQ(loaded.find_job("jobs/deep/er/c/")->id.text, "see");
  EXPECT_EQ(loaded.find_job("See")->id.text, "see");
  EXPECT_EQ(loaded.find_job("nope"), nullptr);
}

TEST(LoadProject, TerminatesWhenFoldersFormALoop) {
  ProjectForTest project;
  project.job("");
  std::filesystem::create_directory_symlink(project.root() / "jobs", project.root() / "jobs/a/up");
  std::filesystem::create_directory_symlink(project.root() / "jobs/a", project.root() / "jobs/z");
  const Loaded loaded = project.load();
  EXPECT_EQ(loaded.jobs.size(), 1U);
  EXPECT_THAT(ProjectForTest::texts(loaded.problems), IsEmpty());
}

TEST(LoadProject, UsesOneFieldOrTheWholePageWhenOnlyOneKeyIsGiven) {
  ProjectForTest project;
  project.write("jobs.toml",
                "[[jobs]]\nname = \"one\"\nurl = \"https://a.example\"\nselector = \"p\"\n"
                "[[jobs]]\nname = \"two\"\nurl = \"https://b.example\"\nfields = [\"t:h1\"]\n");
  const Loaded loaded = project.load();
  ASSERT_EQ(loaded.project.jobs.size(), 2U);
  ASSERT_EQ(loaded.project.jobs[0].fields.size(), 1U);
  EXPECT_EQ(loaded.project.jobs[0].fields[0].name, "text");
  EXPECT_EQ(loaded.project.jobs[1].selector, "") << "the whole page is the item";
}

Loaded load_source_job(const std::string& rest) {
  ProjectForTest project;
  project.write("jobs/a/config.toml", "name = \"a\"\nurl = \"https://a.example\"\n" + rest);
  return project.load();
}

TEST(LoadProject, KnowsTheKindOfASelectorByItsBeginning) {
  const Loaded loaded = load_source_job(R"(selector = "//li"
fields = [
  "css:a@href",
  "xpath:./a/@href",
  { name = "both", selector = "../b", join = ", " },
  { name = "one", xpath = "a/@href", default = "none" },
  { name = "two", css = "a", attr = "href" },
]
namespaces = { dc = "urn:dc" }
)");
  ASSERT_THAT(ProjectForTest::texts(loaded.problems), IsEmpty());
  const Job& job = loaded.project.jobs.at(0);
  EXPECT_EQ(job.fields.at(0).attribute, "href");
  EXPECT_EQ(job.fields.at(1).selector, "./a/@href");
  EXPECT_EQ(job.fields.at(1).kind, SelectorKind::xpath);
  EXPECT_EQ(job.fields.at(2).kind, SelectorKind::xpath);
  EXPECT_EQ(job.fields.at(2).join, ", ");
  EXPECT_EQ(job.fields.at(3).kind, SelectorKind::xpath);
  EXPECT_EQ(job.fields.at(3).fallback, "none");
  EXPECT_EQ(job.fields.at(4).kind, SelectorKind::css);
  EXPECT_EQ(job.fields.at(4).attribute, "href");
  EXPECT_THAT(job.namespaces, UnorderedElementsAre(Pair("dc", "urn:dc")));
}

TEST(LoadProject, ReadsWhereAPageHoldsItsJson) {
  const Loaded loaded = load_source_job(R"(selector = "$.items[*]"
json_in = "script#data@data-x"
fields = ["name:$.name", { name = "price", json = "$['a:b@c']", type = "money" }]
)");
  ASSERT_THAT(ProjectForTest::texts(loaded.problems), IsEmpty());
  const Job& job = loaded.project.jobs.at(0);
  EXPECT_EQ(job.json_in.selector, "script#data");
  EXPECT_EQ(job.json_in.attribute, "data-x");
  EXPECT_EQ(job.fields.at(1).selector, "$['a:b@c']");
  EXPECT_EQ(job.fields.at(1).kind, SelectorKind::json_path);
}

TEST(LoadProject, ReadsWhatAJobExpects) {
  const Loaded loaded = load_source_job(R"(watch = "status"
must_not_contain = ["sold out"]
[expect]
status = ["200-299", "404"]
contains = "Welcome"
not_contains = ["maintenance"]
max_ms = 2000
tls_days = 14
)");
  ASSERT_THAT(ProjectForTest::texts(loaded.problems), IsEmpty());
  const Job& job = loaded.project.jobs.at(0);
  EXPECT_EQ(job.watch, WatchKind::status);
  EXPECT_EQ(job.expect.status, (std::vector<StatusRange>{{200, 299}, {404, 404}}));
  EXPECT_THAT(job.expect.contains, ElementsAre("Welcome"));
  EXPECT_THAT(job.expect.not_contains, UnorderedElementsAre("sold out", "maintenance"));
  EXPECT_EQ(job.expect.max_time, 2s);
  EXPECT_EQ(job.expect.tls_days, 14);
  EXPECT_EQ(job.expect.min_items, std::nullopt);
}

TEST(LoadProject, GivesJobsThatWatchAFeedItsFields) {
  const Loaded loaded = load_source_job("watch = \"feed\"\nsearch_fields = [\"title\"]\n");
  ASSERT_THAT(ProjectForTest::texts(loaded.problems), IsEmpty());
  const Job& job = loaded.project.jobs.at(0);
  EXPECT_EQ(job.watch, WatchKind::feed);
  EXPECT_EQ(job.fields.at(0).name, "id");
  EXPECT_THAT(job.hash_fields, ElementsAre("id"));
}

TEST(LoadProject, LetsLaterLayersWin) {
  ProjectForTest project;
  project.write("heddle.toml", R"([limits]
nodes = 1000
redirects = 1
[defaults]
timeout = "1s"
workers = 2
stagger = "3s"
headers = { Accept = "a", X-One = "1" }
limits = { redirects = 2 }
[groups.shops]
workers = 3
stagger = "4s"
headers = { accept = "b" }
retry = { max = 7 }
)");
  const Loaded loaded =
      project.job("group = \"shops\"\nstagger = \"5s\"\nretry.base = \"9s\"\n").load();
  EXPECT_THAT(ProjectForTest::texts(loaded.problems), IsEmpty());
  ASSERT_EQ(loaded.project.jobs.size(), 1U);
  const Job& job = loaded.project.jobs[0];
  EXPECT_EQ(job.timeout, 1s);
  EXPECT_EQ(job.workers, 3);
  EXPECT_EQ(job.stagger, 5s);
  EXPECT_EQ(job.retry.max, 7);
  EXPECT_EQ(job.retry.base, 9s);
  EXPECT_EQ(job.limits.nodes, 1000);
  EXPECT_EQ(job.limits.redirects, 2);
  EXPECT_THAT(job.headers, UnorderedElementsAre(Pair("accept", "b"), Pair("X-One", "1")));
  const Settings& settings = loaded.jobs[0].settings;
  EXPECT_EQ(settings.at("timeout").origin.text(), "heddle.toml:5");
  EXPECT_EQ(settings.at("workers").origin.text(), "heddle.toml:11");
  EXPECT_EQ(settings.at("stagger").origin.text(), "jobs/a/config.toml:6");
  EXPECT_EQ(settings.at("limits.nodes").origin.text(), "heddle.toml:2");
}

TEST(LoadProject, HidesAlternativeKeysOfALowerLayer) {
  ProjectForTest project;
  project.write("heddle.toml", "[defaults]\ninterval = \"5m\"\nurls = [\"https://d.example\"]\n");
  const Loaded loaded = project.job("schedule = \"manual\"\n").load();
  ASSERT_EQ(loaded.project.jobs.size(), 1U);
  EXPECT_EQ(loaded.project.jobs[0].schedule, "manual");
  EXPECT_EQ(loaded.project.jobs[0].interval, std::nullopt);
  EXPECT_THAT(loaded.project.jobs[0].urls, ElementsAre("https://example.com/"));
}

TEST(LoadProject, FillsDefaultsWithTheVarsOfEachJob) {
  ProjectForTest project;
  project.write(
      "heddle.toml",
      "[defaults]\nvars = { city = \"Bonn\", n = 2 }\nbody = \"{{city}}\"\nworkers = \"{{n}}\"\n");
  project.job("", "a").job("[vars]\ncity = \"Köln\"\n", "b");
  const Loaded loaded = project.load();
  EXPECT_THAT(ProjectForTest::texts(loaded.problems), IsEmpty());
  ASSERT_EQ(loaded.project.jobs.size(), 2U);
  EXPECT_EQ(loaded.project.jobs[0].body, "Bonn");
  EXPECT_EQ(loaded.project.jobs[1].body, "Köln");
  EXPECT_EQ(loaded.project.jobs[1].workers, 2);
}

TEST(LoadProject, ReadsNumbersAndFlagsFromTheEnvironment) {
  ProjectForTest project;
  project.variables = {{"W", "7"}, {"T", "600"}, {"E", "false"}, {"R", "0.75"}};
  const Loaded loaded =
      project
          .job(
              "workers = \"${env:W}\"\ntimeout = \"${env:T}\"\nenabled = \"${env:E}\"\n"
              "max_error_rate = \"${env:R}\"\n")
          .load();
  EXPECT_THAT(ProjectForTest::texts(loaded.problems), IsEmpty());
  ASSERT_EQ(loaded.project.jobs.size(), 1U);
  EXPECT_EQ(loaded.project.jobs[0].workers, 7);
  EXPECT_EQ(loaded.project.jobs[0].timeout, 600s);
  EXPECT_FALSE(loaded.project.jobs[0].enabled);
  EXPECT_DOUBLE_EQ(loaded.project.jobs[0].max_error_rate, 0.75);
}

TEST(LoadProject, CollectsSecretsInEveryForm) {
  ProjectForTest project;
  project.variables = {{"TOKEN", "to/ken"}};
  project.write("key.txt", "filekey\n");
  const Loaded loaded = project
                            .job(
                                "headers = { X-A = \"Bearer ${env:TOKEN}\", X-B = "
                                "\"${file:key.txt}\", Cookie = \"id=77\" }\n"
                                "webhook = { url = \"https://h.example\", secret = \"literals\" }\n"
                                "proxy = { urls = [\"http://me:passwd@p.example\"] }\n")
                            .load();
  EXPECT_THAT(ProjectForTest::texts(loaded.problems), IsEmpty());
  EXPECT_THAT(loaded.project.secrets,
              UnorderedElementsAre("to/ken", "to%2Fken", "to%2fken", "to\\/ken", "filekey", "id=77",
                                   "id%3D77", "id%3d77", "literals", "passwd"));
}

TEST(LoadProject, FindsTheScriptsOfAJobInLoadingOrder) {
  ProjectForTest project;
  project.write("shared/shop.lua", "-- a").write("jobs/a/hooks.lua", "-- b");
  project.write("jobs/a/defer.lua", "-- c").write("jobs/a/tests.lua", "-- d");
  const Loaded loaded = project.job("script = \"shared/shop.lua\"").load();
  EXPECT_THAT(ProjectForTest::texts(loaded.problems), IsEmpty());
  const JobScripts& scripts = loaded.project.jobs.front().scripts;
  std::vector<std::string> names;
  for (const auto& file : scripts.files) names.push_back(file.filename().string());
  EXPECT_THAT(names, ElementsAre("shop.lua", "hooks.lua", "defer.lua"));
  EXPECT_EQ(scripts.tests.filename(), "tests.lua");
}

TEST(LoadProject, LetsAJobWithAScriptOmitSelectorAndFields) {
  ProjectForTest project;
  project.write("jobs/a/config.toml",
                "name = \"a\"\nurl = \"https://example.com/\"\nhash_fields = [\"sku\"]\n");
  project.write("jobs/a/hooks.lua", "function override_extract() end");
  const Loaded loaded = project.load();
  EXPECT_THAT(ProjectForTest::texts(loaded.problems), IsEmpty());
  ASSERT_EQ(loaded.project.jobs.size(), 1u);
  EXPECT_EQ(loaded.project.jobs.front().selector, "");
  EXPECT_THAT(loaded.project.jobs.front().fields, IsEmpty());
}

TEST(LoadProject, ChangesTheRevisionWithTheScript) {
  ProjectForTest project;
  project.job("").write("jobs/a/hooks.lua", "-- one");
  const std::string before = project.load().project.jobs.front().revision;
  project.write("jobs/a/hooks.lua", "-- two");
  EXPECT_NE(project.load().project.jobs.front().revision, before);
}

TEST(LoadProject, ReadsUrlsFromAFileBesideTheJob) {
  ProjectForTest project;
  project.write("jobs/a/config.toml", "name = \"a\"\nurls_file = \"list.txt\"\nselector = \"p\"\n");
  project.write("jobs/a/list.txt",
                "\xEF\xBB\xBF# comment\r\nhttps://a.example/1\r\n\n  https://a.example/2  \n");
  const Loaded loaded = project.load();
  EXPECT_THAT(ProjectForTest::texts(loaded.problems), IsEmpty());
  ASSERT_EQ(loaded.project.jobs.size(), 1U);
  EXPECT_THAT(loaded.project.jobs[0].urls,
              ElementsAre("https://a.example/1", "https://a.example/2"));
  EXPECT_TRUE(loaded.project.jobs[0].is_url_list);
}

TEST(LoadProject, ChangesTheRevisionWithAnyValue) {
  ProjectForTest project;
  const auto revision = [&](std::string_view more) {
    return project.job(more).load().project.jobs.at(0).revision;
  };
  const std::string plain = revision("");
  EXPECT_EQ(revision(""), plain);
  EXPECT_NE(revision("timeout = 31\n"), plain);
  EXPECT_NE(revision("debug = true\n"), plain);
}

TEST(LoadProject, ChangesTheVersionButNotTheRevisionWithASecret) {
  ProjectForTest project;
  const auto load = [&](const std::string& value) {
    project.variables["X"] = value;
    return project.job("body = \"${env:X}\"\nvars = { v = \"${env:X}\" }\nkeywords = [\"{{v}}\"]\n")
        .load()
        .project.jobs.at(0);
  };
  const Job one = load("1");
  EXPECT_EQ(load("1").version(), one.version());
  EXPECT_EQ(load("2").revision, one.revision);
  EXPECT_NE(load("2").version(), one.version());
  EXPECT_EQ(project.job("").load().project.jobs.at(0).secret_hash, "");
}

TEST(LoadProject, LeavesOutLongListsOfUrlsForReading) {
  ProjectForTest project;
  std::string urls;
  for (int i = 0; i < 20'000; ++i) urls += "https://shop.test/" + std::to_string(i) + "\n";
  project.write("jobs/long/l.txt", urls);
  project.write("jobs/short/l.txt", "https://shop.test/1\n");
  for (const std::string name : {"long", "short"})
    project.write("jobs/" + name + "/config.toml", "name = \"" + name +
                                                       "\"\nurls_file = \"l.txt\"\n"
                                                       "selector = \"p\"\nfields = [\"t:\"]\n");
  const Loaded whole = project.load();
  ASSERT_NE(whole.project.find_job("long"), nullptr);
  EXPECT_EQ(whole.project.find_job("long")->urls.size(), 20'000u);
  const Loaded read = load_for_reading(project.root(), project.environment());
  ASSERT_NE(read.project.find_job("long"), nullptr);
  EXPECT_TRUE(read.project.find_job("long")->urls.empty());
  EXPECT_EQ(read.project.find_job("long")->fields.size(), 1u);
  EXPECT_EQ(read.project.find_job("short")->urls.size(), 1u);
}

TEST(LoadProject, ChangesTheRevisionWithTheUrlsFile) {
  ProjectForTest project;
  project.write("jobs.toml", "[[jobs]]\nname = \"a\"\nurls_file = \"l.txt\"\nselector = \"p\"\n");
  const std::string one =
      project.write("l.txt", "https://a.example/1\n").load().project.jobs.at(0).revision;
  EXPECT_NE(project.write("l.txt", "https://a.example/2\n").load().project.jobs.at(0).revision,
            one);
}

TEST(LoadProject, KeepsValidJobsWhenOthersAreInvalid) {
  ProjectForTest project;
  const Loaded loaded = project.job("", "good").job("timeout = \"soon\"\n", "bad").load();
  ASSERT_EQ(loaded.project.jobs.size(), 1U);
  EXPECT_EQ(loaded.project.jobs[0].id.text, "good");
  EXPECT_FALSE(loaded.find_job("bad")->usable);
  EXPECT_TRUE(has_errors(loaded.find_job("bad")->problems));
  EXPECT_THAT(loaded.find_job("good")->problems, IsEmpty());
}

TEST(DetectTimezone, PrefersTheVariableThenTheLinkThenTheFile) {
  const heddle::testing::TemporaryFolder etc;
  EXPECT_EQ(detect_timezone(std::nullopt, etc.path()), "UTC");
  etc.write("timezone", "Asia/Tokyo\n");
  EXPECT_EQ(detect_timezone(std::nullopt, etc.path()), "Asia/Tokyo");
  std::filesystem::create_symlink("/usr/share/zoneinfo/Europe/Rome", etc.path() / "localtime");
  EXPECT_EQ(detect_timezone(std::nullopt, etc.path()), "Europe/Rome");
  EXPECT_EQ(detect_timezone(":Europe/Oslo", etc.path()), "Europe/Oslo");
  EXPECT_EQ(detect_timezone("", etc.path()), "UTC");
}

}  // namespace
}  // namespace heddle::config
