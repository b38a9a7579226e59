// Words that programs compare: kinds of events and errors, states, triggers, metrics. Some come
// from a daemon that did something of everything, the others from the source.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <iterator>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "hub/health/storage_monitor.hpp"
#include "lifecycle/job_transitions.hpp"
#include "model/job/job_status.hpp"
#include "model/job/program.hpp"
#include "model/job/program_status.hpp"
#include "model/notify/dead_letter.hpp"
#include "model/notify/delivery.hpp"
#include "model/notify/system_alert.hpp"
#include "model/run/program_run.hpp"
#include "model/run/run.hpp"
#include "model/run/trace.hpp"
#include "model/web/fetch.hpp"
#include "supervise/slot_event.hpp"
#include "supervise/slot_spec.hpp"
#include "tests/golden/database.hpp"
#include "tests/golden/interface_fixture.hpp"
#include "tests/golden/source_literals.hpp"
#include "tests/program/running_daemon.hpp"
#include "tests/support/processes.hpp"

namespace heddle::testing {
namespace {

namespace json = boost::json;
using Words = std::set<std::string>;

// A project that gets into every state a test can bring about, and the daemon that works on it.
class BusyProject {
 public:
  BusyProject(const ProjectFolder& project, TestSite& site) : project_(project), site_(site) {
    answer_pages();
    write_jobs();
  }

  void run_everything() {
    project_.heddle({"trigger", "restarted"});  // left to the daemon
    RunningDaemon daemon(project_, 1);
    for (const char* job : {"restarted", "timed", "follows", "service"}) wait_for_end(job);
    run_web_jobs();
    retry_dead_letters();
    wait_for_a_slot();
    run_programs();
    move_jobs();
    kill_a_worker();
    wait_until_idle();
    metrics_ = project_.heddle({"metrics"}).out;
    daemon.signal(SIGTERM);
    EXPECT_EQ(daemon.wait().exit_code, 0);
    fill_storage();
    interrupt_a_run();
  }

  [[nodiscard]] const std::string& metrics() const { return metrics_; }
  [[nodiscard]] Words column(const std::string& sql) const {
    Words words;
    for (std::string& word : query_column(project_.database(), sql)) words.insert(std::move(word));
    return words;
  }

 private:
  void web_job(const std::string& id, const std::string& paths, const std::string& more = "") {
    std::string urls;
    std::istringstream in(paths);
    for (std::string path; in >> path;)
      urls += "\"" + (path.front() == '/' ? site_.url(path) : path) + "\", ";
    project_.write_job(id, "urls = [" + urls + "]\nselector = \"li\"\n" + more);
  }
  void command_job(const std::string& id, const std::string& line, const std::string& more = "") {
    project_.write_job(id, "kind = \"command\"\ncommand = '''" + line + "'''\n" + more);
  }

  void answer_pages() {
    site_.answer("/page", html("<li>one</li>"));
    site_.answer("/held", html("<li>two</li>"));
    site_.answer("/robots.txt", {.body = "User-agent: *\nDisallow: /private\n"});
    site_.answer("/big", html(std::string(5000, 'x')));
    std::string deep;
    for (int i = 0; i < 200; ++i) deep += "<i>" + std::to_string(i) + "</i>";
    site_.answer("/nodes", html(deep));
    site_.answer("/silent", misbehaving(SiteBehaviour::silent));
    site_.answer("/gone", {.status = 410});
    site_.handle("/shaky", [is_up = shaky_is_up_](const SiteRequest&) {
      return *is_up ? html("<li>three</li>") : SiteResponse{.status = 500};
    });
  }

  void write_jobs() {
    web_job("restarted", "/page");
    web_job("timed", "/page", "interval = \"1h\"\n");
    web_job("follows", "/page", "after = \"timed\"\n");
    web_job("shop", "/page", "[webhook]\nurl = \"" + site_.url("/gone") + "\"\n");
    web_job("errors", "http://127.0.0.1:1/ http://10.0.0.1/ /nothing /big /nodes",
            "[limits]\nbody = \"4KB\"\nnodes = 100\n");
    web_job("slow", "/silent", "timeout = \"50ms\"\n");
    web_job("robots", "/page /private", "robots = \"obey\"\n");
    web_job("script", "/page");
    project_.write("jobs/script/hooks.lua", "function override_extract() error('no') end\n");
    web_job("bad_url", "/page");
    project_.write("jobs/bad_url/hooks.lua",
                   "function before_fetch(request) request.url = 'none' return request end\n");
    web_job("unloadable", "/page");
    project_.write("jobs/unloadable/hooks.lua", "error('no')\n");
    web_job("limited", "/page /held", "[limits]\npages_per_run = 1\n");
    web_job("quota", "/page", "[limits]\nruns_per_day = 1\n");
    web_job("shaky", "/shaky?1 /shaky?2", "alert_after = 1\n[retry]\nmax = 1\n");
    web_job("held", "/held /page");
    web_job("second", "/page");
    web_job("spins", "/page");
    project_.write("jobs/spins/hooks.lua", "function after_fetch() while true do end end\n");
    web_job("moved", "/page");
    web_job("shelved", "/page");
    command_job("fails", "exit 1",
                "[retry]\nruns = 1\n[[hooks.pre_start]]\nname = \"bad\"\ncommand = \"exit 2\"\n"
                "failure = \"ignore\"\n");
    command_job("unprepared", "true",
                "[[hooks.pre_start]]\nname = \"bad\"\ncommand = \"exit 2\"\n");
    command_job("slow_hook", "true",
                "[[hooks.post_stop]]\nname = \"slow\"\ncommand = \"sleep 600\"\ntimeout = "
                "\"50ms\"\n");
    command_job("again", "exit 1", "restart = \"on_failure\"\nbackoff_limit = 0\n");
    command_job("program", "sleep 600");
    project_.write_job("service",
                       "kind = \"service\"\ncommand = \"exit 1\"\nrestart = \"on_failure\"\n"
                       "max_restarts = 0\n");
  }

  [[nodiscard]] json::value shown(const std::string& job) const {
    return project_.heddle_json({"show", job});
  }
  static bool is_idle(const json::value& job) {
    static const Words moving{"starting", "running", "completed", "failed", "stopping"};
    return job.at("current_run").is_null() &&
           !moving.contains(std::string(job.at("state").as_string()));
  }
  void wait_for_end(const std::string& job) const {
    EXPECT_TRUE(eventually([&] {
      const json::value now = shown(job);
      return is_idle(now) && !now.at("last_run").is_null();
    })) << job;
  }
  void wait_until_idle() const {
    EXPECT_TRUE(eventually([&] {
      const json::value jobs = project_.heddle_json({"jobs"});
      return std::all_of(jobs.as_array().begin(), jobs.as_array().end(), is_idle);
    }));
  }
  void wait_for_state(const std::string& job, const char* state) const {
    EXPECT_TRUE(eventually([&] { return shown(job).at("state") == state; })) << job << " " << state;
  }

  void run_web_jobs() {
    for (const char* job : {"shop", "errors", "slow", "robots", "script", "bad_url", "unloadable",
                            "limited", "quota", "quota", "shaky"})
      project_.heddle({"run", job});
    *shaky_is_up_ = true;
    project_.heddle({"run", "shaky"});
    *shaky_is_up_ = false;
    project_.heddle({"run", "shaky"});
  }

  void retry_dead_letters() {
    project_.heddle({"dead", "retry", "--job", "shop"});
    *shaky_is_up_ = true;
    site_.hold("/shaky");
    const std::size_t before = site_.count("/shaky");
    RunningHeddle retry(project_.path(), {"dead", "retry", "--job", "shaky"});
    EXPECT_TRUE(site_.wait_for_requests("/shaky", before + 1));
    project_.heddle({"cancel", "shaky"});  // the second page is not begun
    site_.release("/shaky");
    retry.wait();
    project_.heddle({"dead", "retry", "--job", "shaky"});
    project_.heddle({"dead", "purge", "--all"});
  }

  void wait_for_a_slot() {
    site_.hold("/held");
    const std::size_t before = site_.count("/held");
    project_.heddle({"trigger", "held"});
    EXPECT_TRUE(site_.wait_for_requests("/held", before + 1));
    project_.heddle({"trigger", "second"});
    project_.heddle({"cancel", "second"});
    project_.heddle({"pause", "held"});
    site_.release("/held");
    EXPECT_TRUE(
        eventually([&] { return shown("held").at("current_run").at("state") == "paused"; }));
    project_.heddle({"resume", "held"});
    wait_for_end("held");
  }

  void run_programs() {
    for (const char* job : {"unprepared", "slow_hook", "again"}) project_.heddle({"run", job});
    project_.heddle({"trigger", "fails"});
    EXPECT_TRUE(eventually([&] {
      return query_rows(project_.database(),
                        "SELECT 1 FROM runs WHERE trigger_kind = 'retry' AND ended_at NOTNULL")
                 .size() == 1;
    }));
    wait_for_end("fails");
    for (const char* end : {"cancel", "stop"}) {
      project_.heddle({"trigger", "program"});
      wait_for_state("program", "running");
      project_.heddle({end, "program"});
      wait_for_end("program");
    }
  }

  void move_jobs() {
    project_.heddle({"stop", "moved"});
    project_.heddle({"start", "moved"});
    project_.heddle({"archive", "moved"});
    project_.heddle({"delete", "moved", "--yes"});
    project_.heddle({"archive", "shelved"});
  }

  // The job that it computes for is quarantined at once.
  void kill_a_worker() {
    project_.heddle({"trigger", "spins"});
    pid_t victim = 0;
    EXPECT_TRUE(eventually([&] {
      const json::value workers = project_.heddle_json({"workers"});
      for (const json::value& worker : workers.as_array())
        if (worker.at("working_on") == "spins")
          victim = static_cast<pid_t>(worker.at("pid").as_int64());
      return victim != 0;
    }));
    if (victim != 0) kill(victim, SIGKILL);
    wait_for_state("spins", "paused");
    EXPECT_TRUE(eventually([&] {
      return query_rows(project_.database(), "SELECT 1 FROM events WHERE kind = 'worker.recovered'")
                 .size() == 1;
    }));
  }

  // The limit is 10 MB; every start measures what is used.
  void fill_storage() {
    for (const int megabytes : {9, 11, 0}) {
      project_.write("data/ballast", std::string(static_cast<std::size_t>(megabytes) << 20, 'x'));
      project_.heddle({"run", "second"});
    }
  }

  void interrupt_a_run() {
    site_.hold("/held");
    const std::size_t before = site_.count("/held");
    {
      const RunningHeddle run(project_.path(), {"run", "held"});
      EXPECT_TRUE(site_.wait_for_requests("/held", before + 1));
    }  // killed
    site_.release("/held");
    project_.heddle({"run", "held"});
  }

  const ProjectFolder& project_;
  TestSite& site_;
  std::shared_ptr<std::atomic<bool>> shaky_is_up_ = std::make_shared<std::atomic<bool>>(false);
  std::string metrics_;
};

// Every word of an enum that begins with 0 and has no gaps.
template <class Enum, class ToText>
std::vector<std::string> all_words(ToText to_text_of, std::size_t count = 64) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string word(to_text_of(static_cast<Enum>(i)));
    if (word == "unknown" && count == 64) break;
    words.push_back(word);
  }
  return words;
}

template <class Enum>
std::vector<std::string> words_of_enum() {
  return all_words<Enum>([](Enum value) { return to_text(value); });
}

std::string lines_of(const auto& words) {
  std::string text;
  for (const std::string& word : words) text += "  " + word + "\n";
  return text;
}

Words without(const Words& all, const Words& some) {
  Words rest;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(),
                      std::inserter(rest, rest.end()));
  return rest;
}

std::string seen_and_listed(const std::string& title, const Words& seen, const Words& listed) {
  return fmt::format(
      "{}, seen in a project that did something of everything\n{}"
      "{}, in the source only (a word that means other things there as well may change "
      "unseen)\n{}\n",
      title, lines_of(seen), title, lines_of(without(listed, seen)));
}

// "job." and each state, and whole kinds that stand in the source.
Words listed_event_kinds() {
  Words kinds;
  for (const std::string& word : words_of_enum<JobState>()) kinds.insert("job." + word);
  for (const std::string& word : words_of_enum<CheckState>()) kinds.insert("check." + word);
  for (const auto level :
       {hub::StorageLevel::fine, hub::StorageLevel::warning, hub::StorageLevel::full})
    kinds.insert("storage." + std::string(to_text(level)));
  for (const char* word : {"crash", "unpublished", "start_failed", "gave_up", "recovered"})
    if (source_literals().contains(word)) kinds.insert(std::string("worker.") + word);
  static const std::regex kind(
      "(run|page|job|check|hook|process|delivery|dead_letters|alert|storage|worker)\\.[a-z_]+");
  const Words other{"job.log", "storage.level", "storage.limit"};  // a file and two notes
  for (const std::string& literal : source_literals())
    if (std::regex_match(literal, kind) && !other.contains(literal)) kinds.insert(literal);
  return kinds;
}

Words listed_error_kinds() {
  Words kinds;
  for (const char* word : {"app_shell",
                           "backoff_limit_exceeded",
                           "bad_url",
                           "bot_wall",
                           "deadline_exceeded",
                           "empty_field",
                           "error_page",
                           "expectation",
                           "gave_up",
                           "hook_failed",
                           "interrupted",
                           "limited",
                           "login_required",
                           "no_items",
                           "no_worker",
                           "not_begun",
                           "not_html",
                           "nothing_found",
                           "process_failed",
                           "quarantined",
                           "read_as_html",
                           "robots",
                           "script",
                           "shared_key",
                           "store",
                           "store_unavailable",
                           "too_complex",
                           "unreadable"})
    if (source_literals().contains(word)) kinds.insert(word);
  for (const std::string& word : words_of_enum<FetchErrorKind>()) kinds.insert(word);
  kinds.insert("unknown");
  return kinds;
}

Words listed_triggers() {
  const auto words = words_of_enum<RunTrigger>();
  return {words.begin(), words.end()};
}

// Names, types, labels and help as they are; values only of counters that count events and of
// heddle_jobs.
std::string without_volatile_values(const std::string& metrics) {
  std::string text;
  std::istringstream lines(metrics);
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(0, line.find_first_of(" {"));
    const bool is_counted =
        (name.ends_with("_total") && !name.ends_with("_seconds_total")) || name == "heddle_jobs";
    if (!line.starts_with("#") && !is_counted) line = line.substr(0, line.rfind(' ')) + " <number>";
    text += line + "\n";
  }
  return text;
}

Words metric_names(const std::string& metrics) {
  Words names;
  std::istringstream lines(metrics);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("# TYPE ")) names.insert(line.substr(7, line.find(' ', 7) - 7));
  return names;
}

Words listed_metrics() {
  static const std::regex name("heddle_[a-z_]+");
  const Words other{"heddle_engine"};  // how scripts' SQL knows the engine's database
  Words names;
  for (const std::string& literal : source_literals())
    if (std::regex_match(literal, name) && !other.contains(literal)) names.insert(literal);
  return names;
}

TEST_F(Interface, KeepsTheEventKindsErrorKindsTriggersAndMetrics) {
  write_settings(
      "[limits]\nruns_in_parallel = 1\nstorage = \"10MB\"\n"
      "[recovery]\npoison_limit = 1\nbackoff = \"0s\"\n"
      "[script]\ncpu_limit = \"25s\"\n[daemon]\nmisfire_spread = \"0s\"\n");
  BusyProject busy(project_, site_);
  busy.run_everything();

  std::string events = "# Event kinds with the names in their data.\n";
  for (const auto& row : query_rows(
           project_.database(),
           "SELECT kind, (SELECT group_concat(key, ', ') FROM (SELECT DISTINCT j.key FROM events o,"
           " json_each(o.data) j WHERE o.kind = e.kind ORDER BY j.key)) FROM events e"
           " GROUP BY kind ORDER BY kind"))
    events += fmt::format("  {}{}\n", row[0], row[1] == "NULL" ? "" : ": " + row[1]);
  const Words seen = busy.column("SELECT DISTINCT kind FROM events");
  events += "\n# In the source only.\n" + lines_of(without(listed_event_kinds(), seen));
  expect_golden("events.txt", events);

  Words errors = busy.column("SELECT DISTINCT error_kind FROM tasks WHERE error_kind NOTNULL");
  errors.merge(busy.column("SELECT DISTINCT e.value ->> 'kind' FROM runs, json_each(errors) e"));
  expect_golden("error_kinds.txt",
                seen_and_listed("# Error kinds of pages and runs", errors, listed_error_kinds()));
  expect_golden(
      "triggers.txt",
      seen_and_listed("# Triggers of runs", busy.column("SELECT DISTINCT trigger_kind FROM runs"),
                      listed_triggers()));
  expect_golden("metrics.txt",
                "# What `heddle metrics` says of a daemon that did something of everything.\n" +
                    without_volatile_values(busy.metrics()) + "\n# In the source only.\n" +
                    lines_of(without(listed_metrics(), metric_names(busy.metrics()))));
}

TEST_F(Interface, KeepsTheWordsOfStates) {
  std::string text;
  const auto add = [&text](const char* title, const std::vector<std::string>& words) {
    text += fmt::format("{}\n{}\n", title, lines_of(words));
  };
  add("states of jobs", words_of_enum<JobState>());
  add("check states", words_of_enum<CheckState>());
  add("reasons of pauses", words_of_enum<PauseReason>());
  add("actions on jobs", words_of_enum<lifecycle::JobAction>());
  add("states of runs", words_of_enum<RunState>());
  add("states of pages", words_of_enum<TaskState>());
  add("stages of pages", all_words<Stage>([](Stage stage) { return to_text(stage); }, kStageCount));
  add("states of stages", words_of_enum<StageStatus>());
  add("phases of programs", words_of_enum<ProgramPhase>());
  add("states of processes", words_of_enum<ProcessState>());
  add("phases of hooks", words_of_enum<HookPhase>());
  add("states of hooks", words_of_enum<HookState>());
  add("origins of dead letters", words_of_enum<DeadLetterOrigin>());
  add("kinds of messages", words_of_enum<DeliveryKind>());
  add("levels of alerts", words_of_enum<AlertLevel>());
  add("kinds of alerts", words_of_enum<AlertKind>());
  add("levels of storage",
      all_words<hub::StorageLevel>([](hub::StorageLevel level) { return to_text(level); }, 3));
  const auto slot_state = [](supervise::SlotState state) { return supervise::name_of(state); };
  add("states of workers", all_words<supervise::SlotState>(slot_state));
  const auto event_kind = [](supervise::SlotEventKind kind) { return supervise::name_of(kind); };
  add("events of workers", all_words<supervise::SlotEventKind>(event_kind));
  expect_golden("states.txt", text);
}

}  // namespace
}  // namespace heddle::testing
