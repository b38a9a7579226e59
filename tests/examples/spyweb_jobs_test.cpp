// What SpyWeb's own end-to-end jobs check, as facts about jobs of ours.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/examples/example_project.hpp"
#include "tests/examples/spyweb_test.hpp"

namespace heddle::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view kLamps =
    "name = \"Lamps\"\nurl = \"SITE/lamps\"\nselector = \".lamp\"\nfields = [\"name:b\"]\n";

// Prints the name of each hook; items have no `fields`.
constexpr const char* kAllHooks = R"lua(
function before_fetch(request, ctx)
  print("before_fetch")
  if SKIPS then return nil end
  if METHOD then request.method = METHOD end
  return request
end
function override_fetch(request, ctx)
  print("override_fetch " .. (request.method or "GET"))
  if FAILS then return { error = "no luck" } end
  return { status = 200, body = "<i class='lamp'><b>Arc</b></i>", url = request.url }
end
function after_fetch(result, ctx)
  print("after_fetch " .. tostring(result.ok))
  if RECOVERS and result.error then
    return { status = 200, body = "<p>instead</p>", url = result.request.url }
  end
  return result
end
function override_extract(response, ctx)
  print("override_extract " .. #response.body)
  return { { name = "Arc" } }
end
function after_extract(items, ctx)
  print("after_extract " .. #items)
  items[#items + 1] = { name = "Desk" }
  return items
end
function filter_item(item, ctx)
  print("filter_item")
  if DROPS and (item.name or item.fields.name) == "Desk" then return nil end
  return item
end
function before_store(items, ctx)
  print("before_store " .. #items)
  print(type(ctx.selector_matches), ctx.last_fetch.ok, ctx.last_fetch.response and ctx.last_fetch.response.status)
  return items
end
function before_notify(items, ctx)
  print("before_notify " .. #items)
  if not SILENT then return items end
end
function before_webhook(payload, ctx)
  print("before_webhook " .. payload.item_count)
  payload.extra = true
  return payload
end
function on_finished() print("on_finished") end
)lua";

class SpywebJob : public SpywebTest {
 protected:
  void SetUp() override {
    site_.answer("/lamps", html("<i class=lamp><b>Arc</b></i><i class=lamp><b>Desk</b></i>"));
    write_config(kLamps);
  }

  std::vector<std::string> run_hooks(std::string_view settings) {
    write_config(std::string(kLamps) + "webhook = { url = \"SITE/hook\" }\n");
    site_.answer("/hook", SiteResponse{.status = 204});
    write("hooks.lua", std::string(settings) + kAllHooks);
    return run();
  }
};

TEST_F(SpywebJob, CallsAllHooksInTheirOrder) {
  EXPECT_THAT(run_hooks(""), ElementsAre("before_fetch", "override_fetch GET", "after_fetch true",
                                         "override_extract 30", "after_extract 1", "filter_item",
                                         "filter_item", "before_store 2", "number\ttrue\t200",
                                         "before_notify 2", "before_webhook 2", "on_finished"));
  EXPECT_THAT(stored("name"), ::testing::UnorderedElementsAre("Arc", "Desk"));
  ASSERT_EQ(site_.count("/hook"), 1u);
  EXPECT_EQ(parse_json(site_.requests("/hook").at(0).body).at("extra"), true);
}

TEST_F(SpywebJob, SkipsTheCycleWhenBeforeFetchReturnsNothing) {
  EXPECT_THAT(run_hooks("SKIPS = true"), ElementsAre("before_fetch", "on_finished"));
}

TEST_F(SpywebJob, TakesTheMethodThatBeforeFetchSets) {
  EXPECT_THAT(run_hooks("METHOD = 'HEAD'"), Contains("override_fetch HEAD"));
}

TEST_F(SpywebJob, RecoversInAfterFetchFromAFailedFetch) {
  const auto lines = run_hooks("FAILS = true RECOVERS = true");
  EXPECT_THAT(lines, Contains("after_fetch false"));
  EXPECT_THAT(lines, Contains("override_extract 14"));
  EXPECT_THAT(lines, Contains("before_store 2"));
}

TEST_F(SpywebJob, StoresWhatFilterItemKeeps) {
  EXPECT_THAT(run_hooks("DROPS = true"), Contains("before_store 1"));
  EXPECT_THAT(stored("name"), ElementsAre("Arc"));
}

TEST_F(SpywebJob, ReshapesTheWebhookAlsoWhenNotificationsAreSilenced) {
  EXPECT_THAT(run_hooks("SILENT = true"), Contains("before_webhook 2"));
}

TEST_F(SpywebJob, RunsDeferredFunctionsLastInFirstOut) {
  write("hooks.lua", R"lua(
function override_fetch(request)
  defer(function() print("broken") error("on purpose") end)
  defer(function() print("second") end)
  defer(function() print("first") defer(function() print("added late") end) end)
  defer(function() sleep(1) print("never printed") end)
  if FAILS then return { error = "broken pipe" } end
  return { status = 200, body = "<i class='lamp'><b>Arc</b></i>", url = request.url }
end
function before_store(items, ctx)
  ctx.shared.count = #items
end
)lua");
  write("defer.lua", R"lua(
function on_success(ctx) print("on_success " .. tostring(ctx.shared.count)) end
function on_error(err, ctx) print("on_error " .. err) end
function on_finally(ctx) print("on_finally") end
)lua");
  const auto lines = run();
  const auto at = [&](std::string_view line) {
    return std::find(lines.begin(), lines.end(), line) - lines.begin();
  };
  EXPECT_THAT(lines, Not(Contains("never printed")));
  EXPECT_LT(at("first"), at("second"));
  EXPECT_LT(at("second"), at("broken"));
  EXPECT_LT(at("added late"), at("on_success 1"));
  EXPECT_LT(at("on_success 1"), at("on_finally"));
  EXPECT_LT(at("on_finally"), static_cast<std::ptrdiff_t>(lines.size()));
}

TEST_F(SpywebJob, CallsOnErrorWhenTheFetchFails) {
  write_config(std::string(kLamps) + "retry = { max = 0 }\n");
  write("hooks.lua", "function override_fetch() return { error = 'broken pipe' } end");
  write("defer.lua", R"lua(
function on_success(ctx) print("on_success") end
function on_error(err, ctx) print("on_error " .. type(err) .. " " .. err) end
function on_finally(ctx) print("on_finally") end
)lua");
  const auto lines = run(1);
  EXPECT_THAT(lines, Contains(HasSubstr("on_error string")));
  EXPECT_THAT(lines, Contains(HasSubstr("broken pipe")));
  EXPECT_THAT(lines, Contains("on_finally"));
  EXPECT_THAT(lines, Not(Contains("on_success")));
}

TEST_F(SpywebJob, KeepsValuesOfTheJobAndOfAllJobs) {
  write("hooks.lua", R"lua(
function before_fetch(request)
  store_set("lamp", "on")
  print(store_get("lamp"), store_get("nothing"))
  store_delete("lamp")
  store_set("times", (store_get("times") or 0) + 1)
  global_store_set("total", 100)
  print(store_get("lamp"), store_get("times"), type(global_store_get("total")),
        global_store_incr("total", 0, 1), global_store_get("total"))
  global_store_delete("total")
  return request
end
)lua");
  EXPECT_THAT(run(), ElementsAre("on\tnil", "nil\t1\tstring\t101\t101"));
  EXPECT_THAT(run(), ElementsAre("on\tnil", "nil\t2\tstring\t101\t101"));
}

TEST_F(SpywebJob, WorksWithSql) {
  write("hooks.lua", R"lua(
db_exec("CREATE TABLE IF NOT EXISTS lamps (id INTEGER PRIMARY KEY, name TEXT, watt REAL)")
function before_fetch(request)
  local added = db_exec("INSERT INTO lamps (name, watt) VALUES (?, ?)", { "arc", 7.5 })
  db_exec("INSERT INTO lamps (name, watt) VALUES (?, ?)", { "desk", 11 })
  local strong = db_query("SELECT name FROM lamps WHERE watt > ?", { 8 })
  local changed = db_exec("UPDATE lamps SET watt = ? WHERE name = ?", { 9.25, "arc" })
  local arc = db_query("SELECT watt FROM lamps WHERE name = ?", { "arc" })
  local removed = db_exec("DELETE FROM lamps WHERE name = ?", { "desk" })
  print(added, #strong, strong[1].name, changed, arc[1].watt, removed,
        #db_query("SELECT * FROM lamps"))
  return request
end
)lua");
  EXPECT_THAT(run(), ElementsAre("1\t1\tdesk\t1\t9.25\t1\t1"));
}

TEST_F(SpywebJob, SendsRequestsOfAllMethods) {
  site_.handle("/echo", [](const SiteRequest& request) {
    return SiteResponse{.body = "{\"method\":\"" + request.method + "\",\"query\":\"" +
                                request.query +
                                "\",\"size\":" + std::to_string(request.body.size()) + "}"};
  });
  site_.answer("/broken", SiteResponse{.status = 500});
  write("hooks.lua", R"lua(
function before_fetch(request)
  local url = "SITE/echo"
  local function tell(response)
    local seen = json_decode(response.body)
    print(response.status, seen.method, seen.query, seen.size > 0)
  end
  tell(http_get(url .. "?q=hello"))
  tell(http_post(url, json_encode({ a = 1 }), { ["Content-Type"] = "application/json" }))
  for _, method in ipairs({ "PUT", "PATCH" }) do
    tell(http_request({ method = method, url = url, body = "text", headers = { ["X-Own"] = "1" } }))
  end
  tell(http_request({ method = "DELETE", url = url }))
  print(http_request({ method = "HEAD", url = url }).status)
  tell(http_multipart(url, { a = "1", f = { content = "a\0b", filename = "a.txt", content_type = "text/plain" } }))
  print(http_get("SITE/broken").status)
  return request
end
)lua");
  EXPECT_THAT(run(), ElementsAre("200\tGET\tq=hello\tfalse", "200\tPOST\t\ttrue",
                                 "200\tPUT\t\ttrue", "200\tPATCH\t\ttrue", "200\tDELETE\t\tfalse",
                                 "200", "200\tPOST\t\ttrue", "500"));
}

TEST_F(SpywebJob, TriesProxiesInOverrideFetch) {
  write_config(std::string(kLamps) + "retry = { max = 0 }\n");
  write("hooks.lua", R"lua(
function override_fetch(request)
  for attempt = 1, 3 do
    for number, proxy in ipairs({ "http://127.0.0.1:1", "http://127.0.0.1:2" }) do
      local response, failure = http_request({ url = request.url, method = request.method,
        headers = request.headers, proxy = proxy, timeout = 1, max_body_size = 5 })
      if response then return response end
      print(attempt, number, #failure.kind > 0, #failure.error > 0)
      sleep(1)
    end
  end
  return { error = "all proxies failed" }
end
function after_fetch(result)
  print(result.ok, result.error.message)
  return result
end
)lua");
  const auto lines = run(1);
  for (const char* line : {"1\t1\ttrue\ttrue", "1\t2\ttrue\ttrue", "3\t2\ttrue\ttrue"})
    EXPECT_THAT(lines, Contains(line));
  EXPECT_THAT(lines, Contains(StartsWith("false\tall proxies failed")));
}

TEST_F(SpywebJob, NumbersItsWorkers) {
  write_config(std::string(kLamps) + "workers = 3\n");
  write("hooks.lua", R"lua(
seen = {}
function before_fetch(request, ctx)
  local can_write = pcall(function() ctx.worker_id = 999 end)
  seen[#seen + 1] = ctx.worker_id .. tostring(can_write)
  return request
end
function on_finished()
  table.sort(seen)
  print(table.concat(seen, " "))
end
)lua");
  EXPECT_THAT(run(), ElementsAre("1false 2false 3false"));
}

TEST_F(SpywebJob, TestsItsScripts) {
  write("hooks.lua", "function helper() return 'hooks' end function test_in_hooks() end");
  write("defer.lua", "function helper_too() return 'defer' end function test_in_defer() end");
  write("tests.lua", R"lua(
function test_helpers()
  spyweb.assert_eq(helper() .. helper_too(), "hooksdefer")
  spyweb.assert_ne("a", "b")
end
function test_waits()
  local start = os.clock()
  sleep(5)
  spyweb.assert_eq((os.clock() - start) * 1000 >= 4, true)
end
function test_tells()
  spyweb.assert_eq(pcall(notify, "title", "body", 1), true)
  spyweb.assert_eq(pcall(log, "a line"), true)
end
function not_a_test() error("not called") end
)lua");
  const ProgramResult good = project_.heddle({"test", "page"});
  EXPECT_EQ(good.exit_code, 0) << good.out;
  for (const char* name :
       {"test_in_hooks", "test_in_defer", "test_helpers", "test_waits", "test_tells"})
    EXPECT_THAT(good.out, HasSubstr(name));
  EXPECT_THAT(good.out, Not(HasSubstr("not_a_test")));
  EXPECT_THAT(project_.heddle({"test", "page", "helpers"}).out, Not(HasSubstr("test_waits")));

  write("tests.lua", "function test_fails() spyweb.assert_eq(1, 2, 'on purpose') end");
  const ProgramResult bad = project_.heddle({"test", "page"});
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_THAT(bad.out + bad.err, HasSubstr("on purpose"));
}

TEST_F(SpywebJob, ReadsAndWritesFiles) {
  write("/shared/rates.txt", "1.25");
  write("hooks.lua", R"lua(
function before_fetch(request)
  fs_overwrite("notes.txt", "one")
  fs_append("notes.txt", "\ntwo")
  fs_overwrite("bytes.txt", "a\0b")
  fs_overwrite("data.json", json_encode({ a = 1 }))
  fs_overwrite("shared/out.txt", "shared")
  print(#fs_read("notes.txt"), #fs_read_binary("bytes.txt"), fs_read("data.json"),
        fs_read("shared/rates.txt"), fs_read("shared/out.txt"),
        pcall(fs_read, "../outside.txt") or pcall(fs_read, "/etc/passwd"))
  return request
end
)lua");
  const auto lines = run();
  ASSERT_FALSE(lines.empty());
  EXPECT_THAT(lines[0], StartsWith("7\t3\t{\"a\":1}\t1.25\tshared\tfalse"));
}

TEST_F(SpywebJob, RequiresModulesWithinTheProject) {
  write("near.lua", "return { value = 'near' }");
  write("deep/child/far.lua", "return { value = 'far' }");
  write("folder/init.lua", "return { value = 'folder' }");
  write("/root_module.lua", "return { value = 'root' }");
  TemporaryFolder outside;
  outside.write("stolen.lua", "return { value = 'stolen' }");
  std::filesystem::create_symlink(outside.path() / "stolen.lua",
                                  project_.path() / "jobs/page/link.lua");
  write("hooks.lua", R"lua(
sleep(1)
function before_fetch(request)
  for _, name in ipairs({ "near", "deep.child.far", "folder", "root_module" }) do
    print(require(name).value)
  end
  for _, name in ipairs({ "../../etc/passwd", "/etc/passwd", "../config", "near\0/../x", "link" }) do
    if pcall(require, name) then print("read " .. name) end
  end
  return request
end
)lua");
  EXPECT_THAT(run(), ElementsAre("near", "far", "folder", "root"));
}

TEST_F(SpywebJob, FollowsItsConfiguration) {
  write_config(
      "name = \"Lamps\"\nurl = \"SITE/lamps\"\nselector = \".lamp\"\n"
      "fields = [\"title:.title\", \"desc:.desc\"]\ninterval = 999999\ndebug = true\n"
      "headers = { \"X-Test-Header\" = \"from-config\" }\nkeywords = [\"arc\"]\n"
      "search_fields = [\"title\", \"desc\"]\nhash_fields = [\"title\"]\n"
      "[webhook]\nenabled = false\nurl = \"SITE/hook\"\nheaders = { \"X-Webhook\" = \"custom\" }\n"
      "[notification]\nenabled = true\ntimeout = 3000\ntitle = \"New: {job_name}\"\n"
      "body = \"{item_count} lamps\"\n"
      "[proxy]\nenabled = true\nrotate = \"RoundRobin\"\nurls = [\"http://127.0.0.1:19999\"]\n");
  write("hooks.lua", R"lua(
function before_fetch(request)
  print(request.headers["X-Test-Header"], request.proxy ~= nil)
  return request
end
function override_fetch(request)
  return { status = 200, url = request.url, headers = { ["content-type"] = "text/html" }, body =
    '<i class=lamp><b class=title>Arc lamp</b><p class=desc>bright</p></i>' ..
    '<i class=lamp><b class=title>Desk</b><p class=desc>an ARC over it</p></i>' ..
    '<i class=lamp><b class=title>Wall</b><p class=desc>plain</p></i>' }
end
function filter_item(item)
  print(item.fields.title, #item.matches)
  return item
end
function before_notify(items) print("notify", #items) return items end
function before_webhook(payload) print("webhook") return payload end
)lua");
  const auto lines = run();
  EXPECT_THAT(lines, Contains("from-config\ttrue"));
  EXPECT_THAT(lines, Contains("Arc lamp\t1"));
  EXPECT_THAT(lines, Contains("Desk\t1"));
  EXPECT_THAT(lines, Contains("Wall\t0"));
  EXPECT_THAT(lines, Contains("notify\t3"));
  EXPECT_EQ(site_.count("/hook"), 0u);
  EXPECT_EQ(run_.at("items").at("new"), 3);
  EXPECT_TRUE(std::filesystem::exists(project_.path() / "data/jobs/lamps/response-1.html"));
  EXPECT_TRUE(std::filesystem::exists(project_.path() / "data/jobs/lamps/fields-1.json"));
}

}  // namespace
}  // namespace heddle::testing
