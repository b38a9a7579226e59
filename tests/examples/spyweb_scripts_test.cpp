// Scripts from SpyWeb's documentation, in both of its forms. Only the address of the metrics server
// is changed.
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/examples/example_project.hpp"
#include "tests/program/project_folder.hpp"

namespace heddle::testing {
namespace {

namespace json = boost::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kServer = "https://metrics.example.com/push";

class SpywebScript : public ::testing::Test {
 protected:
  void SetUp() override {
    site_.answer("/", html("<p>one</p><p>two</p><p>three</p>"));
    site_.answer("/push", SiteResponse{.status = 204});
  }

  void write(std::string_view file, std::string text) const {
    if (const std::size_t at = text.find(kServer); at != std::string::npos)
      text.replace(at, kServer.size(), site_.url("/push"));
    project_.write("jobs/page/" + std::string(file), text);
  }

  // Runs the job and returns the lines its scripts printed, without their prefix.
  std::vector<std::string> run(std::string_view more = "") {
    project_.write_job("page", "url = \"" + site_.url("/") +
                                   "\"\nselector = \"p\"\nfields = [\"text:\"]\n" +
                                   std::string(more));
    const ProgramResult result = project_.heddle({"run", "page", "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.out;
    run_ = parse_json(result.out);
    std::vector<std::string> lines;
    std::istringstream output(result.err);
    for (std::string line; std::getline(output, line);) {
      const std::size_t at = line.find("[page] ");
      lines.push_back(at == std::string::npos ? line : line.substr(0, at) + line.substr(at + 7));
    }
    return lines;
  }

  TestSite site_;
  ProjectFolder project_;
  json::value run_;
};

TEST_F(SpywebScript, RunsDefersWhenTheHookEndsAndNotTheHelper) {
  write("hooks.lua", R"lua(local function my_helper()
    defer(function() print("2. Cleanup runs LAST") end)
    print("1. Helper finished")
end

function before_fetch(request)
    my_helper()
    print("1.5 Hook still running")
    return request
end
)lua");
  EXPECT_THAT(run(),
              ElementsAre("1. Helper finished", "1.5 Hook still running", "2. Cleanup runs LAST"));
}

TEST_F(SpywebScript, PassesACountToOnFinallyThroughAGlobal) {
  write("hooks.lua", R"lua(function after_extract(items)
    items_found = #items
    return items
end
)lua");
  write("defer.lua", R"lua(function on_finally()
    local count = items_found or 0
    
    -- Async network calls are fully supported here
    http_post("https://metrics.example.com/push", '{"items": ' .. count .. '}', {
        ["Content-Type"] = "application/json"
    })
    
    -- Reset state for the next cycle
    items_found = nil
end
)lua");
  EXPECT_THAT(run(), ElementsAre());
  ASSERT_EQ(site_.count("/push"), 1u);
  EXPECT_EQ(site_.requests("/push").at(0).body, "{\"items\": 3}");
  EXPECT_EQ(site_.requests("/push").at(0).header("Content-Type"), "application/json");
}

TEST_F(SpywebScript, PassesACountToOnFinallyThroughShared) {
  write("hooks.lua", R"lua(function after_extract(items, ctx)
ctx.shared.item_count = #items
return items
end
)lua");
  write("defer.lua", R"lua(function on_finally(ctx)
local count = ctx.shared.item_count or 0
local payload = json_encode({ items = count })
http_post("https://metrics.example.com/push", payload, {
["Content-Type"] = "application/json"
})
end
)lua");
  EXPECT_THAT(run(), ElementsAre());
  ASSERT_EQ(site_.count("/push"), 1u);
  EXPECT_EQ(site_.requests("/push").at(0).body, "{\"items\":3}");
}

TEST_F(SpywebScript, LogsWhichWorkerProcessesWhichPageAndThatTheIterationIsOver) {
  write("hooks.lua", R"lua(function before_fetch(request, ctx)
log("Worker " .. ctx.worker_id .. " processing " .. request.url)
return request
end
)lua");
  write("defer.lua", R"lua(function on_finished()
log("Job iteration complete, sleeping until next interval")
end
)lua");
  EXPECT_THAT(run(), ElementsAre("Worker 1 processing " + site_.url("/"),
                                 "Job iteration complete, sleeping until next interval"));
  const auto lines = run("workers = 3\nstagger = \"1ms\"\n");
  ASSERT_EQ(lines.size(), 4u);
  for (int worker = 1; worker <= 3; ++worker)
    EXPECT_THAT(lines, ::testing::Contains("Worker " + std::to_string(worker) + " processing " +
                                           site_.url("/")));
  EXPECT_EQ(lines.back(), "Job iteration complete, sleeping until next interval");
  EXPECT_THAT(read_text(project_.path() / "data/jobs/page/job.log"), HasSubstr("Worker 3"));
}

TEST_F(SpywebScript, KeepsWorkerIdsReadOnly) {
  write("hooks.lua", R"lua(function before_fetch(request, ctx)
ctx.worker_id = 7
return request
end
)lua");
  const auto lines = run();
  ASSERT_FALSE(lines.empty());
  EXPECT_THAT(lines[0],
              HasSubstr("before_fetch: jobs/page/hooks.lua:2: ctx.worker_id is read-only"));
  EXPECT_EQ(run_.at("items").at("new"), 3) << "the request goes on as it was";
}

TEST_F(SpywebScript, RunsTheRestOfTheDefersWhenOneOfThemFails) {
  write("hooks.lua", R"lua(function before_fetch(request)
defer(function() print("first in, last called") end)
defer(function() http_post("https://metrics.example.com/push", "") end)
defer(function() error("broken") end)
error("hook failed, too")
end
)lua");
  const auto lines = run();
  ASSERT_GE(lines.size(), 4u);
  EXPECT_THAT(lines, ElementsAre(HasSubstr("before_fetch: defer: jobs/page/hooks.lua:4: broken"),
                                 HasSubstr("http_post: async call inside defer()"),
                                 "first in, last called", HasSubstr("hook failed, too")));
  EXPECT_EQ(site_.count("/push"), 0u);
  EXPECT_EQ(run_.at("state"), "completed");
}

TEST_F(SpywebScript, FindsTransientsClearedAfterOnFinally) {
  write("hooks.lua", R"lua(function after_extract(items)
kept = last_fetch.response.status .. "/" .. selector_matches
return items
end
function on_finished()
print(kept, last_fetch, selector_matches)
end
)lua");
  EXPECT_THAT(run(), ElementsAre("200/3\tnil\tnil"));
}

}  // namespace
}  // namespace heddle::testing
