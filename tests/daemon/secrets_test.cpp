// A planted secret is nowhere in what the program stores, sends about pages or prints: not before
// and not after it gets a new value, and not in a shell that does not know it.
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>

#include <zstd.h>

#include "base/hash.hpp"
#include "store/sqlite/core/statement.hpp"
#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using ::testing::HasSubstr;
using ::testing::Not;

// The middle is the same text in every encoding.
constexpr const char* kFirst = "pre/c0re7first+x";
constexpr const char* kSecond = "pre/n3wc0re8second+x";
constexpr const char* kFirstMiddle = "c0re7first";
constexpr const char* kSecondMiddle = "n3wc0re8second";
constexpr const char* kVariable = "HEDDLE_TEST_TOPSECRET";
constexpr const char* kReference = "${env:HEDDLE_TEST_TOPSECRET}";

std::string read_all(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class PlantedSecret : public DaemonFixture {
 protected:
  void SetUp() override {
    set(kFirst);
    site_.answer("/list", html("<li><b>Tea</b><a href='#top'>x</a></li>"));
    site_.handle("/echo", [](const SiteRequest& request) {
      return html("<p>you sent " + request.target + " " + request.body + "</p><li><b>Echo " +
                  request.header("X-Key") + "</b><a href='" + request.target + "'>x</a></li>")
          .with_header("ETag", "\"" + request.header("X-Key") + "\"");
    });
    site_.handle("/moved", [this](const SiteRequest& request) {
      return redirect("/list?from=" + request.header("X-Key") + "&" + request.query);
    });
    site_.handle("/broken", [](const SiteRequest& request) {
      return SiteResponse{.status = 500, .body = "no " + request.target};
    });
    site_.answer("/hook", SiteResponse{.status = 200});
    site_.handle("/bad-hook", [](const SiteRequest& request) {
      return SiteResponse{.status = 410,
                          .body = "who is " + request.header("X-Auth") + "? " + request.target};
    });
    write_jobs();
  }
  void TearDown() override { set(nullptr); }

  static void set(const char* value) {
    // NOLINTBEGIN(concurrency-mt-unsafe): no other thread of the test reads the environment
    if (value != nullptr)
      setenv(kVariable, value, 1);
    else
      unsetenv(kVariable);
    // NOLINTEND(concurrency-mt-unsafe)
  }

  void write_web_job(const std::string& id, const std::string& url, const std::string& more = "") {
    project_.write_job(id, "url = \"" + url +
                               "\"\nselector = \"li\"\n"
                               "fields = [\"name:b\", \"link:a@href\"]\nmax_error_rate = 1.0\n"
                               "headers = { X-Key = \"" +
                               kReference + "\", Cookie = \"sid=" + kReference + "\" }\n" + more +
                               "[retry]\nmax = 0\n");
  }

  void write_jobs() {
    const std::string query = "?key=" + std::string(kReference);
    const std::string hook = "[webhook]\nurl = \"" + site_.url("/hook" + query) +
                             "\"\nheaders = { X-Auth = \"" + kReference + "\" }\n";
    write_web_job("list", site_.url("/list" + query), "debug = true\n" + hook);
    write_web_job(
        "echo", site_.url("/echo" + query),
        "debug = true\nmethod = \"POST\"\nbody = \"key=" + std::string(kReference) + "\"\n" + hook);
    write_web_job("moved", site_.url("/moved" + query), hook);
    write_web_job("broken", site_.url("/broken" + query));
    write_web_job("refused", "http://127.0.0.1:1/" + std::string(kReference));
    write_web_job(
        "proxied", site_.url("/list" + query),
        "proxy = { urls = [\"http://me:" + std::string(kReference) + "@127.0.0.1:1\"] }\n");
    std::string bad = hook;
    bad.replace(bad.find("/hook"), 5, "/bad-hook");
    write_web_job("gone", site_.url("/list" + query), bad);
    write_web_job("scripted", site_.url("/list" + query), hook);
    project_.write("jobs/scripted/hooks.lua", R"(
      function before_fetch(request, ctx)
        log("asks " .. request.url)
        print("asks " .. request.url)
        return request
      end
      function after_extract(items, ctx)
        items[1].fields.name = "from " .. ctx.last_fetch.request.url
        return items
      end
      function before_webhook(payload, ctx) payload.asked = ctx.last_fetch.request.url return payload end
      function on_success(ctx) error("after " .. ctx.last_fetch.request.url) end
    )");
    project_.write_job("program",
                       "kind = \"command\"\nargs = [\"/bin/sh\", \"-c\", "
                       "\"echo got $1 $KEY; echo $KEY >&2; exit 3\", \"sh\", \"" +
                           std::string(kReference) + "\"]\nenv = { KEY = \"" + kReference +
                           "\" }\n[[hooks.pre_start]]\nname = \"show\"\n"
                           "command = \"echo hook $KEY; false\"\nfailure = \"ignore\"\n");
    project_.write_job(
        "missing", "kind = \"command\"\nargs = [\"/no/such/" + std::string(kReference) + "\"]\n");
  }

  static const std::vector<std::string>& jobs() {
    static const std::vector<std::string> all{"list",    "echo", "moved",    "broken",  "refused",
                                              "proxied", "gone", "scripted", "program", "missing"};
    return all;
  }

  void expect_clean(const std::string& text, const std::string& where) {
    for (const char* middle : {kFirstMiddle, kSecondMiddle}) {
      const std::size_t at = text.find(middle);
      EXPECT_EQ(at, std::string::npos)
          << where << ": …" << text.substr(at < 200 ? 0 : at - 200, 300);
    }
  }

  void expect_clean_folder(const fs::path& folder) {
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file()) expect_clean(read_all(entry.path()), entry.path().string());
  }

  // Bodies are compressed in the database.
  void expect_clean_bodies() {
    auto db = store::Connection::open(project_.database(), {.read_only = true});
    ASSERT_TRUE(db) << db.error().message;
    store::Statement select(**db, "SELECT size, zstd FROM contents");
    auto rows = select.query();
    for (auto more = rows.next(); more && *more; more = rows.next()) {
      std::string body(static_cast<std::size_t>(rows.integer(0)), '\0');
      const auto size =
          ZSTD_decompress(body.data(), body.size(), rows.blob(1).data(), rows.blob(1).size());
      ASSERT_FALSE(ZSTD_isError(size)) << ZSTD_getErrorName(size);
      expect_clean(body, "a stored body");
    }
  }

  void expect_clean_output(const std::vector<std::string>& arguments) {
    const ProgramResult result = project_.heddle(arguments);
    std::string name;
    for (const std::string& argument : arguments) name += argument + " ";
    expect_clean(result.out + result.err, "heddle " + name);
  }

  // Every command that reads.
  void expect_clean_commands() {
    std::vector<std::vector<std::string>> commands{
        {"jobs"},    {"status"}, {"check"}, {"dead", "list"},  {"workers"},
        {"metrics"}, {"doctor"}, {"logs"},  {"explain", "url"}};
    for (const std::string& job : jobs())
      for (const char* command : {"show", "runs", "logs", "records", "check"})
        commands.push_back({command, job});
    for (const std::string& job : jobs()) {
      commands.push_back({"config", "show", job});
      commands.push_back({"records", job, "--format", "csv"});
      commands.push_back({"records", job, "--format", "jsonl"});
    }
    for (const std::string& run : ids("SELECT id FROM runs"))
      commands.push_back({"run-trace", run});
    for (const std::string& letter : ids("SELECT id FROM dead_letters"))
      commands.push_back({"dead", "show", letter});
    for (std::vector<std::string>& command : commands) {
      expect_clean_output(command);
      command.emplace_back("--json");
      expect_clean_output(command);
    }
  }

  std::vector<std::string> ids(const std::string& sql) {
    auto db = store::Connection::open(project_.database(), {.read_only = true});
    std::vector<std::string> found;
    if (!db) return found;
    store::Statement select(**db, sql);
    auto rows = select.query();
    for (auto more = rows.next(); more && *more; more = rows.next())
      found.emplace_back(rows.text(0));
    return found;
  }

  void expect_clean_messages() {
    EXPECT_GE(site_.count("/hook"), 1U);
    for (const SiteRequest& request : site_.requests("/hook"))
      expect_clean(request.body, "a webhook's message");
  }

  void expect_clean_everywhere() {
    expect_clean_folder(project_.path());
    expect_clean_bodies();
    expect_clean_messages();
    expect_clean_commands();
  }

  void run_all() {
    for (const std::string& job : jobs()) expect_clean_output({"run", job});
  }
};

TEST_F(PlantedSecret, IsUsedAndNeitherStoredNorShown) {
  run_all();
  EXPECT_EQ(site_.requests("/list").front().query, std::string("key=") + kFirst);
  EXPECT_EQ(site_.requests("/echo").front().body, std::string("key=") + kFirst);
  EXPECT_EQ(site_.requests("/hook").front().header("X-Auth"), kFirst);
  EXPECT_EQ(site_.requests("/hook").front().query, std::string("key=") + kFirst);
  EXPECT_GE(count("SELECT count(*) FROM items"), 4);
  EXPECT_GE(count("SELECT count(*) FROM dead_letters"), 2);
  expect_clean_everywhere();
  set(nullptr);
  expect_clean_everywhere();
  expect({"records", "list"}, 0, "key=" + std::string(kReference));
}

TEST_F(PlantedSecret, LeavesEverythingTheSameWhenItGetsANewValue) {
  run_all();
  const auto items = count("SELECT count(*) FROM items");
  const auto pages = count("SELECT count(*) FROM pages");
  const auto versions = count("SELECT count(*) FROM versions");
  set(kSecond);
  run_all();
  EXPECT_EQ(site_.requests("/list").back().query, std::string("key=") + kSecond);
  EXPECT_EQ(count("SELECT count(*) FROM items"), items) << "nothing is reported again";
  EXPECT_EQ(count("SELECT count(*) FROM pages"), pages);
  EXPECT_EQ(count("SELECT count(*) FROM versions"), versions);
  expect_clean_everywhere();
  set(nullptr);
  expect_clean_everywhere();
}

TEST_F(PlantedSecret, IsNotShownWhenItHasANewValueAndNothingRanSince) {
  run_all();
  set(kSecond);
  expect_clean_everywhere();
}

TEST_F(PlantedSecret, IsNeitherStoredNorShownByADaemon) {
  for (const char* value : {kFirst, kSecond}) {
    set(value);
    RunningDaemon daemon(project_, 1);
    run_all();
    set(nullptr);  // commands from another shell
    expect_clean_folder(project_.path());
    expect_clean_bodies();
    expect_clean_messages();
    expect_clean_commands();
    expect_clean_output({"dead", "retry", "--all"});
    expect_clean(daemon.log(), "the daemon's log");
    daemon.signal(SIGTERM);
    const ProgramResult end = daemon.wait();
    expect_clean(end.out + end.err, "the daemon's output");
  }
}

TEST_F(PlantedSecret, IsNotInBackups) {
  run_all();
  set(nullptr);
  const TemporaryFolder target;
  const ProgramResult done = project_.heddle({"backup", (target.path() / "copy").string()});
  EXPECT_EQ(done.exit_code, 0) << done.out << done.err;
  expect_clean_folder(target.path());
}

TEST_F(PlantedSecret, IsRemovedFromDataOfEarlierVersions) {
  ASSERT_EQ(project_.heddle({"run", "list"}).exit_code, 0);
  const auto items = count("SELECT count(*) FROM items");
  // As they stored it.
  execute("UPDATE tasks SET url = replace(url, '" + std::string(kReference) + "', '" + kFirst +
          "'); UPDATE urls SET url = replace(url, '" + kReference + "', '" + kFirst + "')");
  auto db = store::Connection::open(project_.database(), {});
  ASSERT_TRUE(db);
  store::Statement select(**db, "SELECT id, url FROM urls");
  std::map<std::int64_t, std::string> urls;
  {
    auto rows = select.query();
    for (auto more = rows.next(); more && *more; more = rows.next())
      urls[rows.integer(0)] = rows.text(1);
  }
  store::Statement set_hash(**db, "UPDATE urls SET hash = ? WHERE id = ?");
  for (const auto& [id, url] : urls)
    ASSERT_TRUE(set_hash.run(static_cast<std::int64_t>(hash64(url)), id));
  db->reset();
  ASSERT_THAT(read_all(project_.database()), HasSubstr(kFirstMiddle));

  expect({"run", "list"}, 0, "removed secrets that an earlier version has stored for 1 job");
  expect_clean_folder(project_.path());
  EXPECT_EQ(count("SELECT count(*) FROM items"), items);
  EXPECT_EQ(count("SELECT count(*) FROM pages"), 1);
}

TEST_F(PlantedSecret, IsNotStoredInTheFormThatAHostGivesIt) {
  set("UpperSecret99xy");
  write_web_job("hosted", "http://" + std::string(kReference) + ".invalid/");
  const ProgramResult run = project_.heddle({"run", "hosted"});
  EXPECT_THAT(run.out + run.err, HasSubstr(kReference));
  EXPECT_THAT(run.out + run.err, Not(HasSubstr("uppersecret99xy")));
  for (const auto& entry : fs::recursive_directory_iterator(project_.path() / "data")) {
    if (!entry.is_regular_file()) continue;
    EXPECT_THAT(read_all(entry.path()), Not(HasSubstr("uppersecret99xy"))) << entry.path();
  }
}

}  // namespace
}  // namespace heddle::testing
