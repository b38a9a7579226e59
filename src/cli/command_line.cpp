#include "cli/command_line.hpp"

#include <functional>
#include <limits>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands.hpp"

namespace heddle::cli {

namespace {

constexpr const char* kFooter =
    "\nExit status: 0 done, 1 the work failed, 2 wrong usage, 3 no daemon where one is needed.\n"
    "Example: heddle init shop && cd shop && heddle check && heddle run example";

// CLI11 would read -1 as the largest number.
const CLI::Range kCount(0, std::numeric_limits<int>::max());

std::vector<std::string> state_words() {
  std::vector<std::string> words;
  words.reserve(kAllJobStates.size() + kAllCheckStates.size());
  for (const JobState state : kAllJobStates) words.emplace_back(to_text(state));
  for (const CheckState check : kAllCheckStates) words.emplace_back(to_text(check));
  return words;
}

// Declares the arguments of all commands and remembers which command was chosen.
class CommandLine {
 public:
  explicit CommandLine(CommandContext& context) : context_(context) {
    app_.name("heddle");
    app_.option_defaults()->always_capture_default();
    app_.require_subcommand(1);
    app_.footer(kFooter);
    app_.set_version_flag("--version", [] { return std::string("heddle " HEDDLE_VERSION); });
    app_.add_option("--project", context_.project_dir, "the project's folder");
    app_.fallthrough();
    add_project_commands();
    add_run_commands();
    add_daemon_commands();
    add_job_commands();
    add_dead_letter_commands();
    add_script_commands();
    add_reading_commands();
    add_maintenance_commands();
    add_demo();
    for (CLI::App* command : commands_with_json_) add_json(command);
    CLI::App* stop = app_.get_subcommand("stop");
    stop->add_flag("--now", action_.force, "do not wait for pages in flight");
    stop->add_flag("-y,--yes", action_.assume_yes, "with --all: do not ask");
  }

  int run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& stop) {
      return report(stop);
    }
    return static_cast<int>(chosen_());
  }

 private:
  using Action = std::function<ExitCode()>;

  template <class Command, class... Arguments>
  Action call(Command command, const Arguments&... arguments) {
    return [this, command, &arguments...] { return command(context_, arguments...); };
  }

  // Before that, `open` adds to the context what the command needs: the project or its history.
  template <class Open, class Command, class... Arguments>
  Action call_with(Open open, Command command, const Arguments&... arguments) {
    return [this, open, command, &arguments...] {
      auto opened = open(context_);
      return opened ? command(context_, arguments...) : context_.fail(opened.error().message);
    };
  }

  CLI::App* add_to(CLI::App& parent, const std::string& name, const std::string& help,
                   const std::string& example, Action action) {
    CLI::App* command = parent.add_subcommand(name, help);
    command->footer("\nExample: " + example);
    command->callback([this, action = std::move(action)] { chosen_ = action; });
    return command;
  }

  // With --json below the options of the command itself.
  CLI::App* add(const std::string& name, const std::string& help, const std::string& example,
                Action action) {
    return commands_with_json_.emplace_back(add_to(app_, name, help, example, std::move(action)));
  }

  void add_json(CLI::App* command) {
    command->add_flag("--json", context_.json, "one JSON document on standard output");
  }

  static void add_job(CLI::App* command, std::string& job) {
    command->add_option("job", job, "id, name or folder")->required();
  }

  static void add_limit(CLI::App* command, std::size_t& limit) {
    command->add_option("--limit", limit, "at most this many; 0 for all")->check(kCount);
  }

  void add_project_commands() {
    add_to(app_, "init", "write a small project that works at once", "heddle init shop",
           call(init_project, init_dir_))
        ->add_option("dir", init_dir_, "where; the current folder unless given");
    add("check", "report every mistake of the project", "heddle check", call(check_project, job_))
        ->add_option("job", job_, "only what concerns this job");
    add("explain", "tell what a configuration key means", "heddle explain limits.body",
        call(explain_key, key_))
        ->add_option("key", key_)
        ->required();

    auto* config = app_.add_subcommand("config", "look at the configuration");
    config->require_subcommand(1);
    auto* show = add_to(*config, "show", "every value of a job and where it comes from",
                        "heddle config show shop", call_with(load, show_job_config, job_));
    show->add_option("job", job_)->required();
    add_json(show);
  }

  void add_run_commands() {
    auto* run = add("run", "run a job once, now, in the foreground", "heddle run shop --json",
                    call_with(load, run_job, run_));
    add_job(run, run_.job);
    run->add_flag("-v,--verbose", run_.every_page, "a line per page as soon as it is stored");
    run->add_flag("--stages", run_.show_stages, "also print what each stage cost");

    auto* debug = add("debug", "run a job without storing: show items and stages",
                      "heddle debug shop --pages 1", call_with(load, debug_job, debug_));
    add_job(debug, debug_.job);
    debug->add_option("--pages", debug_.pages, "at most this many pages; 0 for all")->check(kCount);
  }

  void add_daemon_commands() {
    auto* up =
        add_to(app_, "up", "the daemon: keeps workers running and does the work, until Ctrl-C",
               "heddle up --processes 2", call_with(load, run_up, up_));
    up->add_option("--processes", up_.processes, "worker processes; 0: as configured")
        ->check(CLI::Range(0, 1024));
    up->add_flag("-q,--quiet", up_.quiet, "only warnings and errors; -qq: only errors");

    auto* down =
        add("down", "stop the daemon: pages in flight finish, runs go on at its next start",
            "heddle down", call_with(load_for_reading, stop_daemon, stop_now_));
    down->add_flag("--now", stop_now_, "do not wait for pages in flight");

    add("status", "the daemon, its workers and what they do", "heddle status",
        call_with(load_for_reading, show_status));
    add("metrics", "figures about the daemon, as Prometheus reads them", "heddle metrics",
        call_with(load_for_reading, show_metrics));

    auto* workers =
        add("workers", "worker slots: process, state, last event", "heddle workers", [this] {
          return restart_->parsed() ? call_with(load_for_reading, restart_worker, worker_number_)()
                                    : call_with(load_for_reading, show_workers)();
        });
    restart_ = workers->add_subcommand("restart", "replace a worker without losing work");
    restart_->footer("\nExample: heddle workers restart 1");
    restart_->add_option("slot", worker_number_, "its number")->required();
  }

  static void add_selection(CLI::App* command, JobSelection& selection) {
    command->add_option("jobs", selection.names, "ids, names or folders");
    command->add_option("--tag", selection.tag, "jobs with this tag");
    command->add_option("--group", selection.group, "jobs of this group");
    command->add_option("--state", selection.state, "jobs in this state or check state")
        ->check(CLI::IsMember(state_words()));
  }

  void add_job_commands() {
    auto* jobs = add("jobs", "all jobs: state, next run, last run", "heddle jobs --state paused",
                     call_with(open_history, list_jobs, listed_));
    add_selection(jobs, listed_);
    auto* show = add("show", "one job: state, runs, errors", "heddle show shop",
                     call_with(open_history, show_job, job_));
    add_job(show, job_);

    add_action("trigger", "run jobs now", "heddle trigger shop");
    add_action("pause", "let pages in flight finish and begin no more", "heddle pause --all");
    add_action("resume", "go on where a pause left off", "heddle resume shop");
    add_action("cancel", "end the current run; the schedule goes on", "heddle cancel shop");
    add_action("stop", "end the current run; the job runs no more until it is started",
               "heddle stop shop");
    add_action("start", "give a stopped or archived job a new life", "heddle start shop");
    add_action("archive", "keep only the history of jobs", "heddle archive shop");
    add_action("delete", "remove jobs and their whole history", "heddle delete shop")
        ->add_flag("-y,--yes", action_.assume_yes, "do not ask");

    add("reload", "have the daemon take up changed files", "heddle reload --dry-run",
        call_with(load_for_reading, reload_project, dry_run_))
        ->add_flag("--dry-run", dry_run_, "only show what would change");
  }

  CLI::App* add_action(const std::string& name, const std::string& help,
                       const std::string& example) {
    auto* command = add(name, help, example, [this, name] {
      action_.action = name;
      return act_on_jobs(context_, action_);
    });
    add_selection(command, action_.jobs);
    command->add_flag("--all", action_.jobs.all, "all jobs");
    return command;
  }

  CLI::App* add_dead_letter_command(const std::string& name, const std::string& help,
                                    const std::string& example, Action action) {
    CLI::App* command =
        add_to(*app_.get_subcommand("dead"), name, help, example, std::move(action));
    add_json(command);
    return command;
  }

  void add_dead_letter_selection(CLI::App* command) {
    command->add_option("ids", dead_letters_.ids, "numbers, see `heddle dead list`");
    command->add_option("--job", dead_letters_.job, "those of this job");
    command->add_flag("--all", dead_letters_.all, "all of them");
  }

  void add_dead_letter_commands() {
    auto* dead = app_.add_subcommand("dead", "pages and messages that were given up");
    dead->require_subcommand(1);
    dead->footer("\nExample: heddle dead retry --job shop");
    auto* list =
        add_dead_letter_command("list", "print them, newest first", "heddle dead list shop",
                                call_with(open_history, list_dead_letters, listed_dead_letters_));
    list->add_option("job", listed_dead_letters_.job, "only those of this job");
    add_limit(list, listed_dead_letters_.limit);
    add_dead_letter_command("show", "print all that is known of one", "heddle dead show 17",
                            call_with(open_history, show_dead_letter, dead_letter_))
        ->add_option("id", dead_letter_, "its number")
        ->required();
    add_dead_letter_selection(add_dead_letter_command(
        "retry", "run exactly these pages, send these messages", "heddle dead retry 17 18",
        call(retry_dead_letters, dead_letters_)));
    add_dead_letter_selection(add_dead_letter_command("purge", "throw them away",
                                                      "heddle dead purge --job shop",
                                                      call(purge_dead_letters, dead_letters_)));
  }

  void add_script_commands() {
    auto* test = add("test", "run the tests of a job's scripts", "heddle test shop price",
                     call_with(load, test_scripts, test_));
    test->add_option("job", test_.job, "id, name or folder; all jobs with tests unless given");
    test->add_option("pattern", test_.pattern, "only tests whose name contains this");
    test->add_option("--junit", test_.junit, "also write the results to this file, for CI");

    add_to(app_, "types", "write what scripts can call, for editors with a Lua language server",
           "heddle types types.lua", call(write_types, types_file_))
        ->add_option("file", types_file_, "standard output unless given");
  }

  void add_reading_commands() {
    auto* records =
        add("records", "print a job's items, newest first",
            "heddle records shop --format csv > shop.csv", call(show_records, records_));
    records->add_option("job", records_.job)->required();
    records->add_option("--format", records_.format)
        ->check(CLI::IsMember({"json", "jsonl", "csv", "table"}));
    records->add_option("--since", records_.since,
                        "only items first seen since: 2026-11-01, 2026-11-01T08:00Z, 7d, 12h");
    add_limit(records, records_.limit);

    auto* runs = add("runs", "print a job's runs, newest first", "heddle runs shop",
                     call_with(open_history, show_runs, runs_));
    runs->add_option("job", runs_.job)->required();
    add_limit(runs, runs_.limit);

    auto* logs = add("logs", "what happened to a job and what its scripts logged",
                     "heddle logs shop -f", call_with(open_history, show_logs, logs_));
    add_job(logs, logs_.job);
    logs->add_option("-n,--lines", logs_.lines, "the last so many")->check(kCount);
    logs->add_flag("-f,--follow", logs_.follow, "go on with what comes, until Ctrl-C");

    add("run-trace", "print what every stage of a run's pages did",
        "heddle run-trace 01kbe0c3sjq9w1x4tn5m7r8v2d",
        call_with(open_history, show_run_trace, trace_run_))
        ->add_option("run", trace_run_, "the run's id, see `heddle runs`")
        ->required();

    add("version", "print the version", "heddle version", [this] {
      if (context_.json)
        return context_.print_json([](JsonWriter& json) {
          json.begin_object().field("version", HEDDLE_VERSION).end_object();
        });
      context_.out.line("heddle " HEDDLE_VERSION);
      return ExitCode::done;
    });
  }

  void add_maintenance_commands() {
    auto* backup =
        add("backup", "copy the databases into a folder, also while the daemon works",
            "heddle backup /backups/shop-monday", call_with(load_for_reading, back_up, backup_));
    backup->add_option("folder", backup_.folder, "to be made")->required();
    backup->add_flag("--force", backup_.replace, "replace a backup that is there");

    add("restore", "put a backup in the place of the databases",
        "heddle restore /backups/shop-monday", call_with(load_for_reading, restore, restored_))
        ->add_option("folder", restored_, "of `heddle backup`")
        ->required();

    auto* doctor = add("doctor", "look for damage and say what to do about it", "heddle doctor",
                       call_with(load_for_reading, run_doctor, doctor_));
    auto* repair = doctor->add_flag("--repair", doctor_.repair,
                                    "move damaged databases aside and save what can be read");
    doctor
        ->add_flag("--start-empty", doctor_.allow_empty,
                   "with --repair: begin anew where nothing can be read")
        ->needs(repair);
  }

  void add_demo() {
    auto* demo = add_to(app_, "demo", "start a small shop whose prices change, and watch it",
                        "heddle demo --rounds 5", [this] {
                          demo_.pause = std::chrono::milliseconds(demo_pause_);
                          auto shown = context_.backend.demo(demo_);
                          return shown ? ExitCode::done : context_.fail(shown.error().message);
                        });
    demo->add_option("--port", demo_.port, "of the shop; any free one unless given")
        ->check(CLI::Range(0, 65535));
    demo->add_option("--rounds", demo_.rounds, "stop after this many; 0 goes on until Ctrl-C")
        ->check(CLI::NonNegativeNumber);
    demo->add_option("--pause", demo_pause_, "milliseconds between rounds")
        ->check(CLI::Range(0, 600000));
    demo->add_option("--keep", demo_.keep, "write the demo's project here and leave it");
  }

  int report(const CLI::ParseError& stop) {
    if (stop.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app_.exit(stop);
    context_.fail(fmt::format("{}\nRun with --help for usage.", explain(stop)));
    return static_cast<int>(ExitCode::wrong_usage);
  }

  // CLI11 calls a mistyped command a missing one.
  std::string explain(const CLI::ParseError& stop) {
    const auto extra = app_.remaining();
    if (!app_.get_subcommands().empty() || extra.empty()) return stop.what();
    std::vector<std::string> names;
    for (const CLI::App* command : app_.get_subcommands({})) names.push_back(command->get_name());
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    const auto nearest = nearest_name(extra.front(), candidates);
    return fmt::format("there is no command '{}'{}", extra.front(),
                       nearest ? fmt::format("; did you mean '{}'?", *nearest) : "");
  }

  CommandContext& context_;
  CLI::App app_{
      "Heddle watches web pages for you: fetches, extracts, remembers, tells what is new."};
  Action chosen_;
  std::vector<CLI::App*> commands_with_json_;
  std::filesystem::path init_dir_ = ".";
  std::string job_;  // of a command without other arguments
  std::string key_;
  std::string trace_run_;
  RunArguments run_;
  UpOptions up_;
  CLI::App* restart_ = nullptr;  // of `workers`
  int worker_number_ = 0;
  bool stop_now_ = false;
  JobSelection listed_;
  ActionArguments action_;
  bool dry_run_ = false;
  ListArguments listed_dead_letters_{.limit = 50};
  DeadLetterSelection dead_letters_;
  DeadLetterId dead_letter_ = 0;
  DebugArguments debug_;
  TestArguments test_;
  std::string types_file_;
  RecordsArguments records_;
  ListArguments runs_{.limit = 20};
  LogsArguments logs_;
  BackupRequest backup_;
  std::filesystem::path restored_;
  DoctorArguments doctor_;
  DemoOptions demo_;
  int demo_pause_ = 4000;
};

}  // namespace

int run_command_line(int argc, char** argv, CommandBackend& backend,
                     DatabaseMaintenance& maintenance, const config::Environment& environment) {
  CommandContext context{
      .environment = environment, .backend = backend, .maintenance = maintenance};
  const int code = CommandLine(context).run(argc, argv);
  if (auto printed = context.out.finish(); !printed)
    return static_cast<int>(context.fail(printed.error().message));
  return code;
}

}  // namespace heddle::cli
