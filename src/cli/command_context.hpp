// CommandContext gives a command the project, its history, the terminals and the backend. One per
// process.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_backend.hpp"
#include "cli/database_maintenance.hpp"
#include "cli/terminal.hpp"
#include "config/environment.hpp"
#include "config/load_project.hpp"
#include "model/json.hpp"

namespace heddle::cli {

// The exit status of the program, part of the command line contract.
enum class ExitCode {
  done = 0,
  failed = 1,  // the work failed: job, test or configuration
  wrong_usage = 2,
  no_daemon = 3,
};

struct CommandContext {
  std::filesystem::path project_dir = ".";
  bool json = false;
  bool only_errors = false;  // print no warnings and notices about the configuration
  const config::Environment& environment;
  CommandBackend& backend;
  DatabaseMaintenance& maintenance;
  Terminal out{stdout};
  Terminal err{stderr};
  config::Loaded loaded{};                  // the project, after load() or load_for_reading()
  std::unique_ptr<store::Reader> reader{};  // its stored history, after open_reader()
  std::optional<LocalTimes> local_times{};  // see times()

  // Of the loaded project.
  [[nodiscard]] const LocalTimes& times();

  // "heddle: message" on standard error.
  ExitCode fail(std::string_view message, ExitCode code = ExitCode::failed);
  // The same; `no_daemon` when the error is `not_found`.
  ExitCode fail_without_daemon(const Error& error);

  // Prints the document that `write(writer, values…)` writes.
  template <class Write, class... Values>
  ExitCode print_json(Write write, const Values&... values) {
    JsonWriter writer;
    write(writer, values...);
    out.print(writer.text() + "\n");
    return ExitCode::done;
  }
  // An array with what `write(writer, element)` writes for each element.
  template <class Element, class Write>
  ExitCode print_json_array(const std::vector<Element>& elements, Write write) {
    return print_json([&](JsonWriter& writer) { writer.array(elements, write); });
  }
};

// JsonArrayPrinter prints the elements of one JSON array while they are read, so that memory does
// not grow with their number. The terminal outlives it.
class JsonArrayPrinter {
 public:
  explicit JsonArrayPrinter(Terminal& out) : out_(out) { json_.begin_array(); }

  // Prints what `write(writer, element)` writes.
  template <class Element, class Write>
  void add(const Element& element, Write write) {
    write(json_, element);
    out_.print(json_.take_part());
  }
  ExitCode finish() {
    json_.end_array();
    out_.print(json_.take_part() + "\n");
    return ExitCode::done;
  }

 private:
  Terminal& out_;
  JsonWriter json_;
};

// For JsonWriter::array().
inline void write_path(JsonWriter& json, const std::filesystem::path& path) {
  json.value(path.string());
}

// Loads the project; prints its problems and fails when heddle.toml has errors.
Status load(CommandContext& context);

// For commands that only read history: prints errors of heddle.toml as warnings and uses its valid
// values, else the defaults.
Status load_for_reading(CommandContext& context);

// The same for commands that start and change nothing: does not read long files of URLs.
Status load_for_listing(CommandContext& context);

// Opens the stored history of the loaded project; empty when nothing was stored yet.
Status open_reader(CommandContext& context);

// Loads the project for reading and opens its history.
Status open_history(CommandContext& context);

// The same with load_for_listing().
Status open_listing(CommandContext& context);

// Finds the job that the user named as it is written. Returns nullptr, after an error message with
// a suggestion, when there is no such job.
const config::LoadedJob* find_written_job(CommandContext& context, const std::string& name);

// The same for a job that is to run. Prints its problems; returns nullptr when it cannot run.
const Job* find_job(CommandContext& context, const std::string& name);

// Sets the file and line where the problem's key is written, or where the job begins.
void set_place(config::Problem& problem, const config::LoadedJob& job);

// Problems in the scripts and programs of one job, or of all jobs if `only` is empty. Runs nothing.
std::vector<config::Problem> script_problems(CommandContext& context, std::string_view only);
// Prints one line each to standard error.
void print_problems(CommandContext& context, const std::vector<config::Problem>& problems);

// Finds the id of a job for reading its history, also when its configuration is broken or removed.
Result<JobId> find_job_id(const CommandContext& context, const std::string& name);

// Finds a stored run by its id or by the start of its id, when no other id starts like that.
Result<RunId> find_run_id(const CommandContext& context, const std::string& name);

// "several runs begin with '01k': a, b, …"
Error ambiguous_prefix(std::string_view things, const std::string& prefix,
                       const std::vector<std::string>& candidates);

}  // namespace heddle::cli
