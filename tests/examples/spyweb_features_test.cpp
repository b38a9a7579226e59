// Features of SpyWeb that its documentation describes, and what its uptime monitor builds on them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/examples/example_project.hpp"
#include "tests/examples/spyweb_test.hpp"

namespace heddle::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

class SpywebFeature : public SpywebTest {
 protected:
  void serve(std::string_view body) { site_.answer("/", html(std::string(body))); }
  std::int64_t new_items() {
    run();
    return run_.at("items").at("new").as_int64();
  }
};

constexpr std::string_view kRows =
    "name = \"Rows\"\nurl = \"SITE/\"\nselector = \"p\"\nfields = [\"title:b\", \"seen:u\"]\n";

TEST_F(SpywebFeature, ReadsTheJobsOfOneFile) {
  serve("<p><b>One</b></p>");
  write("/jobs.toml",
        "[[jobs]]\nname = \"Rows: All\"\ninterval = 300\nurl = \"SITE/\"\nselector = \"p\"\n"
        "fields = [\"title:b\"]\nnotification = { title = \"{title}\" }\n"
        "[[jobs]]\nname = \"Off\"\nenabled = false\nurl = \"SITE/\"\nselector = \"p\"\n"
        "fields = [\"title:b\"]\ndebug = true\n");
  EXPECT_EQ(project_.heddle({"check"}).exit_code, 0);
  EXPECT_EQ(project_.heddle_json({"run", "rows-all"}).at("items").at("new"), 1);
}

TEST_F(SpywebFeature, ComparesAllFieldsUnlessSomeAreNamed) {
  serve("<p><b>One</b><u>1 hour ago</u></p>");
  write_config(kRows);
  EXPECT_EQ(new_items(), 1);
  EXPECT_EQ(new_items(), 0);
  serve("<p><b>One</b><u>2 hours ago</u></p>");
  EXPECT_EQ(new_items(), 1);
}

TEST_F(SpywebFeature, ComparesTheNamedFields) {
  serve("<p><b>One</b><u>1 hour ago</u></p>");
  write_config(std::string(kRows) + "hash_fields = [\"title\"]\n");
  EXPECT_EQ(new_items(), 1);
  serve("<p><b>One</b><u>2 hours ago</u></p><p><u>first</u></p>");
  EXPECT_EQ(new_items(), 1) << "the one without any named field";
  serve("<p><u>second</u></p>");
  EXPECT_EQ(new_items(), 1) << "without the named fields all are compared";
}

TEST_F(SpywebFeature, FillsTheTemplatesOfNotifications) {
  serve("<p><b>Rust</b><u>a</u></p><p><b>Go and rust</b><u>b</u></p>");
  write_config(std::string(kRows) +
               "keywords = [\"rust\", \"go\"]\n[notification]\nenabled = true\n"
               "title = \"{job_name}: {item_count} ({match_count})\"\n"
               "body = \"{title}, {matches}\"\n");
  const auto lines = run();
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0], "Rows: 2 (2): Rust, rust, go");
}

TEST_F(SpywebFeature, PostsFlatItemsToTheWebhook) {
  serve("<p><b>Rust</b><u>a</u></p>");
  site_.answer("/hook", SiteResponse{.status = 204});
  write_config(std::string(kRows) +
               "keywords = [\"rust\"]\n"
               "webhook = { url = \"SITE/hook\", headers = { \"X-Api-Key\" = \"k\" } }\n");
  run();
  ASSERT_EQ(site_.count("/hook"), 1u);
  EXPECT_EQ(site_.requests("/hook").at(0).header("X-Api-Key"), "k");
  const auto payload = parse_json(site_.requests("/hook").at(0).body);
  EXPECT_EQ(payload.at("job_name"), "Rows");
  EXPECT_EQ(payload.at("item_count"), 1);
  EXPECT_EQ(payload.at("items").at(0).at("title"), "Rust");
  EXPECT_TRUE(payload.at("items").at(0).as_object().contains("keywords"));
}

TEST_F(SpywebFeature, WalksAllAddresses) {
  for (const char* path : {"/a", "/b", "/c"})
    site_.answer(path, html("<p><b>" + std::string(path) + "</b></p>"));
  write_config(
      "name = \"Rows\"\nurl = \"SITE/\"\nurls = [\"SITE/a\", \"SITE/b\", \"SITE/c\"]\n"
      "workers = 2\nselector = \"p\"\nfields = [\"title:b\"]\n");
  run();
  EXPECT_EQ(site_.count("/"), 0u);
  EXPECT_THAT(stored("title"), UnorderedElementsAre("/a", "/b", "/c"));
}

TEST_F(SpywebFeature, ResolvesAddressesOfLinksOnly) {
  serve(
      "<p><a href=\"//other.example/x\">1</a></p><p><a href=\"../up\">2</a></p>"
      "<p><a href=\"https://other.example/y\">3</a></p><p><a href=\"mailto:a@b.example\">4</a></p>"
      "<p><img alt=\"/not/a/link\"></p>");
  write_config(
      "name = \"Rows\"\nurl = \"SITE/\"\nselector = \"p\"\n"
      "fields = [\"link:a@href\", \"alt:img@alt\"]\n");
  run();
  EXPECT_THAT(stored("link"),
              UnorderedElementsAre("http://other.example/x", with_site("SITE/up"),
                                   "https://other.example/y", "mailto:a@b.example", ""));
  EXPECT_THAT(stored("alt"), Contains("/not/a/link"));
}

TEST_F(SpywebFeature, ReportsMistakesInTheConfiguration) {
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"search_fields = [\"nothing\"]\n", "search_fields"},
      {"hash_fields = [\"nothing\"]\n", "hash_fields"},
      {"interval = 0\n", "interval"},
      {"workers = 0\n", "workers"},
      {"urls = [\"no address\"]\n", "urls"},
      {"webhook = { enabled = true, url = \"no address\" }\n", "webhook"}};
  for (const auto& [line, key] : mistakes) {
    write_config(std::string(kRows) + line);
    const ProgramResult check = project_.heddle({"check"});
    EXPECT_EQ(check.exit_code, 1) << line;
    EXPECT_THAT(check.out, HasSubstr(key)) << line;
  }
  write_config("name = \"Rows\"\nurl = \"SITE/\"\nselector = \"p\"\nfields = [\"a:b\", \"a:u\"]\n");
  EXPECT_EQ(project_.heddle({"check"}).exit_code, 1) << "two fields of one name";
}

TEST_F(SpywebFeature, DebugsAJobThatIsOffWithoutStoring) {
  serve("<p><b>One</b></p>");
  write_config(std::string(kRows) + "enabled = false\n");
  const ProgramResult debug = project_.heddle({"debug", "page"});
  EXPECT_EQ(debug.exit_code, 0) << debug.out << debug.err;
  EXPECT_THAT(debug.out, HasSubstr("One"));
  EXPECT_THAT(stored("title"), IsEmpty());
}

TEST_F(SpywebFeature, ReadsSharedFilesThatTheJobDoesNotHave) {
  serve("<p></p>");
  write("/shared/rates.txt", "1.25");
  write("/shared/own.txt", "of all");
  write_config(kRows);
  write("own.txt", "of the job");
  write("hooks.lua", R"lua(
function before_fetch(request)
  print(fs_read("rates.txt"), fs_read_binary("rates.txt"), fs_read("own.txt"), fs_read("none.txt"))
  fs_append("rates.txt", "new")
  print(fs_read("rates.txt"), fs_read("shared/rates.txt"))
end
)lua");
  write("tests.lua", R"lua(
function test_reads()
  spyweb.assert_eq(fs_read("own.txt"), "of the job")
  fs_append("log.txt", "new")
  spyweb.assert_eq(fs_read("log.txt"), "new")
  fs_overwrite("shared/own.txt", "changed")
  spyweb.assert_eq(fs_read("own.txt"), "of the job")
end
)lua");
  write("/shared/log.txt", "old");
  EXPECT_THAT(run(), ElementsAre("1.25\t1.25\tof the job\tnil", "new\t1.25"));
  const ProgramResult test = project_.heddle({"test", "page"});
  EXPECT_EQ(test.exit_code, 0) << test.out << test.err;
}

TEST_F(SpywebFeature, ShowsTelemetryOfACycle) {
  serve("<p><b>One</b></p>");
  write_config(kRows);
  write("hooks.lua", R"lua(
function after_extract(items) return items end
function on_finally(ctx)
  local t = spyweb_telemetry
  print(t.job_name, t.map.after_extract.status, t.map.fetch.type, t.map.before_store.status,
        #t.stages > 10, t.total_duration_ms >= 0)
end
)lua");
  EXPECT_THAT(run(), ElementsAre("Rows\tsuccess\tinternal\tinactive\ttrue\ttrue"));
}

TEST_F(SpywebFeature, HidesItsSettingsFromScripts) {
  serve("<p></p>");
  write_config(kRows);
  write("hooks.lua", R"lua(
function before_fetch(request)
  for _, key in ipairs({ "API_KEY", "PORT", "DISABLE_SERVER", "THREADS" }) do
    if env_get(key) then print(key) end
  end
  print(env_get("TEST_WORD"))
end
)lua");
  for (const char* name : {"SPYWEB_API_KEY", "SPYWEB_PORT", "SPYWEB_DISABLE_SERVER"})
    ASSERT_EQ(setenv(name, "1", 1), 0);
  ASSERT_EQ(setenv("SPYWEB_TEST_WORD", "word", 1), 0);
  EXPECT_THAT(run(), ElementsAre("word"));
}

// A monitor of addresses that are rows of a table, as SpyWeb's Pulse is.
TEST_F(SpywebFeature, RunsAnUptimeMonitor) {
  site_.answer("/up", html("all is well"));
  site_.answer("/down", SiteResponse{.status = 503});
  site_.answer("/alerts", SiteResponse{.status = 204});
  write_config(
      "name = \"Uptime\"\nurl = \"SITE/\"\ninterval = 5\nworkers = 3\nselector = \"body\"\n"
      "fields = [\"dummy:body\"]\nretry = { max = 0 }\n");
  write("/lib/checks.lua", R"lua(
local M = {}
function M.make()
  db_exec([[CREATE TABLE IF NOT EXISTS monitors (id INTEGER PRIMARY KEY AUTOINCREMENT,
    url TEXT NOT NULL UNIQUE, wanted TEXT DEFAULT '', is_up INTEGER DEFAULT 1, failures INTEGER DEFAULT 0,
    last INTEGER, expires TEXT, made INTEGER DEFAULT (cast(strftime('%s','now') AS INTEGER)))]])
  db_exec("CREATE INDEX IF NOT EXISTS by_time ON monitors(last DESC)")
end
function M.claim()
  local now = os.time()
  return db_query([[UPDATE monitors SET last = ? WHERE id = (SELECT id FROM monitors
    WHERE last IS NULL OR ? - last >= 60 ORDER BY last LIMIT 1) RETURNING *]], { now, now })
end
function M.note(id, is_up, expires)
  db_exec("UPDATE monitors SET is_up = ?, expires = ?, last = ? WHERE id = ?", { is_up, expires, os.time(), id })
end
return M
)lua");
  write("hooks.lua", R"lua(
local checks = require("lib.checks")
checks.make()
for _, path in ipairs({ "/up", "/down", "/missing" }) do
  db_exec("INSERT OR IGNORE INTO monitors (url, wanted) VALUES (?, ?)", { "SITE" .. path, path == "/up" and "well" or "" })
end
function before_fetch(request, ctx)
  local row = checks.claim()[1]
  if not row then return nil end
  request.url = row.url
  request.method = row.wanted ~= "" and "GET" or "HEAD"
  ctx.shared = { id = row.id, wanted = row.wanted, was_up = row.is_up == 1 }
  return request
end
function after_fetch(result, ctx)
  local s = ctx.shared
  if not s.id then return nil end
  local status = result.response and result.response.status or 0
  local is_up = status >= 200 and status < 500 and 1 or 0
  if is_up == 1 and s.wanted ~= "" and not result.response.body:find(s.wanted, 1, true) then is_up = 0 end
  checks.note(s.id, is_up, nil)
  if is_up == 0 and s.was_up then
    http_post("SITE/alerts", json_encode({ event = "down", status = status, at = os.date("!%Y", 1000) }))
  end
  return nil
end
)lua");
  write("defer.lua", R"lua(
function on_finished()
  local last = tonumber(global_store_get("cleaned")) or 0
  if os.time() - last >= 86400 then
    global_store_set("cleaned", tostring(os.time()))
    print("cleaned " .. db_exec("DELETE FROM monitors WHERE made < ?", { 1 }))
  end
  for _, row in ipairs(db_query("SELECT url, is_up, expires FROM monitors ORDER BY id")) do
    print(row.url:match("/%a+$"), row.is_up, row.expires)
  end
end
)lua");
  const auto lines = run(1);  // a failed fetch is a failed run
  EXPECT_THAT(lines, ElementsAre("cleaned 0", "/up\t1\tnil", "/down\t0\tnil", "/missing\t1\tnil"));
  ASSERT_EQ(site_.count("/alerts"), 1u);
  EXPECT_EQ(site_.requests("/alerts").at(0).body,
            "{\"at\":\"1970\",\"event\":\"down\",\"status\":503}");
  EXPECT_EQ(site_.requests("/down").at(0).method, "HEAD");
  EXPECT_EQ(site_.requests("/up").at(0).method, "GET");
}

TEST_F(SpywebFeature, TranslatesLuauInScripts) {
  serve("<p><b>One</b></p><p><b>Two</b></p>");
  write_config(kRows);
  write("count.lua",
        "local M: { total: number } = { total = 0 }\nfunction M.add(n: number) M.total += n "
        "end\nreturn M\n");
  write("hooks.lua", R"lua(
local count = require("count")
type Item = { fields: { [string]: string } }
function after_extract(items: { Item }, ctx): { Item }
  for _, item in ipairs(items) do
    if item.fields.title == "One" then continue end
    count.add(1_0)
    item.fields.title ..= if count.total > 5 then "!" else "?"
  end
  print(`{#items} items, {count.total}`)
  return items
end
)lua");
  EXPECT_EQ(project_.heddle({"check"}).exit_code, 0);
  EXPECT_THAT(run(), ElementsAre("2 items, 10"));
  EXPECT_THAT(stored("title"), UnorderedElementsAre("One", "Two!"));
  write("hooks.lua", "local n = 0\nn += 1\nfor _, v in ipairs({}) do\n  n = \nend\n");
  const ProgramResult check = project_.heddle({"check"});
  EXPECT_EQ(check.exit_code, 1);
  EXPECT_THAT(check.out, HasSubstr("hooks.lua:5: unexpected symbol near 'end'"));
}

}  // namespace
}  // namespace heddle::testing
