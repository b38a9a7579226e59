#include "cli/command_line.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/command_values.hpp"
#include "cli/commands.hpp"
#include "cli/help_formatter.hpp"
#include "cli/usage_error.hpp"

namespace heddle::cli {

namespace {

constexpr const char* kFooter =
    "\nExit status:\n"
    "  0  success\n"
    "  1  the command failed: a failed run or test, errors in the configuration, an unknown job,\n"
    "     a refused action\n"
    "  2  wrong usage\n"
    "  3  the command needs the daemon, which is not running\n"
    "  130  ended by a second Ctrl-C or SIGTERM, without waiting for pages in flight\n"
    "\nExample:\n"
    "  heddle init shop && cd shop && heddle check && heddle run example";

// CLI11 would read -1 as the largest number.
const CLI::Range kCount(0, std::numeric_limits<int>::max());

// CLI11 reads 010 as octal, 0x10 as hexadecimal and an empty text as 0.
std::string problem_of_notation(const std::string& text) {
  const bool has_base = text.size() > 1 && text.front() == '0';
  if (!text.empty() && !has_base && text.front() != '+') return {};
  return "'" + text + "' is not accepted: write the number without sign and leading zeros";
}
const CLI::Validator kDecimal(  // NOLINT(cert-err58-cpp): cannot throw in practice
    [](std::string& text) { return problem_of_notation(text); }, "", "decimal");

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
    app_.formatter(std::make_shared<HelpFormatter>(static_cast<std::size_t>(context.out.width())));
    app_.set_help_flag("-h,--help", "print this help");
    app_.set_version_flag(
        "--version", [] { return std::string("heddle " HEDDLE_VERSION); }, "print the version");
    app_.add_option("--project", context_.project_dir, "folder of the project")->type_name("DIR");
    app_.fallthrough();
    add_group("Project", &CommandLine::add_project_commands);
    add_group("Runs", &CommandLine::add_run_commands);
    add_group("Daemon", &CommandLine::add_daemon_commands);
    add_group("Jobs", &CommandLine::add_job_commands);
    add_group("Dead letters", &CommandLine::add_dead_letter_commands);
    add_group("Scripts", &CommandLine::add_script_commands);
    add_group("History", &CommandLine::add_reading_commands);
    add_group("Maintenance", &CommandLine::add_maintenance_commands);
    add_group("Other", &CommandLine::add_other_commands);
    for (CLI::App* command : commands_with_json_) add_json(command);
    CLI::App* stop = app_.get_subcommand("stop");
    stop->add_flag("--now", values_.action.force, "do not wait for pages in flight");
    stop->add_flag("-y,--yes", values_.action.assume_yes,
                   "with --all: do not ask for confirmation");
  }

  int run(int argc, char** argv) {
    try {
      const std::vector<std::string> words(argv + 1, argv + argc);
      const auto help = command_word(words);
      if (help != words.end() && *help == "help")
        parse_help({std::next(help), words.end()});
      else
        app_.parse(argc, argv);
    } catch (const CLI::ParseError& stop) {
      return report(stop);
    }
    return static_cast<int>(chosen_());
  }

 private:
  using Action = std::function<ExitCode()>;

  // The word after the global options.
  static std::vector<std::string>::const_iterator command_word(
      const std::vector<std::string>& words) {
    auto word = words.begin();
    while (word != words.end() && word->starts_with('-')) {
      const bool takes_a_word = *word == "--project" && std::next(word) != words.end();
      word += takes_a_word ? 2 : 1;
    }
    return word;
  }

  // "help jobs" is "jobs --help"; a word that is not a command is reported as without "help".
  void parse_help(std::vector<std::string> words) {
    const auto is_named = [&](const CLI::App* command) {
      return command->get_name() == words.front();
    };
    if (words.empty() || !app_.get_subcommands(is_named).empty()) words.emplace_back("--help");
    std::reverse(words.begin(), words.end());  // as the library wants them
    app_.parse(std::move(words));
  }

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
    command->footer("\nExample:\n  " + example);
    command->callback([this, action = std::move(action)] { chosen_ = action; });
    return command;
  }

  // With --json below the options of the command itself.
  CLI::App* add(const std::string& name, const std::string& help, const std::string& example,
                Action action) {
    return commands_with_json_.emplace_back(add_to(app_, name, help, example, std::move(action)));
  }

  void add_json(CLI::App* command) {
    command->add_flag("--json", context_.json, "print one JSON document");
  }

  static void add_job(CLI::App* command, std::string& job) {
    command->add_option("job", job, "id, name, folder, or unique prefix of an id")->required();
  }

  static void add_limit(CLI::App* command, std::size_t& limit) {
    command
        ->add_option("--limit", limit,
                     limit == 0 ? "at most this many (default: all)" : "at most this many; 0: all")
        ->type_name("N")
        ->check(kCount)
        ->check(kDecimal);
  }

  // The help text lists the commands that `declare` adds below this title.
  void add_group(const std::string& title, void (CommandLine::*declare)()) {
    const std::size_t before = app_.get_subcommands({}).size();
    (this->*declare)();
    const auto commands = app_.get_subcommands({});
    for (std::size_t i = before; i < commands.size(); ++i) commands[i]->group(title);
  }

  void add_project_commands() {
    add_to(app_, "init", "create a small example project", "heddle init shop",
           call(init_project, values_.init_dir))
        ->add_option("dir", values_.init_dir, "folder of the new project");
    add_add_command();
    add_repair_command();
    auto* import = app_.add_subcommand("import", "import a project of another program");
    import->require_subcommand(1);
    import->footer("\nExample:\n  heddle --project shop import spyweb ../old-shop");
    auto* spyweb = add_to(
        *import, "spyweb", "copy the jobs of a SpyWeb project and the items they have reported",
        "heddle --project shop import spyweb ../old-shop", call(import_spyweb, values_.imported));
    spyweb->add_option("dir", values_.imported.source, "folder of the SpyWeb project")->required();
    spyweb->add_flag("--dry-run", values_.imported.dry_run, "only show what would be imported");
    add_json(spyweb);
    add("check", "report all errors in the configuration and the scripts", "heddle check",
        call(check_project, values_.job))
        ->add_option("job", values_.job, "only errors that concern this job");
    add("explain", "describe a configuration key, or list all keys", "heddle explain limits.body",
        call(explain_key, values_.key))
        ->add_option("key", values_.key, "such as limits.body (default: lists the keys)");

    auto* config = app_.add_subcommand("config", "show the configuration");
    config->require_subcommand(1);
    config->footer("\nExample:\n  heddle config show shop");
    auto* show = add_to(*config, "show", "show every value of a job and its origin",
                        "heddle config show shop", call_with(load, show_job_config, values_.job));
    add_job(show, values_.job);
    add_json(show);
  }

  void add_add_command() {
    AddArguments& values = values_.added;
    auto* command = add("add", "look at a page, propose what to watch, and write a job for it",
                        "heddle add https://example.com/products --every 1h",
                        call_with(load, add_watch, values));
    command->add_option("url", values.url, "address of the page, feed or JSON document")
        ->required();
    command->add_option("--watch", values.watch, "propose only this kind (default: all kinds)")
        ->type_name("KIND")
        ->check(CLI::IsMember({"items", "feed"}));
    command
        ->add_option("--every", values.interval,
                     "time between two runs: 30m, 6h, 1d (sets `interval`)")
        ->type_name("TIME");
    command->add_option("--name", values.name, "name of the job (default: from the page's title)")
        ->type_name("NAME");
    command->add_option("--pick", values.pick, "number of the proposal to take")
        ->type_name("N")
        ->check(CLI::Range(1, 100))
        ->check(kDecimal);
    auto* dry_run = command->add_flag("--dry-run", values.dry_run, "only show the proposals");
    command
        ->add_flag("-y,--yes", values.assume_yes,
                   "take the first proposal, or that of --pick, without asking")
        ->excludes(dry_run);
  }

  void add_repair_command() {
    RepairArguments& values = values_.repaired;
    auto* command =
        add("repair",
            "find new selectors for a job whose page has changed, and write them into its file",
            "heddle repair shop", call_with(load, repair_job, values));
    add_job(command, values.job);
    auto* dry_run = command->add_flag("--dry-run", values.dry_run, "only show what would change");
    command->add_flag("-y,--yes", values.assume_yes, "write the new selectors without asking")
        ->excludes(dry_run);
  }

  void add_run_commands() {
    auto* run = add("run", "run a job once and wait for its end (in the daemon, if one runs)",
                    "heddle run shop --json", call_with(load, run_job, values_.run));
    add_job(run, values_.run.job);
    auto* verbose =
        run->add_flag("-v,--verbose", values_.run.every_page, "print a line for each page");
    run->add_flag("-q,--quiet", values_.run.only_errors, "print only errors")->excludes(verbose);
    run->add_flag("--exit-code", values_.run.passes_exit_code,
                  "exit with the exit status of the job's program (kind = \"command\")");
    run->add_flag("--stages", values_.run.show_stages, "print the time that each stage took");

    auto* debug =
        add("debug",
            "run a job without storing pages and items or sending messages; print items and "
            "stages",
            "heddle debug shop --pages 1", call_with(load, debug_job, values_.debug));
    add_job(debug, values_.debug.job);
    debug->add_option("--pages", values_.debug.pages, "at most this many pages; 0: all")
        ->type_name("N")
        ->check(kCount)
        ->check(kDecimal);
  }

  void add_daemon_commands() {
    auto* up = add_to(app_, "up", "start the daemon in the foreground", "heddle up --processes 2",
                      call_with(load, run_up, values_.up));
    up->add_option("--processes", values_.up.processes, "worker processes; 0: as configured")
        ->type_name("N")
        ->check(CLI::Range(0, 1024));
    up->add_flag("-q,--quiet", values_.up.quiet, "log only warnings and errors; -qq: only errors");

    auto* down = add("down", "stop the daemon; unfinished runs resume at its next start",
                     "heddle down", call_with(load_for_listing, stop_daemon, values_.stop_now));
    down->add_flag("--now", values_.stop_now, "do not wait for pages in flight");

    add("status", "show the daemon, its queue, storage and workers", "heddle status",
        call_with(load_for_listing, show_status));
    add("metrics", "print metrics of the daemon in the Prometheus text format", "heddle metrics",
        call_with(load_for_listing, show_metrics));

    auto* workers = add("workers", "list worker slots with process, state and last event",
                        "heddle workers", [this] {
                          return restart_->parsed() ? call_with(load_for_listing, restart_worker,
                                                                values_.worker_number)()
                                                    : call_with(load_for_listing, show_workers)();
                        });
    restart_ = workers->add_subcommand(
        "restart", "replace a worker process; its pages in flight finish first");
    restart_->footer("\nExample:\n  heddle workers restart 1");
    restart_->add_option("slot", values_.worker_number, "number of the slot")->required();
    add_json(restart_);
  }

  static constexpr const char* kJobsHelp = "ids, names, folders, or unique prefixes of ids";

  static void add_selection(CLI::App* command, JobSelection& selection,
                            const std::string& jobs_help = kJobsHelp) {
    command->add_option("jobs", selection.names, jobs_help);
    command->add_option("--tag", selection.tag, "jobs with this tag")->type_name("TAG");
    command->add_option("--group", selection.group, "jobs of this group")->type_name("GROUP");
    command->add_option("--state", selection.state, "jobs in this state or check state")
        ->type_name("STATE")
        ->check(CLI::IsMember(state_words()));
  }

  void add_job_commands() {
    auto* jobs =
        add("jobs", "list jobs with state, next run and last run", "heddle jobs --state paused",
            call_with(open_history, list_jobs, values_.listed));
    add_selection(jobs, values_.listed);
    auto* show = add("show", "show one job: state, last runs, errors", "heddle show shop",
                     call_with(open_listing, show_job, values_.job));
    add_job(show, values_.job);

    add_action("trigger", "run jobs now", "heddle trigger shop");
    add_action("pause", "pause jobs: pages in flight finish, no others start",
               "heddle pause --all");
    add_action("resume", "resume paused jobs", "heddle resume shop");
    add_action("cancel", "cancel the current run; the schedule continues", "heddle cancel shop",
               "ids, names, folders, or unique prefixes of ids; also ids of runs");
    add_action("stop", "stop jobs: end the current run and start no other", "heddle stop shop");
    add_action("start", "start stopped or archived jobs again", "heddle start shop");
    add_action("archive", "archive jobs: keep their history, but do not run them",
               "heddle archive shop");
    add_action("delete", "delete jobs and their history", "heddle delete shop")
        ->add_flag("-y,--yes", values_.action.assume_yes, "do not ask for confirmation");

    add("reload", "make the daemon read changed configuration files", "heddle reload --dry-run",
        call_with(load_for_reading, reload_project, values_.dry_run))
        ->add_flag("--dry-run", values_.dry_run, "only show what would change");
  }

  CLI::App* add_action(const std::string& name, const std::string& help, const std::string& example,
                       const std::string& jobs_help = kJobsHelp) {
    auto* command = add(name, help, example, [this, name] {
      values_.action.action = name;
      return act_on_jobs(context_, values_.action);
    });
    add_selection(command, values_.action.jobs, jobs_help);
    command->add_flag("--all", values_.action.jobs.all, "all jobs");
    return command;
  }

  CLI::App* add_dead_letter_command(const std::string& name, const std::string& help,
                                    const std::string& example, Action action) {
    CLI::App* command =
        add_to(*app_.get_subcommand("dead"), name, help, example, std::move(action));
    add_json(command);
    return command;
  }

  void add_dead_letter_selection(CLI::App* command, const std::string& ids_help) {
    command->add_option("ids", values_.dead_letters.ids, ids_help)->check(kDecimal);
    command->add_option("--job", values_.dead_letters.job, "dead letters of this job")
        ->type_name("JOB");
    command->add_flag("--all", values_.dead_letters.all, "all dead letters");
  }

  void add_dead_letter_commands() {
    auto* dead = app_.add_subcommand(
        "dead", "list, retry or delete failed pages and messages (dead letters)");
    dead->require_subcommand(1);
    dead->footer("\nExample:\n  heddle dead retry --job shop");
    auto* list = add_dead_letter_command(
        "list", "list dead letters, newest first", "heddle dead list shop",
        call_with(open_listing, list_dead_letters, values_.listed_dead_letters));
    list->add_option("job", values_.listed_dead_letters.job, "only dead letters of this job");
    add_limit(list, values_.listed_dead_letters.limit);
    add_dead_letter_command("show", "show one dead letter", "heddle dead show 17",
                            call_with(open_listing, show_dead_letter, values_.dead_letter))
        ->add_option("id", values_.dead_letter, "id or unique prefix, see `heddle dead list`")
        ->check(kDecimal)
        ->required();
    add_dead_letter_selection(
        add_dead_letter_command("retry", "run failed pages and send failed messages again",
                                "heddle dead retry 17 18",
                                call(retry_dead_letters, values_.dead_letters)),
        "ids or unique prefixes of ids, see `heddle dead list`");
    add_dead_letter_selection(
        add_dead_letter_command("purge", "delete dead letters", "heddle dead purge --job shop",
                                call(purge_dead_letters, values_.dead_letters)),
        "whole ids, see `heddle dead list`");
  }

  void add_script_commands() {
    auto* test = add("test", "run the script tests of a job, or of all jobs",
                     "heddle test shop price", call_with(load, test_scripts, values_.test));
    test->add_option("job", values_.test.job, "id, name or folder (default: all jobs with tests)");
    test->add_option("pattern", values_.test.pattern, "only tests whose name contains this");
    test->add_option("--junit", values_.test.junit,
                     "also write the results to this file in JUnit format")
        ->type_name("FILE");

    add_to(app_, "types", "write type definitions of the Lua API for editors",
           "heddle types types.lua", call(write_types, values_.types_file))
        ->add_option("file", values_.types_file, "file to write (default: standard output)");
  }

  void add_reading_commands() {
    auto* records =
        add("records", "list a job's items, newest first",
            "heddle records shop --format csv > shop.csv", call(show_records, values_.records));
    add_job(records, values_.records.job);
    records
        ->add_option("--format", values_.records.format,
                     "output format; default: table, with --json: json")
        ->type_name("FORMAT")
        ->check(CLI::IsMember({"json", "jsonl", "csv", "table"}));
    records
        ->add_option("--since", values_.records.since,
                     "only items first seen since then: 2026-11-01, 2026-11-01T08:00Z, 7d, 12h")
        ->type_name("TIME");
    add_limit(records, values_.records.limit);

    auto* changes = add("changes", "list what changed about a job's items or pages, newest first",
                        "heddle changes shop --since 7d", call(show_changes, values_.changes));
    add_job(changes, values_.changes.job);
    changes
        ->add_option("--since", values_.changes.since,
                     "only changes since then: 2026-11-01, 2026-11-01T08:00Z, 7d, 12h")
        ->type_name("TIME");
    add_limit(changes, values_.changes.limit);

    auto* diff = add("diff", "show what differs between two versions of a page",
                     "heddle diff https://example.com/terms",
                     call_with(open_listing, show_diff, values_.diff));
    diff->add_option("page", values_.diff.page,
                     "URL of the page; or a job: its page that changed last")
        ->required();
    diff->add_option("from", values_.diff.from, "the older version, see --versions")
        ->type_name("V1")
        ->check(kCount)
        ->check(kDecimal);
    diff->add_option("to", values_.diff.to, "the newer version (default: the newest)")
        ->type_name("V2")
        ->check(kCount)
        ->check(kDecimal);
    diff->add_option("--job", values_.diff.job, "the job, if several watch the page")
        ->type_name("JOB");
    diff->add_flag("--versions", values_.diff.lists_versions, "list the versions of the page");

    auto* runs = add("runs", "list a job's runs, newest first", "heddle runs shop",
                     call_with(open_listing, show_runs, values_.runs));
    add_job(runs, values_.runs.job);
    add_limit(runs, values_.runs.limit);

    auto* logs = add("logs", "show logs: events, output of scripts and programs, the daemon",
                     "heddle logs shop -f", call_with(open_listing, show_logs, values_.logs));
    logs->add_option("job", values_.logs.job,
                     "id, name, folder, or unique prefix of an id (default: the daemon and all "
                     "jobs)");
    logs->add_option("-n,--lines", values_.logs.lines, "number of lines to show")
        ->type_name("N")
        ->check(kCount)
        ->check(kDecimal);
    logs->add_flag("-f,--follow", values_.logs.follow,
                   "keep printing new lines until Ctrl-C; with --json one object per line");

    add("run-trace", "show the stages of every page of a run",
        "heddle run-trace 01kbe0c3sjq9w1x4tn5m7r8v2d",
        call_with(open_listing, show_run_trace, values_.trace_run))
        ->add_option("run", values_.trace_run,
                     "id of the run or a unique prefix, see `heddle runs`")
        ->required();
  }

  void add_maintenance_commands() {
    auto* backup = add("backup", "back up the databases to a folder, also while the daemon runs",
                       "heddle backup /backups/shop-monday",
                       call_with(load_for_reading, back_up, values_.backup));
    backup->add_option("folder", values_.backup.folder, "folder to create")->required();
    backup->add_flag("--force", values_.backup.replace, "replace an existing backup");

    add("restore", "restore the databases from a backup", "heddle restore /backups/shop-monday",
        call_with(load_for_reading, restore, values_.restored))
        ->add_option("folder", values_.restored, "folder that `heddle backup` has written")
        ->required();

    auto* doctor = add("doctor", "check the databases for damage and suggest a repair",
                       "heddle doctor", call_with(load_for_reading, run_doctor, values_.doctor));
    auto* repair = doctor->add_flag("--repair", values_.doctor.repair,
                                    "replace damaged databases by copies of their readable rows");
    doctor
        ->add_flag("--start-empty", values_.doctor.allow_empty,
                   "with --repair: replace an unreadable database by an empty one")
        ->needs(repair);
  }

  void add_other_commands() {
    add("version", "print the version", "heddle version", call(print_version));

    auto* demo = add_to(app_, "demo", "start a demo shop with changing prices and monitor it",
                        "heddle demo --rounds 5", [this] {
                          values_.demo.pause = std::chrono::milliseconds(values_.demo_pause);
                          auto shown = context_.backend.demo(values_.demo);
                          return shown ? ExitCode::done : context_.fail(shown.error().message);
                        });
    demo->add_option("--port", values_.demo.port, "port of the shop; 0: any free port")
        ->type_name("PORT")
        ->check(CLI::Range(0, 65535));
    demo->add_option("--rounds", values_.demo.rounds, "stop after this many rounds; 0: at Ctrl-C")
        ->type_name("N")
        ->check(kCount)
        ->check(kDecimal);
    demo->add_option("--pause", values_.demo_pause, "milliseconds between rounds")
        ->type_name("MS")
        ->check(CLI::Range(0, 600000));
    demo->add_option("--keep", values_.demo.keep, "keep the project of the demo in this folder")
        ->type_name("DIR");
  }

  int report(const CLI::ParseError& stop) {
    if (stop.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app_.exit(stop);
    context_.fail(usage_error(app_, stop) + "\nSee `heddle --help`, or `heddle COMMAND --help`.");
    return static_cast<int>(ExitCode::wrong_usage);
  }

  CommandContext& context_;
  CLI::App app_{
      "Heddle monitors web pages: it fetches them, extracts items, stores them and reports what is "
      "new."};
  Action chosen_;
  std::vector<CLI::App*> commands_with_json_;
  CLI::App* restart_ = nullptr;  // of `workers`
  CommandValues values_;
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
