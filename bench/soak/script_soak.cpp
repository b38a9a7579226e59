// Checks that memory stays flat over many reloads and cycles of a scripted job.
//
// usage: script_soak [RELOADS] [CYCLES]     10,000 and 100,000 unless given
//
// Prints the resident memory after every tenth; exit status 1 when it grew.
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "pipeline/pipeline_for_test.hpp"

namespace heddle::pipeline {
namespace {

constexpr int kParts = 10;
constexpr double kAllowedGrowth = 1.2;
constexpr std::size_t kAllowedBytes = 8'000'000;

constexpr const char* kHooks = R"(
  local price = require("lib.price")
  seen = {}
  function before_fetch(request, ctx) ctx.shared.n = 1; defer(function() ctx.shared.n = 2 end) return request end
  function override_fetch(request, ctx)
    return { status = 200, body = "<li><b>Tea " .. #seen % 7 .. "</b></li>" }
  end
  function after_extract(items, ctx)
    seen[#seen % 100 + 1] = json_decode(json_encode({ items = items, price = price.of("3,50") }))
    return items
  end
  function filter_item(item, ctx) item.fields.n = ctx.telemetry.map.fetch.duration_ms return item end
  function on_finally(ctx) local ok = pcall(error, { ctx = ctx }) ; store_set("k", "v") end
)";
constexpr const char* kModule =
    "return { of = function(s) return tonumber((s:gsub(',', '.'))) end }";

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  file >> all >> resident;
  return resident * 4096;
}

// Calls `step` that many times; false when the process grew after the first tenth.
template <class Step>
bool stays_flat(const char* what, int times, Step step) {
  std::size_t first = 0;
  std::size_t last = 0;
  for (int part = 1; part <= kParts; ++part) {
    for (int i = 0; i < times / kParts; ++i) step();
    last = resident_bytes();
    if (part == 1) first = last;
    std::printf("%-8s %7d  %6.1f MB\n", what, times / kParts * part,
                static_cast<double>(last) / 1e6);
  }
  return static_cast<double>(last) <
         static_cast<double>(first) * kAllowedGrowth + static_cast<double>(kAllowedBytes);
}

void reload(PipelineForTest& world) {
  const ScriptEnvironment environment{
      world.project, world.session->plan.job, world.clock, world.log, world.parser, false};
  const ScriptResources resources{*world.client,           *world.gate,
                                  *world.scripts,          world.clock,
                                  world.session->plan.job, world.session->cookies,
                                  world.session->proxies,  world.activity,
                                  world.session->cycles,   world.session->cpu_used};
  auto script = world.drive(LoadedScript::load(environment, resources));
  if (!script) throw std::runtime_error(script.error().message);
  world.session->script = std::move(*script);
}

void run_page(PipelineForTest& world) {
  CycleSpec spec;
  spec.lease.task.url = "http://127.0.0.1:1/";
  spec.mode = CycleMode::dry_run;
  const auto end = world.drive(run_cycle(*world.services, *world.session, spec));
  if (const auto* failed = std::get_if<PageFailure>(&end.outcome))
    throw std::runtime_error(failed->error.message);
  world.log.lines.clear();
}

int soak(int reloads, int cycles) {
  PipelineForTest world;
  world.folder.write("jobs/shop/lib/price.lua", kModule);
  if (auto loaded = world.load(kHooks); !loaded) throw std::runtime_error(loaded.error().message);
  const bool is_flat = stays_flat("reloads", reloads, [&world] { reload(world); }) &&
                       stays_flat("cycles", cycles, [&world] { run_page(world); });
  std::puts(is_flat ? "flat" : "it grew");
  return is_flat ? 0 : 1;
}

}  // namespace
}  // namespace heddle::pipeline

int main(int argc, char** argv) {
  const int reloads = argc > 1 ? std::atoi(argv[1]) : 10'000;
  const int cycles = argc > 2 ? std::atoi(argv[2]) : 100'000;
  try {
    return heddle::pipeline::soak(reloads, cycles);
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "script_soak: %s\n", failed.what());
    return 1;
  }
}
