#include <fmt/format.h>

#include "cli/commands.hpp"

namespace heddle::cli {

namespace {

void write_job(JsonWriter& json, const ImportedJob& job) {
  json.begin_object().field("id", job.id).field("folder", job.folder);
  json.field("state", job.is_present ? "present" : "imported");
  json.field("records", job.records).end_object();
}

void write_broken_job(JsonWriter& json, const UnreadableJob& job) {
  json.begin_object().field("place", job.place).field("error", job.error).end_object();
}

void write_import(JsonWriter& json, const SpywebImport& import, bool is_dry_run) {
  json.begin_object().field("dry_run", is_dry_run);
  json.key("jobs").array(import.jobs, write_job);
  json.field("database", to_text(import.database));
  json.field("records", import.records).field("new_items", import.new_items);
  json.field("script_values", import.script_values);
  json.field("shared_files", import.shared_files);
  json.key("not_imported").begin_object();
  json.key("jobs").array(import.broken_jobs, write_broken_job);
  json.field("unreadable_records", import.unreadable_records);
  json.key("records_without_job").begin_object();
  for (const auto& [job, count] : import.records_without_job) json.field(job, count);
  json.end_object();
  json.field("marks_without_record", import.marks_without_record);
  json.field("script_values", import.invalid_script_values);
  json.field("files", import.skipped_files).end_object().end_object();
}

// Makes the folder of a new project and, unless the import succeeds, removes it again.
class NewProjectFolder {
 public:
  explicit NewProjectFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  ~NewProjectFolder() {
    if (!made_.empty()) remove_again();
  }
  NewProjectFolder(const NewProjectFolder&) = delete;
  NewProjectFolder& operator=(const NewProjectFolder&) = delete;

  Status make() {
    std::error_code failure;
    for (auto above = std::filesystem::absolute(folder_, failure).lexically_normal();
         !above.empty() && !std::filesystem::exists(above, failure); above = above.parent_path())
      made_.push_back(above);
    std::filesystem::create_directories(folder_, failure);
    if (!failure) return Done{};
    return Error{ErrorCode::unavailable,
                 fmt::format("cannot make the folder {}: {}", folder_.string(), failure.message())};
  }
  void keep() { made_.clear(); }

 private:
  // The data folder is Heddle's own; anything else stays.
  void remove_again() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_ / "data", ignored);
    for (const auto& folder : made_) std::filesystem::remove(folder, ignored);
  }

  std::filesystem::path folder_;
  std::vector<std::filesystem::path> made_;  // the innermost first
};

// A dry run works without the folder of a new project.
Status open_target(CommandContext& context, NewProjectFolder& folder, bool is_dry_run) {
  std::error_code unknown;
  if (std::filesystem::is_directory(context.project_dir, unknown)) return load(context);
  if (is_dry_run) {
    context.loaded = config::load_project(context.project_dir, context.environment);
    return Done{};
  }
  if (auto made = folder.make(); !made) return made;
  return load(context);
}

void warn_of_database(CommandContext& context, const SpywebImport& import,
                      const std::filesystem::path& file) {
  constexpr const char* kAdvice =
      "set `first_run = \"baseline\"` in the jobs before their first run; otherwise the first run "
      "reports every item as new";
  if (import.database == SpywebDatabase::redb)
    context.err.line(fmt::format("heddle: {} is a redb database, which cannot be read: {}",
                                 file.string(), kAdvice));
  if (import.database == SpywebDatabase::unknown)
    context.err.line(
        fmt::format("heddle: {} is neither an SQLite nor a redb database, so it was not read: {}",
                    file.string(), kAdvice));
  if (import.database == SpywebDatabase::link)
    context.err.line(
        fmt::format("heddle: {} is a symbolic link that leads out of the folder or nowhere, so it "
                    "was not read: put the file itself there and import again. Otherwise {}",
                    file.string(), kAdvice));
  if (import.database == SpywebDatabase::none)
    context.err.line(fmt::format("there is no database {}: {}", file.string(), kAdvice));
}

void warn_of_rest(CommandContext& context, const SpywebImport& import) {
  const auto warn = [&context](std::int64_t count, std::string_view what, const char* why) {
    if (count > 0) context.err.line(fmt::format("not imported: {}{}", counted(count, what), why));
  };
  for (const std::string& file : import.skipped_files) context.err.line("not imported: " + file);
  const char* missing =
      import.broken_jobs.empty() ? "does not exist" : "does not exist or cannot be read";
  for (const auto& [job, count] : import.records_without_job)
    warn(count, "record", fmt::format(" of job '{}', which {}", job, missing).c_str());
  warn(import.unreadable_records, "record", " that cannot be read");
  const std::int64_t marks = import.marks_without_record;
  warn(marks, "item",
       marks == 1
           ? " whose record SpyWeb has deleted; it is reported as new if the page still "
             "lists it"
           : " whose records SpyWeb has deleted; they are reported as new if the pages still "
             "list them");
  warn(import.invalid_script_values, "stored value",
       " of scripts, because the key or the text is too long");
}

void print_broken_jobs(CommandContext& context, const SpywebImport& import) {
  for (const UnreadableJob& job : import.broken_jobs)
    context.err.line(
        fmt::format("heddle: {} was not imported: {}; correct it there and import "
                    "again",
                    job.place, job.error));
}

void print_import(CommandContext& context, const SpywebImport& import, bool is_dry_run) {
  for (const ImportedJob& job : import.jobs)
    context.out.line(fmt::format("{}: {}, {}",
                                 job.folder.empty() ? "jobs.toml" : "jobs/" + job.folder,
                                 job.is_present ? "already exists"
                                 : is_dry_run   ? "would be copied"
                                                : "copied",
                                 counted(job.records, "known item")));
  if (import.jobs.empty() && import.broken_jobs.empty())
    context.out.line("the project has no jobs");
  if (import.shared_files > 0)
    context.out.line(fmt::format("shared/ and Lua modules: {} {}",
                                 counted(import.shared_files, "file"),
                                 is_dry_run ? "would be copied" : "copied"));
  if (!is_dry_run && import.database == SpywebDatabase::sqlite)
    context.out.line(fmt::format("{} will not be reported again ({} known before)",
                                 counted(import.records, "item"),
                                 import.records - import.new_items));
  if (import.script_values > 0)
    context.out.line(fmt::format("{} of scripts {}", counted(import.script_values, "stored value"),
                                 is_dry_run ? "would be copied" : "copied"));
}

}  // namespace

ExitCode import_spyweb(CommandContext& context, const SpywebImportRequest& request) {
  NewProjectFolder folder(context.project_dir);
  if (auto opened = open_target(context, folder, request.dry_run); !opened)
    return context.fail(opened.error().message);
  auto import = context.backend.import_spyweb(context.loaded.project, request);
  if (!import) return context.fail(import.error().message);
  folder.keep();
  if (context.json)
    context.print_json(write_import, *import, request.dry_run);
  else
    print_import(context, *import, request.dry_run);
  print_broken_jobs(context, *import);
  warn_of_rest(context, *import);
  warn_of_database(context, *import, request.source / "data");
  const bool is_read =
      import->database == SpywebDatabase::sqlite || import->database == SpywebDatabase::none;
  return is_read && import->broken_jobs.empty() ? ExitCode::done : ExitCode::failed;
}

}  // namespace heddle::cli
