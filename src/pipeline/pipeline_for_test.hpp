// A complete pipeline for tests: real store, client, site and scripts, driven page by page.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "html/parse.hpp"
#include "net/hosts/local_host_gate.hpp"
#include "pipeline/cycle.hpp"
#include "pipeline/scripts/script_services.hpp"
#include "store/sqlite/sqlite_reader.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::pipeline {

class LinesLog final : public Log {
 public:
  void write(const LogMessage& message) override {
    lines.push_back(std::string(level_prefix(message.level)) + std::string(message.text));
  }
  // The log as one text, without the job's "[shop] " before each line.
  [[nodiscard]] std::string text() const {
    std::string all;
    for (std::string line : lines) {
      if (const auto at = line.find("[shop] "); at != std::string::npos) line.erase(at, 7);
      all += line + "\n";
    }
    return all;
  }
  std::vector<std::string> lines;
};

// The error message of a failed cycle; empty: it succeeded.
inline std::string failure_text(const CycleResult& end) {
  const auto* failed = std::get_if<PageFailure>(&end.outcome);
  return failed == nullptr ? "" : failed->error.message;
}

// Job "shop", whose page has two items, "Tea" and "Milk", unless the test changes it.
class PipelineForTest {
 public:
  static constexpr const char* kPage =
      "<ul><li><b>Tea</b><a href='/tea'>x</a></li><li><b>Milk</b><a href='/milk'>x</a></li></ul>";

  PipelineForTest() {
    site.answer("/", testing::html(kPage));
    project.root = folder.path();
    project.data_dir = folder.path() / "data";
    project.network.allow = {"127.0.0.1"};
    std::filesystem::create_directories(project.data_dir);
    job.id = {"shop"};
    job.name = "Shop";
    job.directory = folder.path() / "jobs" / "shop";
    job.urls = {site.url("/")};
    job.selector = "li";
    job.fields = {{"name", "b", "", FieldType::text, ""}};
    job.notification.enabled = true;
    job.webhook.enabled = true;
    job.webhook.url = site.url("/hook");
    job.revision = "1";
  }

  // Loads the job with this script; call it once, before the first page.
  Status load(const std::string& hooks = "", const std::string& defer = "") {
    if (!hooks.empty()) job.scripts.files.push_back(folder.write("jobs/shop/hooks.lua", hooks));
    if (!defer.empty()) job.scripts.files.push_back(folder.write("jobs/shop/defer.lua", defer));
    open();
    return load_job();
  }

  // Call between two pages; empty: removes the script.
  Status change_script(const std::string& hooks) {
    job.scripts.files.clear();
    if (!hooks.empty()) job.scripts.files.push_back(folder.write("jobs/shop/hooks.lua", hooks));
    job.revision += "+";
    return load_job();
  }

  Status load_job() {
    auto plan = JobPlan::compile(job);
    if (!plan) return std::move(plan).error();
    auto proxies = net::ProxyPicker::make(job.proxy, 1);
    if (!proxies) return std::move(proxies).error();
    session = std::make_unique<JobSession>(std::move(*plan), std::move(*proxies));
    if (job.scripts.files.empty()) return Done{};
    const ScriptEnvironment environment{project, session->plan.job, clock, log, parser, false};
    const ScriptResources resources{*client,           *gate,
                                    *scripts,          clock,
                                    session->plan.job, session->cookies,
                                    session->proxies,  activity,
                                    session->cycles,   session->cpu_used};
    auto script = drive(LoadedScript::load(environment, resources));
    if (!script) return std::move(script).error();
    session->set_script(std::move(*script));
    return Done{};
  }

  // Runs one page through the pipeline, in a new run.
  CycleResult cycle() { return cycle(site.url("/")); }
  CycleResult cycle(const std::string& url) {
    CycleSpec spec;
    spec.lease = lease(url);
    artefacts = {};
    spec.artefacts = &artefacts;
    return drive(run_cycle(*services, *session, spec));
  }

  Lease lease(const std::string& url) {
    Run run;
    run.id = RunId{"run-" + std::to_string(++runs)};
    run.job = job.id;
    run.started_at = clock.now();
    const RunId id = run.id;
    must(drive(store->begin_run(run, {url})));
    auto batch = drive(store->lease_tasks(id, 1, clock.now()));
    must(batch);
    return batch->leases.front();
  }

  template <class T>
  T drive(Async<T> work) {
    std::optional<T> result;
    const auto busy = boost::asio::make_work_guard(loop);  // before restart()
    loop.restart();
    boost::asio::co_spawn(loop, std::move(work), [&](std::exception_ptr thrown, T value) {
      if (thrown) std::rethrow_exception(thrown);
      result = std::move(value);
    });
    while (!result) loop.run_one();
    return std::move(*result);
  }

  std::vector<Record> stored_records() {
    auto reader = store::SqliteReader::open(project.data_dir / "heddle.db");
    must(reader);
    std::vector<Record> records;
    must((*reader)->for_each_record(job.id, std::nullopt, [&records](const Record& record) {
      records.push_back(record);
      return true;
    }));
    return records;
  }

  std::vector<std::string> stored_names() {
    std::vector<std::string> names;
    for (const Record& record : stored_records()) {
      const std::string* name = record.item.find("name");
      names.push_back(name == nullptr ? "" : *name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  testing::TemporaryFolder folder;
  testing::TestSite site;
  Project project;
  Job job;
  LinesLog log;
  SystemClock clock;
  boost::asio::io_context loop{1};
  html::Parser parser;
  std::unique_ptr<store::SqliteStore> store;
  std::unique_ptr<net::Client> client;
  std::unique_ptr<net::LocalHostGate> gate;
  std::unique_ptr<net::RobotsCache> robots;
  std::unique_ptr<ScriptServices> scripts;
  LoopActivity activity;
  SharedDownloads downloads;
  std::optional<CycleServices> services;
  std::unique_ptr<JobSession> session;
  Artefacts artefacts;  // of the last cycle
  int runs = 0;

 private:
  template <class R>
  static void must(const R& result) {
    if (!result) throw std::runtime_error(result.error().message);
  }

  void open() {
    auto opened = store::SqliteStore::open(project.data_dir / "heddle.db");
    must(opened);
    store = std::move(*opened);
    must(drive(store->put_job_name({job.id, job.name, "web", job.revision})));
    net::ClientSettings settings;
    settings.network = project.network;
    auto made = net::Client::make(loop.get_executor(), std::move(settings));
    must(made);
    client = std::move(*made);
    gate = std::make_unique<net::LocalHostGate>(loop.get_executor(), net::HostLimits{16, {}},
                                                project.hosts);
    robots = std::make_unique<net::RobotsCache>(*client, clock, gate.get());
    ScriptServicesSettings for_scripts;
    for_scripts.database = project.data_dir / "scripts.db";
    for_scripts.engine_file = project.data_dir / "heddle.db";
    scripts = std::make_unique<ScriptServices>(std::move(for_scripts));
    services.emplace(CycleServices{*client, *gate, *robots, *store, parser, project, clock, log,
                                   activity, downloads});
  }
};

}  // namespace heddle::pipeline
