// Values passed to scripts have exactly the fields that `heddle types` documents: scripts walk
// through the values of real cycles and list the fields.
#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/scripts/script_tester.hpp"
#include "pipeline/pipeline_for_test.hpp"
#include "script/type_stubs.hpp"
#include "worker/job_loader.hpp"

namespace heddle::app {
namespace {

using pipeline::PipelineForTest;
using ::testing::HasSubstr;

// Not walked: values from scripts to the engine, tables with free names, methods (see below), TLS
// certificates, and changes, which need a page that was stored before (FollowedItemsOfPages).
const std::set<std::string> kNotWalked{"Headers",          "HttpOptions",  "MultipartFile",
                                       "OverrideResponse", "CycleOptions", "HtmlDocument",
                                       "HtmlNode",         "Change",       "TlsCertificate"};

constexpr const char* kHooks = R"(
  seen = {}
  function see(class, value)
    for name in pairs(value) do seen[class .. "." .. name] = true end
  end
  local function see_result(result)
    see("FetchResult", result)
    see("Request", result.request)
    if result.response then see("Response", result.response) end
    if result.error then see("FetchError", result.error) end
  end
  function before_fetch(request, ctx)
    see("Request", request)
    request.body, request.proxy, request.method = "x", PROXY, "POST"
    return request
  end
  function after_fetch(result, ctx)
    local class = result.class  -- which only scripts that name it are given
    see_result(result)
    return result
  end
  function after_extract(items, ctx) see("Item", items[1]) return items end
  function before_webhook(payload, ctx) see("WebhookPayload", payload) return payload end
  function on_success(ctx) error("so that a stage has one") end
  function on_finally(ctx)
    see("Context", ctx)
    see("Job", ctx.job)
    see_result(ctx.last_fetch)
    see("Telemetry", ctx.telemetry)
    for _, stage in ipairs(ctx.telemetry.stages) do see("TelemetryStage", stage) end
  end
)";

constexpr const char* kTests = R"(
  local function see_report(report)
    see("CycleReport", report)
    see("Telemetry", report.telemetry)
    for _, stage in ipairs(report.telemetry.stages) do see("TelemetryStage", stage) end
    if report.items[1] then see("CycleItem", report.items[1]) end
    return report
  end
  function test_walk()
    assert(see_report(heddle.run_cycle({})).ok, "fetched")
    assert(not see_report(heddle.run_cycle({ url = GONE })).ok, "refused by the server")
    local _, failure = http_request({ url = GONE, proxy = "http://127.0.0.1:9", timeout = 5 })
    see("FetchFailure", failure)
    see("Engine", engine)
    local names = {}
    for name in pairs(seen) do names[#names + 1] = name end
    error("seen: " .. table.concat(names, " "), 0)
  end
)";

class ScriptValues : public ::testing::Test {
 protected:
  ScriptValues() {
    EXPECT_TRUE(world.load());  // opens the services
    // The site is also the proxy: proxy requests have the full address as target.
    world.site.handle_rest([this](const testing::SiteRequest& request) {
      if (request.target == world.site.url("/")) return testing::html(PipelineForTest::kPage);
      return testing::SiteResponse{.status = 404};
    });
  }

  // Runs a test of the job and returns its failure message.
  std::string run_test(const std::string& hooks, const std::string& tests) {
    const std::string values = "PROXY = 'http://127.0.0.1:" + std::to_string(world.site.port()) +
                               "'\n" + "GONE = '" + world.site.url("/gone") + "'\n";
    Job job = world.job;
    job.scripts.files = {world.folder.write("jobs/shop/hooks.lua", values + hooks)};
    job.scripts.tests = world.folder.write("jobs/shop/tests.lua", tests);
    worker::JobLoader loader(*world.services, *world.scripts);
    auto session = world.drive(loader.load_for_test(job));
    if (!session) return session.error().message;
    auto test = world.drive(run_script_test(*world.services, *world.store, **session, "test_walk"));
    return test ? test->message : test.error().message;
  }

  PipelineForTest world;
};

// The names after "seen: " in the message.
std::set<std::string> names_seen_in(const std::string& message) {
  constexpr std::string_view kMark = "seen: ";
  const std::size_t start = message.find(kMark);
  if (start == std::string::npos) return {message};
  std::istringstream stream(message.substr(start + kMark.size()));
  std::set<std::string> all;
  for (std::string word; stream >> word;) all.insert(word);
  return all;
}

std::set<std::string> documented() {
  std::set<std::string> names;
  for (const script::FieldDoc& field : script::field_docs())
    if (!field.name.starts_with('[') && !kNotWalked.contains(std::string(field.owner)))
      names.insert(std::string(field.owner) + "." + std::string(field.name));
  return names;
}

TEST_F(ScriptValues, HaveExactlyTheDocumentedFields) {
  EXPECT_EQ(names_seen_in(run_test(kHooks, kTests)), documented());
}

TEST_F(ScriptValues, RefuseUnknownCycleOptions) {
  std::vector<std::string> options;
  for (const script::FieldDoc& field : script::field_docs())
    if (field.owner == "CycleOptions") options.emplace_back(field.name);
  ASSERT_FALSE(options.empty());
  std::string list;
  for (const std::string& option : options) list += (list.empty() ? "" : ", ") + option;
  EXPECT_THAT(run_test("", "function test_walk() heddle.run_cycle({ boddy = 'x' }) end"),
              HasSubstr("there is no option 'boddy'; options are " + list));
  EXPECT_THAT(run_test("", "function test_walk() heddle.run_cycle({ body = 5 }) end"),
              HasSubstr("body must be a string"));
  EXPECT_THAT(run_test("", "function test_walk() heddle.run_cycle({ status = '200' }) end"),
              HasSubstr("status must be a whole number"));
  EXPECT_THAT(run_test("", "function test_walk() heddle.run_cycle({ '<p>' }) end"),
              HasSubstr("options need names"));
  EXPECT_EQ(run_test("",
                     "function test_walk() local c = heddle.run_cycle({ url = 'http://x.test/', "
                     "body = '<li><b>Tea</b></li>', status = 201, headers = { etag = '1' }, "
                     "worker_id = 3 }) heddle.assert_eq(c.error, nil) end"),
            "");
}

TEST_F(ScriptValues, OfHtmlHaveTheDocumentedMethods) {
  std::string tests =
      "function test_walk() local HtmlDocument = html.parse('<p>x</p>')\n"
      "local HtmlNode = HtmlDocument:select('p')[1]\n";
  for (const script::FieldDoc& field : script::field_docs())
    if (field.owner.starts_with("Html"))
      tests += "assert(" + std::string(field.owner) + "." + std::string(field.name) + ")\n";
  EXPECT_EQ(run_test("", tests + "end"), "");
}

}  // namespace
}  // namespace heddle::app
