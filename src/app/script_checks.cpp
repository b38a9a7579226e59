#include "app/script_checks.hpp"

#include <algorithm>
#include <cstdlib>

#include "app/engine.hpp"
#include "pipeline/scripts/loaded_script.hpp"
#include "script/syntax.hpp"

namespace heddle::app {

namespace {

namespace fs = std::filesystem;

// A data folder that goes with the test.
class TestData {
 public:
  static Result<TestData> make() {
    std::error_code failed;
    std::string name = (fs::temp_directory_path(failed) / "heddle-test-XXXXXX").string();
    if (failed || mkdtemp(name.data()) == nullptr)
      return Error{ErrorCode::unavailable, "cannot make a temporary folder for the test"};
    return TestData(name);
  }
  ~TestData() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  TestData(TestData&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TestData& operator=(TestData&&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  explicit TestData(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

class NoWatcher final : public cli::RunWatcher {
 public:
  void begun(const Run&) override {}
  void page(const cli::PageNews&) override {}
  void remark(const std::string&) override {}
};

// Does `work` with an engine whose data are nobody else's.
template <class Work>
auto with_fresh_engine(const Project& project, Log& log, Work work)
    -> decltype(work(std::declval<Engine&>())) {
  auto data = TestData::make();
  if (!data) return std::move(data.error());
  Project own = project;
  own.data_dir = data->path();
  NoWatcher watcher;
  auto engine = Engine::open(own, watcher, log);
  if (!engine) return std::move(engine.error());
  return work(**engine);
}

}  // namespace

Status run_script_tests(const Project& project, const Job& job, const ScriptTestOrder& order) {
  auto names = with_fresh_engine(project, order.log,
                                 [&job](Engine& engine) { return engine.test_names(job); });
  if (!names) return std::move(names.error());
  for (const std::string& name : *names) {
    if (name.find(order.pattern) == std::string::npos) continue;
    auto test = with_fresh_engine(project, order.log,
                                  [&](Engine& engine) { return engine.test(job, name); });
    if (!test) return std::move(test.error());
    order.done(*test);
  }
  return Done{};
}

namespace {

// Whether the scripts may define override_extract. Nothing is run, so a file that loads others, or
// only names it, has the benefit of the doubt: loading the job decides.
bool may_extract(const std::vector<script::Source>& sources) {
  return std::any_of(sources.begin(), sources.end(), [](const script::Source& source) {
    for (const std::string_view word : {"override_extract", "require"})
      if (source.text.find(word) != std::string::npos) return true;
    return false;
  });
}

void check_job(const Project& project, const Job& job, std::vector<cli::ScriptProblem>& problems) {
  auto sources = pipeline::read_scripts(project, job, true);
  if (!sources) return problems.push_back({job.id.text, {}, 0, {}, sources.error().message});
  for (const script::Source& source : *sources)
    if (auto mistake = script::check_syntax(source))
      problems.push_back(
          {job.id.text, source.name, mistake->line, {}, std::move(mistake->message)});
  if (!pipeline::has_extraction_rules(job) && !may_extract(*sources))
    problems.push_back({job.id.text, {}, 0, "selector", std::string(pipeline::kNoExtraction)});
}

}  // namespace

std::vector<cli::ScriptProblem> check_scripts(const Project& project) {
  std::vector<cli::ScriptProblem> problems;
  for (const Job& job : project.jobs) check_job(project, job, problems);
  return problems;
}

}  // namespace heddle::app
