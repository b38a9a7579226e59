// The commands, one function each, with parsed arguments. command_line.cpp names what each needs in
// its context: the loaded project or its history.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/command_context.hpp"

namespace heddle::cli {

ExitCode print_version(CommandContext& context);
ExitCode init_project(CommandContext& context, const std::filesystem::path& dir);
ExitCode check_project(CommandContext& context, const std::string& job);
ExitCode explain_key(CommandContext& context, const std::string& key);
ExitCode show_job_config(CommandContext& context, const std::string& job);

// Makes the folder of the project if needed.
ExitCode import_spyweb(CommandContext& context, const SpywebImportRequest& request);

struct AddArguments {
  std::string url;
  std::string watch;     // "items", "feed"; empty: the best candidate
  std::string interval;  // as a job has it; empty: a default
  std::string name;      // empty: from the page
  std::size_t pick = 1;  // the candidate to take
  bool dry_run = false;
  bool assume_yes = false;
};
ExitCode add_watch(CommandContext& context, const AddArguments& arguments);

struct RepairArguments {
  std::string job;
  bool dry_run = false;
  bool assume_yes = false;
};
ExitCode repair_job(CommandContext& context, const RepairArguments& arguments);

struct RunArguments {
  std::string job;
  bool show_stages = false;
  bool every_page = false;
  bool only_errors = false;
  bool passes_exit_code = false;  // of the job's program
};
ExitCode run_job(CommandContext& context, const RunArguments& arguments);

struct DebugArguments {
  std::string job;
  std::size_t pages = 0;  // 0: all
};
ExitCode debug_job(CommandContext& context, const DebugArguments& arguments);

struct TestArguments {
  std::string job;      // empty: every job that has tests
  std::string pattern;  // only tests whose name contains it
  std::string junit;    // a file to write; empty: none
};
ExitCode test_scripts(CommandContext& context, const TestArguments& arguments);
ExitCode write_types(CommandContext& context, const std::string& file);

struct RecordsArguments {
  std::string job;
  std::string format;  // "json", "jsonl", "csv"; empty: a table
  std::string since;
  std::size_t limit = 0;  // 0: all
};
ExitCode show_records(CommandContext& context, const RecordsArguments& arguments);

struct ChangesArguments {
  std::string job;
  std::string since;
  std::size_t limit = 0;  // 0: all
};
ExitCode show_changes(CommandContext& context, const ChangesArguments& arguments);

struct DiffArguments {
  std::string page;       // a URL, or a job: the page of it that changed last
  std::string job;        // whose page it is; empty: the one that has versions of it
  std::int64_t from = 0;  // 0: the version before `to`
  std::int64_t to = 0;    // 0: the newest
  bool lists_versions = false;
};
ExitCode show_diff(CommandContext& context, const DiffArguments& arguments);

struct ListArguments {
  std::string job{};
  std::size_t limit = 0;  // 0: all
};
ExitCode show_runs(CommandContext& context, const ListArguments& arguments);
ExitCode show_run_trace(CommandContext& context, const std::string& run);

// Selects jobs by name, tag, group or state, or all of them.
struct JobSelection {
  std::vector<std::string> names{};
  std::string tag{};
  std::string group{};
  std::string state{};
  bool all = false;
};
ExitCode list_jobs(CommandContext& context, const JobSelection& selection);
ExitCode show_job(CommandContext& context, const std::string& job);

struct ActionArguments {
  std::string action;  // a lifecycle action: "pause", "stop", …
  JobSelection jobs;
  bool force = false;       // of a stop
  bool assume_yes = false;  // deletes or stops all without asking
};
ExitCode act_on_jobs(CommandContext& context, const ActionArguments& arguments);
ExitCode reload_project(CommandContext& context, bool dry_run);

struct LogsArguments {
  std::string job;  // empty: the daemon and all jobs
  std::size_t lines = 50;
  bool follow = false;
};
ExitCode show_logs(CommandContext& context, const LogsArguments& arguments);

// Selects dead letters by id, by job, or all.
struct DeadLetterSelection {
  std::vector<DeadLetterId> ids;
  std::string job;
  bool all = false;
};
ExitCode list_dead_letters(CommandContext& context, const ListArguments& arguments);
ExitCode show_dead_letter(CommandContext& context, DeadLetterId id);
ExitCode retry_dead_letters(CommandContext& context, const DeadLetterSelection& selection);
ExitCode purge_dead_letters(CommandContext& context, const DeadLetterSelection& selection);

ExitCode run_up(CommandContext& context, const UpOptions& options);
ExitCode stop_daemon(CommandContext& context, bool now);
ExitCode show_status(CommandContext& context);
ExitCode show_metrics(CommandContext& context);
ExitCode show_workers(CommandContext& context);
ExitCode restart_worker(CommandContext& context, int number);

ExitCode back_up(CommandContext& context, const BackupRequest& request);
ExitCode restore(CommandContext& context, const std::filesystem::path& folder);

struct DoctorArguments {
  bool repair = false;
  bool allow_empty = false;  // replace an unreadable database by an empty one
};
ExitCode run_doctor(CommandContext& context, const DoctorArguments& arguments);

}  // namespace heddle::cli
