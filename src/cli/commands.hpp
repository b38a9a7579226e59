// The commands, one function each; arguments are already parsed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "cli/job_rows.hpp"

namespace heddle::cli {

ExitCode init_project(Context& context, const std::filesystem::path& dir);
ExitCode check_project(Context& context, const std::string& job);
ExitCode explain_key(Context& context, const std::string& key);
ExitCode show_job_config(Context& context, const std::string& job);

struct RunArguments {
  std::string job;
  bool show_stages = false;
  bool every_page = false;
};
ExitCode run_job(Context& context, const RunArguments& arguments);

struct DebugArguments {
  std::string job;
  std::size_t pages = 0;  // 0: all
};
ExitCode debug_job(Context& context, const DebugArguments& arguments);

struct TestArguments {
  std::string job;      // empty: every job that has tests
  std::string pattern;  // only tests whose name contains it
  std::string junit;    // a file to write; empty: none
};
ExitCode test_scripts(Context& context, const TestArguments& arguments);
ExitCode write_types(Context& context, const std::string& file);

struct RecordsArguments {
  std::string job;
  std::string format;  // "json", "jsonl", "csv"; empty: a table
  std::string since;
  std::size_t limit = 0;  // 0: all
};
ExitCode show_records(Context& context, const RecordsArguments& arguments);

struct RunsArguments {
  std::string job;
  std::size_t limit = 20;  // 0: all
};
ExitCode show_runs(Context& context, const RunsArguments& arguments);
ExitCode show_run_trace(Context& context, const std::string& run);

ExitCode list_jobs(Context& context, const JobSelection& selection);
ExitCode show_job(Context& context, const std::string& job);

struct ActionArguments {
  std::string action;  // a word of the lifecycle: "pause", "stop", …
  JobSelection jobs;
  bool at_once = false;
};
ExitCode act_on_jobs(Context& context, const ActionArguments& arguments);
// Asks first, unless told that the answer is yes.
ExitCode delete_jobs(Context& context, const ActionArguments& arguments, bool is_sure);
ExitCode reload_project(Context& context, bool is_trial);

struct LogsArguments {
  std::string job;
  std::size_t lines = 50;
  bool follows = false;
};
ExitCode show_logs(Context& context, const LogsArguments& arguments);

// Which dead letters a command is about: by id, those of a job, or all.
struct LetterSelection {
  std::vector<LetterId> ids;
  std::string job;
  bool all = false;
};
ExitCode list_letters(Context& context, const std::string& job, std::size_t limit);
ExitCode show_letter(Context& context, LetterId id);
ExitCode retry_letters(Context& context, const LetterSelection& selection);
ExitCode purge_letters(Context& context, const LetterSelection& selection);

ExitCode run_up(Context& context, const UpOptions& options);
ExitCode show_status(Context& context);
ExitCode show_metrics(Context& context);
ExitCode show_workers(Context& context);
ExitCode restart_worker(Context& context, int number);

ExitCode back_up(Context& context, const BackupOrder& order);
ExitCode restore(Context& context, const std::filesystem::path& folder);

struct DoctorArguments {
  bool may_repair = false;
  bool may_begin_empty = false;  // where nothing can be saved
};
ExitCode run_doctor(Context& context, const DoctorArguments& arguments);

ExitCode show_version(Context& context);

}  // namespace heddle::cli
