#include "app/import/spyweb_import.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include "app/import/broken_jobs.hpp"
#include "app/import/job_folders.hpp"
#include "app/import/spyweb_database.hpp"
#include "app/import/spyweb_files.hpp"
#include "app/project/project_databases.hpp"
#include "app/project/project_lock.hpp"
#include "app/project/scratch_folder.hpp"
#include "base/drive.hpp"
#include "base/quantity.hpp"
#include "base/run_concurrently.hpp"
#include "base/secrets/secret_mask.hpp"
#include "base/text.hpp"
#include "config/load_project.hpp"
#include "store/scripts/script_database.hpp"
#include "store/sqlite/secrets/item_secrets.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace heddle::app {

namespace {

namespace fs = std::filesystem;
using cli::ImportedJob;
using cli::SpywebDatabase;
using cli::SpywebImport;
using cli::UnreadableJob;

constexpr std::size_t kValueBatch = 256;

// What the items of a job are identified by.
struct ItemRules {
  JobId job;
  std::string url;
  std::vector<std::string> hash_fields;
  std::vector<std::string> field_order;
  SecretMask mask;
  std::int64_t records = 0;
};

template <class Value>
Value setting_of(const config::LoadedJob& job, std::string_view key) {
  const auto found = job.settings.find(key);
  if (found == job.settings.end()) return {};
  const auto* value = std::get_if<Value>(&found->second.value);
  return value == nullptr ? Value{} : *value;
}

// A job with mistakes has rules, too: its items are needed once they are corrected.
ItemRules rules_of(const config::LoadedJob& loaded, const Project& project) {
  ItemRules rules;
  rules.job = loaded.id;
  rules.hash_fields = setting_of<std::vector<std::string>>(loaded, "hash_fields");
  rules.url = setting_of<std::string>(loaded, "url");
  const Job* job = loaded.usable ? project.find_job(loaded.id.text) : nullptr;
  if (job == nullptr) return rules;
  if (!job->urls.empty()) rules.url = job->urls.front();
  rules.hash_fields = job->hash_fields;
  for (const FieldRule& field : job->fields) rules.field_order.push_back(field.name);
  rules.mask = SecretMask(store::secrets_in_pages(*job));
  return rules;
}

// The configured fields first, in their order, as in items of a run.
void order_fields(Item& item, const std::vector<std::string>& order) {
  const auto place = [&order](const Field& field) {
    return std::find(order.begin(), order.end(), field.first) - order.begin();
  };
  std::stable_sort(item.fields.begin(), item.fields.end(),
                   [&place](const Field& a, const Field& b) { return place(a) < place(b); });
}

SpywebDatabase database_of(const fs::path& source) {
  if (leads_out(source, "data")) return SpywebDatabase::link;
  const auto file = resolve_entry(source, "data");
  std::error_code unknown;
  if (file && fs::is_directory(*file, unknown)) return SpywebDatabase::unknown;
  return file ? cli::kind_of_spyweb_database(*file) : SpywebDatabase::none;
}

Error name_is_taken(const std::vector<std::string>& clashes) {
  return {ErrorCode::conflict,
          fmt::format("nothing was imported: {}; rename one of the two", join(clashes, "; "))};
}

class SpywebImporter {
 public:
  SpywebImporter(const Project& project, const cli::SpywebImportRequest& request,
                 const config::Environment& environment, Log& log)
      : project_(project), request_(request), environment_(environment), log_(log) {}

  Result<SpywebImport> run() {
    auto possible = check_import_folders(request_.source, project_.root);
    if (!possible) return std::move(possible).error();
    if (request_.dry_run) return try_out();
    auto lock = ProjectLock::acquire_soon(project_.data_dir, ProjectLock::Hold::brief);
    if (!lock) return std::move(lock).error();
    staging_ = project_.root / kImportStaging;
    std::error_code ignored;
    fs::remove_all(staging_, ignored);  // of an interrupted import
    auto done = import();
    fs::remove_all(staging_, ignored);
    if (!done) return std::move(done).error();
    return std::move(report_);
  }

 private:
  Result<SpywebImport> try_out() {
    const auto scratch = ScratchFolder::make("heddle-import");
    if (!scratch) return Error{ErrorCode::unavailable, "no temporary folder can be made"};
    staging_ = scratch->path();
    auto prepared = prepare();
    if (prepared) prepared = read_records();
    if (!prepared) return std::move(prepared).error();
    return std::move(report_);
  }

  Status import() {
    if (auto prepared = prepare(); !prepared) return prepared;
    if (auto stored = store_records(); !stored) return stored;
    return move_into_place();
  }

  // Copies everything and finds out what it is; the project does not change.
  Status prepare() {
    auto shared = stage_spyweb_files(request_.source, staging_, report_.skipped_files);
    if (!shared) return std::move(shared).error();
    std::vector<std::string> clashes;
    list_jobs(clashes);
    list_shared_files(*shared, clashes);
    if (!clashes.empty()) return name_is_taken(clashes);
    return open_database();
  }

  void list_jobs(std::vector<std::string>& clashes) {
    const config::Loaded staged =
        config::load_project(staging_, environment_, project_.settings_text);
    const config::Loaded present = config::load_project(project_.root, environment_);
    report_.broken_jobs = broken_jobs(staged);
    if (std::string why = why_no_folder(request_.source, staging_); !why.empty())
      report_.broken_jobs.push_back({"jobs", std::move(why)});
    for (const config::LoadedJob& job : staged.jobs) {
      if (is_broken(place_of(job))) continue;
      ImportedJob imported{.id = job.id.text, .folder = job.directory.filename().string()};
      imported.is_present = is_present(job);
      if (!imported.is_present) add_clash(job, present, clashes);
      report_.jobs.push_back(std::move(imported));
      rules_.try_emplace(to_slug(job.name), rules_of(job, staged.project));
    }
  }

  [[nodiscard]] bool is_broken(const std::string& place) const {
    return std::ranges::find(report_.broken_jobs, place, &UnreadableJob::place) !=
           report_.broken_jobs.end();
  }

  // What scripts share: copied unless the project has it.
  void list_shared_files(const std::vector<fs::path>& files, std::vector<std::string>& clashes) {
    std::error_code unknown;
    for (const fs::path& file : files) {
      if (is_same_file(staging_ / file, project_.root / file)) continue;
      if (fs::exists(fs::symlink_status(project_.root / file, unknown)))
        clashes.push_back(fmt::format("the project has another {} already", file.string()));
      shared_files_.push_back(file);
    }
    report_.shared_files = static_cast<std::int64_t>(shared_files_.size());
  }

  [[nodiscard]] bool is_present(const config::LoadedJob& job) const {
    if (job.directory.empty())
      return is_same_file(staging_ / kSpywebJobsFile, project_.root / kSpywebJobsFile);
    const fs::path name = job.directory.filename();
    return has_all_files_of(staging_ / "jobs" / name, project_.root / "jobs" / name);
  }

  void add_clash(const config::LoadedJob& job, const config::Loaded& present,
                 std::vector<std::string>& clashes) const {
    std::error_code unknown;
    const std::string place = place_of(job);
    const auto same_id = std::ranges::find(present.jobs, job.id, &config::LoadedJob::id);
    if (fs::exists(fs::symlink_status(project_.root / place, unknown)))
      clashes.push_back(fmt::format("the project has another {} already", place));
    else if (!job.id.text.empty() && same_id != present.jobs.end())
      clashes.push_back(fmt::format("the project has a job '{}' already ({})", job.id.text,
                                    same_id->origin.text()));
  }

  Status open_database() {
    report_.database = database_of(request_.source);
    if (report_.database != SpywebDatabase::sqlite) return Done{};
    const fs::path file = *resolve_entry(request_.source, "data");
    const fs::path copy = staging_ / "spyweb.db";
    if (auto copied = copy_spyweb_database(file, copy); !copied) return copied;
    auto records = SpywebRecords::open(copy, file);
    if (!records) return std::move(records).error();
    records_ = std::move(*records);
    return Done{};
  }

  Status store_records() {
    store::SqliteOptions options;
    options.log = &log_;
    auto store = store::SqliteStore::open(database_file(project_), options);
    if (!store) return std::move(store).error();
    if (!records_) return Done{};
    boost::asio::io_context loop(1);
    auto stored = drive(loop, (*store)->import_items([this] { return next_item(); }));
    if (!stored) return std::move(stored).error();
    report_.new_items = *stored;
    if (auto counted = count_the_rest(); !counted) return counted;
    return copy_script_values();
  }

  Status read_records() {
    if (!records_) return Done{};
    while (true) {
      auto item = next_item();
      if (!item) return std::move(item).error();
      if (!*item) break;
    }
    if (auto counted = count_the_rest(); !counted) return counted;
    return copy_script_values();
  }

  // nullopt after the last record.
  Result<std::optional<store::ImportedItem>> next_item() {
    while (true) {
      auto record = records_->next();
      if (!record) return std::move(record).error();
      if (!*record) return std::optional<store::ImportedItem>();
      ++read_;
      const auto rules = rules_.find(to_slug((*record)->job));
      if (rules != rules_.end()) return item_of(std::move(**record), rules->second);
      ++report_.records_without_job[(*record)->job];
    }
  }

  std::optional<store::ImportedItem> item_of(SpywebRecord record, ItemRules& rules) {
    ++rules.records;
    ++report_.records;
    for (Field& field : record.item.fields) rules.mask.apply(field.second);
    order_fields(record.item, rules.field_order);
    store::ImportedItem imported;
    imported.job = rules.job;
    imported.url = rules.url;
    imported.first_seen = record.first_seen;
    imported.item.key = item_key(rules.job, record.item, rules.hash_fields);
    imported.item.item = std::move(record.item);
    return imported;
  }

  Status count_the_rest() {
    for (ImportedJob& job : report_.jobs)
      for (const auto& [name, rules] : rules_)
        if (rules.job.text == job.id) job.records = rules.records;
    report_.unreadable_records = records_->unreadable();
    auto marks = records_->seen_marks();
    if (!marks) return std::move(marks).error();
    report_.marks_without_record =
        std::max<std::int64_t>(0, *marks - read_ - report_.unreadable_records);
    return Done{};
  }

  // Values that scripts have stored since an earlier import stay. A dry run only counts.
  Status copy_script_values() {
    const fs::path file = project_.data_dir / kProjectDatabases[1].name;
    std::error_code unknown;
    const bool is_new = request_.dry_run && !fs::exists(file, unknown);
    boost::asio::io_context loop(1);
    std::unique_ptr<store::ScriptDatabase> database;
    auto copied =
        for_each_batch_of_values([&](const std::vector<SpywebScriptValue>& values) -> Status {
          if (!database && !is_new) {
            auto opened = store::ScriptDatabase::open(file, store::ScriptDatabaseOptions{});
            if (!opened) return std::move(opened).error();
            database = std::move(*opened);
          }
          return drive(loop, put_values(database.get(), values));
        });
    for (const auto& [job, count] : values_without_job_)
      report_.skipped_files.push_back(
          fmt::format("{} of scripts of '{}', which has no job that can be read: import again when "
                      "it has one",
                      counted(count, "stored value"), job));
    return copied;
  }

  template <class Visit>
  Status for_each_batch_of_values(const Visit& visit) {
    std::string last;
    while (true) {
      auto values = records_->script_values(last, kValueBatch);
      if (!values) return std::move(values).error();
      if (values->empty()) return Done{};
      last = values->back().key;
      if (auto visited = visit(*values); !visited) return visited;
    }
  }

  // Concurrently, so that the database writes them in one transaction. nullptr: it has no value.
  Async<Status> put_values(store::ScriptDatabase* database,
                           const std::vector<SpywebScriptValue>& values) {
    Status failure = Done{};
    std::function<Async<void>(std::size_t)> one = [&](std::size_t index) {
      return put_value(database, values[index], failure);
    };
    co_await run_concurrently(values.size(), kValueBatch, std::move(one));
    co_return failure;
  }

  Async<void> put_value(store::ScriptDatabase* database, const SpywebScriptValue& value,
                        Status& failure) {
    const auto colon = value.key.find(':');
    const std::string prefix = colon == std::string::npos ? "" : value.key.substr(0, colon);
    const auto rules = colon == std::string::npos ? rules_.end() : rules_.find(to_slug(prefix));
    const bool is_of_job = rules != rules_.end();
    if (!is_of_job && is_missing_job(prefix)) {
      ++values_without_job_[prefix];
      co_return;
    }
    const auto owner = is_of_job ? std::optional(rules->second.job) : std::nullopt;
    const std::string key = is_of_job ? value.key.substr(colon + 1) : value.key;
    Result<std::optional<std::string>> present = std::optional<std::string>();
    if (database != nullptr) present = co_await database->get(owner, key);
    if (present && *present) co_return;
    Status stored = Done{};
    if (!present)
      stored = std::move(present).error();
    else if (!request_.dry_run)
      stored = co_await database->set(owner, key, value.value);
    if (stored)
      ++report_.script_values;
    else if (stored.error().code == ErrorCode::bad_input)
      ++report_.invalid_script_values;
    else
      failure = std::move(stored).error();
  }

  // Whether SpyWeb has known such a job: else the word is a part of a key for all jobs.
  [[nodiscard]] bool is_missing_job(const std::string& id) const {
    const std::string slug = to_slug(id);
    const auto is_it = [&slug](const std::string& other) { return to_slug(other) == slug; };
    return !slug.empty() &&
           (std::ranges::any_of(report_.records_without_job,
                                [&](const auto& each) { return is_it(each.first); }) ||
            std::ranges::any_of(report_.broken_jobs, [&](const UnreadableJob& job) {
              return is_it(fs::path(job.place).filename().string());
            }));
  }

  // The jobs last: their scripts need the rest.
  Status move_into_place() {
    std::error_code failure;
    fs::create_directories(project_.root / "jobs", failure);
    for (const fs::path& file : shared_files_) {
      if (!failure) fs::create_directories((project_.root / file).parent_path(), failure);
      if (!failure) fs::rename(staging_ / file, project_.root / file, failure);
    }
    bool has_jobs_file = false;
    for (const ImportedJob& job : report_.jobs) {
      if (job.is_present || failure) continue;
      if (job.folder.empty())
        has_jobs_file = true;
      else
        fs::rename(staging_ / "jobs" / job.folder, project_.root / "jobs" / job.folder, failure);
    }
    if (has_jobs_file && !failure)
      fs::rename(staging_ / kSpywebJobsFile, project_.root / kSpywebJobsFile, failure);
    if (!failure) return Done{};
    return Error{ErrorCode::unavailable,
                 fmt::format("cannot move the jobs into {}: {}; a second import completes this one",
                             project_.root.string(), failure.message())};
  }

  const Project& project_;
  const cli::SpywebImportRequest& request_;
  const config::Environment& environment_;
  Log& log_;
  fs::path staging_;
  SpywebImport report_;
  std::map<std::string, ItemRules> rules_;  // by the slug of the job's name
  std::unique_ptr<SpywebRecords> records_;
  std::vector<fs::path> shared_files_;                      // to be moved, relative to the project
  std::map<std::string, std::int64_t> values_without_job_;  // of scripts, by SpyWeb's id of the job
  std::int64_t read_ = 0;
};

}  // namespace

Result<SpywebImport> import_spyweb(const Project& project, const cli::SpywebImportRequest& request,
                                   const config::Environment& environment, Log& log) {
  return SpywebImporter(project, request, environment, log).run();
}

}  // namespace heddle::app
