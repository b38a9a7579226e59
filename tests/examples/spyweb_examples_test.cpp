// What SpyWeb's example jobs do, as facts about jobs of ours. One of the eleven needs a browser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/examples/example_project.hpp"
#include "tests/examples/spyweb_test.hpp"

namespace heddle::testing {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

using SpywebExample = SpywebTest;

// A news page: the points of a story are in the row after it.
constexpr std::string_view kNews =
    "<table>"
    "<tr class=story id=1><td><span class=headline><a href=\"item?id=1\">Rust 2 is "
    "out</a></span></tr>"
    "<tr class=meta><td><b class=points>31 points</b></tr>"
    "<tr class=story id=2><td><span class=headline><a href=\"https://other.example/go\">Go "
    "notes</a>"
    "</span></tr><tr class=meta><td><b class=points>7 points</b></tr>"
    "<tr class=story id=3><td><span class=headline><a href=\"/gardens\">Gardens</a></span></tr>"
    "</table>";

constexpr std::string_view kNewsConfig =
    "name = \"News\"\nurl = \"SITE/news\"\nselector = \".story\"\nfields = [\n"
    "  \"title:.headline > a\",\n"
    "  { name = \"link\", selector = \".headline > a\", att = \"href\" },\n"
    "  \"points:+ .meta .points\"\n]\n";

// As the starter kit and the full example have them.
constexpr const char* kCountingHooks = R"lua(
round = 1
function before_fetch(request)
  print("[1] round " .. round)
  if round > 2 then return nil end
  round = round + 1
  return request
end
function after_fetch(result)
  if not result.ok then
    print("[3] " .. result.error.message)
    return nil
  end
  print("[3] " .. result.response.status)
  return result
end
function after_extract(items)
  print("[5] " .. #items)
  local kept = {}
  for _, item in ipairs(items) do
    local price = tonumber(((item.fields.points or ""):gsub("[^%d%.]", "")))
    if not price or price <= 30 then table.insert(kept, item) end
  end
  return kept
end
function filter_item(item) return item end
function before_store(items) print("[7] " .. #items) return items end
function before_notify(items) print("[8] " .. #items) return items end
function before_webhook(payload) print("[9] " .. payload.job_name) return payload end
)lua";

TEST_F(SpywebExample, BasicScraperFiltersByKeywords) {
  site_.answer("/news", html(std::string(kNews)));
  write_config(std::string(kNewsConfig) + "interval = 300\nkeywords = [\"rust\", \"go\"]\n");
  EXPECT_THAT(run(), IsEmpty());
  EXPECT_THAT(stored("title"), UnorderedElementsAre("Rust 2 is out", "Go notes"));
  EXPECT_THAT(stored("link"),
              UnorderedElementsAre(with_site("SITE/item?id=1"), "https://other.example/go"));
}

TEST_F(SpywebExample, ExternalDatabaseGetsTheItemsInsteadOfTheStore) {
  site_.answer("/news", html(std::string(kNews)));
  site_.answer("/ingest", SiteResponse{.status = 204});
  write_config(kNewsConfig);
  write("hooks.lua", R"lua(
function before_store(items, ctx)
  ctx.shared.external = items
  return nil
end
)lua");
  write("defer.lua", R"lua(
function on_success(ctx)
  print(string.format("in %d ms", ctx.telemetry.total_duration_ms))
  http_post("SITE/ingest", json_encode({ records = ctx.shared.external }),
    { ["Content-Type"] = "application/json" })
end
function on_error(err) print(tostring(err)) end
function on_finally() print("finally") end
)lua");
  EXPECT_THAT(run(), ElementsAre(::testing::MatchesRegex("in [0-9]+ ms"), "finally"));
  EXPECT_THAT(stored("title"), IsEmpty());
  ASSERT_EQ(site_.count("/ingest"), 1u);
  const auto body = parse_json(site_.requests("/ingest").at(0).body);
  EXPECT_THAT(body.at("records").as_array(), SizeIs(3));
  EXPECT_EQ(body.at("records").at(0).at("fields").at("title"), "Rust 2 is out");
}

TEST_F(SpywebExample, FullPipelineRunsAllItsHooks) {
  site_.answer("/news", html(std::string(kNews)));
  write_config(
      std::string(kNewsConfig) +
      "debug = true\nsearch_fields = [\"title\"]\nhash_fields = [\"title\", \"link\"]\n"
      "headers = { \"User-Agent\" = \"Tester/1\", \"Accept-Language\" = \"en-US\" }\n"
      "proxy = { enabled = false, rotate = \"RoundRobin\", urls = [\"http://127.0.0.1:1\"] }\n"
      "webhook = { enabled = false, url = \"SITE/hook\" }\n");
  write("hooks.lua", kCountingHooks);
  EXPECT_THAT(run(), ElementsAre("[1] round 1", "[3] 200", "[5] 3", "[7] 2", "[8] 2", "[9] News"));
  EXPECT_EQ(site_.requests("/news").at(0).header("User-Agent"), "Tester/1");
  EXPECT_THAT(stored("points"), UnorderedElementsAre("7 points", ""));
}

TEST_F(SpywebExample, StarterKitSkipsWhenItsLimitIsReached) {
  site_.answer("/news", html("<p>nothing</p>"));
  write_config(kNewsConfig);
  write("hooks.lua", std::string(kCountingHooks) + "round = 3\n");
  EXPECT_THAT(run(), ElementsAre("[1] round 3"));
  EXPECT_EQ(site_.count("/news"), 0u);
  EXPECT_EQ(run_.at("state"), "completed");
}

TEST_F(SpywebExample, StarterKitSeesAFailedFetch) {
  site_.answer("/news", SiteResponse{.status = 503});
  write_config(std::string(kNewsConfig) + "retry = { max = 0 }\n");
  write("hooks.lua", kCountingHooks);
  EXPECT_THAT(run(1), Contains(HasSubstr("[3] ")));
}

TEST_F(SpywebExample, RenderingServiceGetsTheAddressInstead) {
  site_.answer("/render", html("<i class=item><b>Lamp</b></i>"));
  write_config(
      "name = \"Shop\"\nurl = \"https://shop.example/list\"\nselector = \".item\"\n"
      "fields = [\"title:b\"]\n");
  write("hooks.lua", R"lua(
function before_fetch(request)
  local target = request.url
  request.url = "SITE/render?token=KEY"
  request.method = "POST"
  request.headers["Content-Type"] = "application/json"
  request.body = json_encode({ url = target, wait_until = "network_idle" })
  return request
end
)lua");
  EXPECT_THAT(run(), IsEmpty());
  ASSERT_EQ(site_.count("/render"), 1u);
  const SiteRequest sent = site_.requests("/render").at(0);
  EXPECT_EQ(sent.method, "POST");
  EXPECT_EQ(sent.query, "token=KEY");
  EXPECT_EQ(parse_json(sent.body).at("url"), "https://shop.example/list");
  EXPECT_THAT(stored("title"), ElementsAre("Lamp"));
}

TEST_F(SpywebExample, LuaFilterReplacesKeywords) {
  site_.answer("/jobs", html("<i class=j><b>Rust engineer</b><u>Good Inc</u><s>120 - 150</s></i>"
                             "<i class=j><b>Go engineer</b><u>Spam Corp</u></i>"
                             "<i class=j><b>Rust intern</b><u>Good Inc</u></i>"
                             "<i class=j><b>Cook</b><u>Good Inc</u></i>"));
  write_config(
      "name = \"Jobs\"\nurl = \"SITE/jobs\"\nselector = \".j\"\n"
      "fields = [\"title:b\", \"company:u\", \"salary:s\"]\nkeywords = [\"cook\"]\n");
  write("hooks.lua", R"lua(
blocked = { ["spam corp"] = true }
function filter_item(item)
  local title = (item.fields.title or ""):lower()
  if blocked[(item.fields.company or ""):lower()] or title:find("intern") then return nil end
  if not (title:find("rust") or title:find("go")) then return nil end
  local least = tonumber(string.match(item.fields.salary or "", "%d+"))
  if least then item.fields.salary = "$" .. least .. "k+" end
  return item
end
function before_notify(items)
  print("before_notify", #items)
  if #items < 2 then return nil end
  return items
end
)lua");
  EXPECT_THAT(run(), ElementsAre("before_notify\t1"));
  EXPECT_THAT(stored("title"), ElementsAre("Rust engineer"));
  EXPECT_THAT(stored("salary"), ElementsAre("$120k+"));
}

TEST_F(SpywebExample, WorkersShareTargetsThroughSql) {
  for (const char* path : {"/a", "/b", "/c"}) site_.answer(path, html("<p>here</p>"));
  write_config(
      "name = \"Targets\"\nurl = \"SITE/\"\nworkers = 4\nselector = \"body\"\n"
      "fields = [\"dummy:body\"]\n");
  write("hooks.lua", R"lua(
db_exec("CREATE TABLE IF NOT EXISTS targets (id TEXT PRIMARY KEY, url TEXT, pause INTEGER, last INTEGER DEFAULT 0)")
for _, id in ipairs({ "a", "b", "c" }) do
  db_exec("INSERT OR IGNORE INTO targets (id, url, pause) VALUES (?, ?, ?)", { id, "SITE/" .. id, 60 })
end
function before_fetch(request, ctx)
  local now = os.time()
  local rows = db_query([[
    UPDATE targets SET last = ? WHERE id = (SELECT id FROM targets WHERE ? - last >= pause LIMIT 1)
    RETURNING id, url]], { now, now })
  if #rows == 0 then return nil end
  request.url = rows[1].url
  ctx.shared.id = rows[1].id
  return request
end
function after_fetch(result, ctx)
  print(string.format("[%s] %s", ctx.shared.id, result.ok and "OK" or result.error.message))
  return nil
end
)lua");
  EXPECT_THAT(run(), UnorderedElementsAre("[a] OK", "[b] OK", "[c] OK"));
  for (const char* path : {"/a", "/b", "/c"}) EXPECT_EQ(site_.count(path), 1u);
}

TEST_F(SpywebExample, WorkersExtractTheContainerItself) {
  site_.answer("/", html("<p>one</p>"));
  write_config(
      "name = \"Whole\"\nurl = \"SITE/\"\nselector = \"body\"\nfields = [\"dummy:body\"]\n");
  EXPECT_THAT(run(), IsEmpty());
  EXPECT_THAT(stored("dummy"), ElementsAre("one"));
}

TEST_F(SpywebExample, FetchOverrideReturnsTheResponseOfItsRequest) {
  site_.answer("/news", html(std::string(kNews)));
  write_config(kNewsConfig);
  write("hooks.lua", R"lua(
function override_fetch(request, ctx)
  local response, failure = http_request({ url = request.url, method = request.method,
    headers = request.headers, timeout = 15, max_body_size = 5 })
  if not response then return { error = failure.error } end
  print(string.format("OK %d bytes in %d ms", response.size, response.time_ms) ~= "")
  sleep((0.002 + math.random(-500, 500) / 1000000) * 1000)
  return response
end
)lua");
  EXPECT_THAT(run(), ElementsAre("true"));
  EXPECT_THAT(stored("title"), SizeIs(3));
}

TEST_F(SpywebExample, PaginationGoesOnFromRunToRun) {
  site_.handle("/list", [](const SiteRequest& request) {
    return html("<i class=p><b>Lamp " + request.query +
                "</b><u>$20</u></i>"
                "<i class=p><b>Palace</b><u>$5000</u></i><i class=p><u>$1</u></i>");
  });
  write_config(
      "name = \"Pages\"\nurl = \"SITE/list\"\nselector = \".p\"\n"
      "fields = [\"title:b\", \"price:u\"]\n");
  write("hooks.lua", R"lua(
function before_fetch(request)
  page = (page or tonumber(store_get("page")) or 1)
  local sign = string.find(request.url, "?") and "&" or "?"
  request.url = request.url .. sign .. "page=" .. page
  page = page + 1
  if page > 2 then page = 1 end
  store_set("page", tostring(page))
  return request
end
function after_fetch(result)
  if not result.ok or result.response.status ~= 200 then return nil end
  return result
end
function filter_item(item)
  local title = item.fields.title or ""
  local price = tonumber(string.match(item.fields.price or "", "%d+"))
  if title == "" or (price and price > 1000) then return nil end
  item.fields.title = string.upper(title)
  return item
end
function before_store(items)
  if #items == 0 then return nil end
  return items
end
function before_notify(items)
  local first = {}
  for i = 1, math.min(#items, 5) do first[i] = items[i] end
  return first
end
)lua");
  for (int i = 0; i < 3; ++i) EXPECT_THAT(run(), IsEmpty());
  EXPECT_THAT(stored("title"), UnorderedElementsAre("LAMP PAGE=1", "LAMP PAGE=2"));
  EXPECT_EQ(site_.requests("/list").back().query, "page=1");
}

constexpr const char* kBreaker = R"lua(
local MOST = 2
local function push(title, text, priority)
  http_post("SITE/push", text, { ["Title"] = title, ["Priority"] = tostring(priority or 3) })
end
function before_fetch(request)
  local failures = tonumber(store_get("failures")) or 0
  if failures >= MOST and os.time() - (tonumber(store_get("stopped")) or 0) < 86400 then return nil end
  return request
end
function after_fetch(result)
  local failures = tonumber(store_get("failures")) or 0
  local status = result.response and result.response.status or nil
  if not result.ok or status ~= 200 then
    failures = failures + 1
    store_set("failures", tostring(failures))
    if failures == MOST then
      store_set("stopped", tostring(os.time()))
      push("Backing off", status and ("HTTP " .. status) or result.error.message, 5)
    end
    return nil
  end
  store_delete("failures")
  return result
end
function before_notify(items)
  for _, item in ipairs(items) do
    local price = tonumber(((item.fields.price or "0"):gsub("[^%d%.]", ""))) or 0
    local key = "least_" .. (item.fields.id or item.fields.title)
    local least = tonumber(store_get(key) or "999999")
    if price > 0 and price < least then
      push("Cheaper: " .. item.fields.title, "Now " .. price .. ", was " .. least)
      store_set(key, tostring(price))
    end
  end
  return items
end
)lua";

TEST_F(SpywebExample, CircuitBreakerStopsFetchingAndTellsOnce) {
  site_.answer("/lamps", SiteResponse{.status = 502});
  site_.answer("/push", SiteResponse{.status = 204});
  write_config(
      "name = \"Lamps\"\nurl = \"SITE/lamps\"\nselector = \".l\"\nfields = [\"title:b\"]\n"
      "retry = { max = 0 }\n[notification]\nenabled = false\n");
  write("hooks.lua", kBreaker);
  run(1);
  run(1);
  EXPECT_THAT(run(), IsEmpty());
  EXPECT_EQ(site_.count("/lamps"), 2u);
  ASSERT_EQ(site_.count("/push"), 1u);
  EXPECT_EQ(site_.requests("/push").at(0).header("Title"), "Backing off");
  EXPECT_EQ(site_.requests("/push").at(0).body, "HTTP 502");
}

TEST_F(SpywebExample, PriceDropsAreToldAgainstTheKeptLeastPrice) {
  site_.answer("/push", SiteResponse{.status = 204});
  write_config(
      "name = \"Lamps\"\nurl = \"SITE/lamps\"\nselector = \".l\"\n"
      "fields = [\"title:b\", \"price:u\"]\n[notification]\nenabled = false\n");
  write("hooks.lua", kBreaker);
  for (const char* price : {"$1,200.50", "$1,300", "$900"}) {
    site_.answer("/lamps", html("<i class=l><b>Arc</b><u>" + std::string(price) + "</u></i>"));
    EXPECT_THAT(run(), IsEmpty());
  }
  ASSERT_EQ(site_.count("/push"), 2u);
  EXPECT_EQ(site_.requests("/push").at(0).body, "Now 1200.5, was 999999");
  EXPECT_EQ(site_.requests("/push").at(1).body, "Now 900, was 1200.5");
}

// What its extractor does.
using SpywebExtraction = SpywebTest;

TEST_F(SpywebExtraction, GivesEveryItemAllFields) {
  site_.answer("/", html("<div class=j><h2>Tester</h2><p class=d>Tests <em>all</em> day</p></div>"
                         "<div class=j><h2>Cook</h2><a href=\"/jobs/cook\">Apply</a></div>"));
  write_config(
      "name = \"Jobs\"\nurl = \"SITE/\"\nselector = \".j\"\nfields = [\"title:h2\",\n"
      "{ name = \"link\", selector = \"a\", att = \"href\" }, \"desc:.d@text\"]\n");
  write("hooks.lua",
        "function before_store(items, ctx) print(ctx.selector_matches) return items end");
  EXPECT_THAT(run(), ElementsAre("2"));
  EXPECT_THAT(stored("title"), UnorderedElementsAre("Tester", "Cook"));
  EXPECT_THAT(stored("desc"), UnorderedElementsAre("Tests all day", ""));
  EXPECT_THAT(stored("link"), UnorderedElementsAre("", with_site("SITE/jobs/cook")));
}

TEST_F(SpywebExtraction, TakesTheContainerForAnEmptySelector) {
  site_.answer("/", html("<a class=l href=\"/one\">One</a><a class=l href=\"two\">Two</a>"));
  write_config(
      "name = \"Links\"\nurl = \"SITE/\"\nselector = \".l\"\n"
      "fields = [\"title:\", \"link:@href\"]\n");
  run();
  EXPECT_THAT(stored("title"), UnorderedElementsAre("One", "Two"));
  EXPECT_THAT(stored("link"), UnorderedElementsAre(with_site("SITE/one"), with_site("SITE/two")));
}

TEST_F(SpywebExtraction, ReadsBadlyWrittenPages) {
  site_.answer("/", html("<a href=\"/before\"></a><div class=card><a href=\"/list/7\"></a><div>"
                         "<a href=\"/list/7\"><dl><dt><h4>Lead <span>Remote</span></h4></dt></dl>"
                         "<p class=at data-at=\"2026-05-01\"><em>May</em></p>"
                         "<dl><dt><i></i></dt><dd>95000</dd></dl></a>"
                         "<div class=sum><a href=\"/list/7\"> Leads <br> a team… </a>"
                         "<a href=\"/full/7\" target=\"_blank\">Details</a></div></div></div>"));
  write_config(
      "name = \"Cards\"\nurl = \"SITE/\"\nselector = \".card\"\nfields = [\"title:h4\",\n"
      "\"link:a@href\", \"date:p.at@data-at\", \"rate:dl>dd\", \"sum:.sum\",\n"
      "\"more:a[target='_blank']@href\"]\n");
  run();
  EXPECT_THAT(stored("title"), ElementsAre("Lead Remote"));
  EXPECT_THAT(stored("link"), ElementsAre(with_site("SITE/list/7")));
  EXPECT_THAT(stored("date"), ElementsAre("2026-05-01"));
  EXPECT_THAT(stored("rate"), ElementsAre("95000"));
  EXPECT_THAT(stored("more"), ElementsAre(with_site("SITE/full/7")));
  EXPECT_THAT(stored("sum"), Each(HasSubstr("Details")));
}

TEST_F(SpywebExtraction, ComparesKeywordsWithoutCase) {
  site_.answer("/", html("<p>Rust tools</p><p>Old tools</p>"));
  write_config(
      "name = \"Words\"\nurl = \"SITE/\"\nselector = \"p\"\nfields = [\"text:p\"]\n"
      "keywords = [\"RUST\"]\n");
  run();
  EXPECT_THAT(stored("text"), ElementsAre("Rust tools"));
}

}  // namespace
}  // namespace heddle::testing
