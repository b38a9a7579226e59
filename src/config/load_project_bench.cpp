#include <string>

#include <benchmark/benchmark.h>

#include "config/environment.hpp"
#include "config/load_project.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::config {
namespace {

std::string small_job(std::int64_t number) {
  const std::string name = "job " + std::to_string(number);
  return "name = \"" + name + "\"\nurl = \"https://example.com/" + std::to_string(number) +
         "\"\ngroup = \"shops\"\nvars = { n = " + std::to_string(number) + " }\n";
}

void write_project(const heddle::testing::TemporaryFolder& folder) {
  folder.write(
      "heddle.toml",
      "[defaults]\ntimeout = \"10s\"\nheaders = { Accept-Language = \"de\", X-N = \"{{n}}\" }\n"
      "[groups.shops]\nselector = \"li.offer\"\n"
      "fields = [\"title:h2\", \"link:a@href\", \"price:.price\"]\nhash_fields = [\"link\"]\n");
}

void load_or_fail(benchmark::State& state, const heddle::testing::TemporaryFolder& folder) {
  for (auto _ : state) {
    const Loaded loaded = load_project(folder.path(), {});
    if (loaded.project.jobs.size() != static_cast<std::size_t>(state.range(0)))
      state.SkipWithError("jobs are missing");
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void load_jobs_of_one_file(benchmark::State& state) {
  const heddle::testing::TemporaryFolder folder;
  write_project(folder);
  std::string jobs;
  for (std::int64_t i = 0; i < state.range(0); ++i) jobs += "[[jobs]]\n" + small_job(i);
  folder.write("jobs.toml", jobs);
  load_or_fail(state, folder);
}

void load_jobs_of_folders(benchmark::State& state) {
  const heddle::testing::TemporaryFolder folder;
  write_project(folder);
  for (std::int64_t i = 0; i < state.range(0); ++i)
    folder.write("jobs/" + std::to_string(i) + "/config.toml", small_job(i));
  load_or_fail(state, folder);
}

BENCHMARK(load_jobs_of_one_file)->Arg(100)->Arg(10'000)->Unit(benchmark::kMillisecond);
BENCHMARK(load_jobs_of_folders)->Arg(1'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heddle::config
