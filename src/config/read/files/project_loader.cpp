#include "config/read/files/project_loader.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/log/redact.hpp"
#include "base/text.hpp"
#include "config/read/bind.hpp"
#include "config/read/channels.hpp"
#include "config/read/files/job_folders.hpp"
#include "config/read/flat_layers.hpp"
#include "config/read/layers.hpp"
#include "config/read/shared_pages.hpp"
#include "config/read/values/adapters.hpp"
#include "config/read/values/references.hpp"
#include "config/read/values/scalar.hpp"
#include "config/read/values/secret_values.hpp"
#include "config/read/values/text_budget.hpp"

namespace heddle::config {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxProjectFile = 16 << 20;
constexpr std::size_t kMaxJobFile = 4 << 20;
constexpr std::size_t kMaxJobsFile = 64 << 20;
constexpr std::size_t kMaxIdentityMemory = 4096;
constexpr std::uintmax_t kQuicklyRead = 256 << 10;  // some thousand URLs
constexpr std::string_view kProjectFile = "heddle.toml";
constexpr std::string_view kJobsFile = "jobs.toml";

void add_problems(std::vector<Problem>& into, const Settings& settings) {
  for (const auto& [path, setting] : settings)
    into.insert(into.end(), setting.problems.begin(), setting.problems.end());
}

// Requests of any job to a host carry the headers of [hosts."name"].
std::vector<Secret> secrets_of_hosts(const Settings& project) {
  std::vector<Secret> secrets;
  Settings of_hosts;
  for (const auto& [path, setting] : project) {
    if (!path.starts_with("hosts.")) continue;
    of_hosts.emplace(path, setting);
    if (setting.secrets != nullptr)
      for (const Secret& secret : setting.secrets->used) add_secret(secrets, secret);
  }
  for (const std::string& value : literal_secrets(of_hosts))
    add_secret(secrets, {std::string(kRedacted), value});
  return secrets;
}

// heddle.toml, then jobs.toml, then the job folders.
int rank_of_file(std::string_view file) {
  if (file == kProjectFile) return 0;
  return file == kJobsFile ? 1 : 2;
}

const Origin& origin_of_id(const LoadedJob& job) {
  const auto found = job.settings.find("id");
  return found != job.settings.end() ? found->second.origin : job.origin;
}

// So that a job that is not built can be named.
void keep_identity(Settings& settings) {
  std::erase_if(settings, [](const auto& each) {
    return (each.first != "id" && each.first != "name") ||
           memory_of(each.second) > kMaxIdentityMemory;
  });
}

void refuse_id(LoadedJob& job, const Origin& other) {
  const Origin& at = origin_of_id(job);
  job.usable = false;
  job.problems.push_back({at.file, at.line, "id",
                          fmt::format("{} is also the id of the job in {}, ids must be unique",
                                      in_quotes(job.id.text), other.text())});
}

}  // namespace

ProjectLoader::ProjectLoader(const fs::path& root, const Environment& environment)
    : root_((fs::absolute(root) / "").lexically_normal().parent_path()),
      environment_(environment),
      files_(root_, file_problems_),
      substitutor_(root_, environment),
      reader_(substitutor_, environment_) {}

// Returns false when there is nothing to read.
bool ProjectLoader::begin() {
  loaded_.project = project_of_presets();
  loaded_.project.root = root_;
  std::error_code ignored;
  if (!fs::is_directory(root_, ignored)) {
    loaded_.project_problems.push_back({root_.string(), 0, {}, "is not a folder that can be read"});
    loaded_.problems = loaded_.project_problems;
    return false;
  }
  read_project_file();
  finish_project();
  loaded_.layers = flat_layers(defaults_, groups_);
  memory_of_layers_ = memory_of(job_limits(loaded_.project_settings)) + memory_of(defaults_) +
                      memory_of(secrets_of_hosts(loaded_.project_settings));
  return true;
}

Loaded ProjectLoader::load_settings() {
  if (!begin()) return std::move(loaded_);
  collect_secrets();
  collect_problems();
  return std::move(loaded_);
}

std::vector<fs::path> ProjectLoader::job_files() {
  std::vector<fs::path> files = files_.find_job_files();
  if (!draft_ || draft_->name == kJobsFile) return files;
  const fs::path file = root_ / draft_->name;
  const auto at = std::lower_bound(files.begin(), files.end(), file);
  if (at == files.end() || *at != file) files.insert(at, file);
  return files;
}

ProjectFiles::Document ProjectLoader::read_or_draft(const fs::path& file, std::size_t max_bytes) {
  if (draft_ && files_.name_of(file) == draft_->name) return files_.parse(file, draft_->text);
  return files_.read(file, max_bytes);
}

Loaded ProjectLoader::load() {
  if (!begin()) return std::move(loaded_);
  read_jobs_file();
  for (const fs::path& file : job_files()) read_job_folder(file);
  loaded_.misnamed = files_.take_misnamed();
  refuse_nested_folders(loaded_.jobs, root_);
  build_jobs();
  check_references(loaded_, project_file_ok_);
  drop_unusable_jobs();
  if (loaded_.jobs.empty() && file_problems_.empty())
    file_problems_.push_back({std::string(kJobsFile),
                              0,
                              {},
                              "the project has no jobs: write [[jobs]] into jobs.toml, or "
                              "jobs/NAME/config.toml",
                              ProblemSeverity::warning});
  collect_secrets();
  collect_problems();
  return std::move(loaded_);
}

void ProjectLoader::read_project_file() {
  const fs::path file = root_ / kProjectFile;
  const std::size_t before = file_problems_.size();
  std::string& text = loaded_.project.settings_text;
  auto document = settings_text_ ? files_.parse(file, text = *std::move(settings_text_))
                                 : files_.read(file, kMaxProjectFile, &text);
  project_file_ok_ = document.readable;
  // Problems of this file belong to the project.
  std::move(file_problems_.begin() + static_cast<std::ptrdiff_t>(before), file_problems_.end(),
            std::back_inserter(loaded_.project_problems));
  file_problems_.resize(before);
  read_job_layers(document.table);
  std::erase_if(document.table, [](const TomlEntry& entry) {
    return (entry.name == "defaults" || entry.name == "groups") && entry.value.table() != nullptr;
  });
  const Vars none;
  loaded_.project_settings = reader_.read(document.table, section_named("project"),
                                          {std::string(kProjectFile), {}, &none});
}

void ProjectLoader::read_job_layers(const TomlTable& table) {
  const Section& job = section_named("job");
  const std::string file(kProjectFile);
  if (const TomlValue* found = find_entry(table, "defaults"); found != nullptr && found->table()) {
    defaults_ = reader_.read(*found->table(), job, {file, "defaults.", nullptr});
    refuse_keys(defaults_, {"name", "id"});
  }
  const TomlValue* groups = find_entry(table, "groups");
  if (groups == nullptr || groups->table() == nullptr) return;
  for (const TomlEntry& group : *groups->table()) {
    const std::string label = "groups." + group.name;
    if (group.value.table() == nullptr) {
      loaded_.project_problems.push_back(
          {file, group.value.line, label,
           fmt::format("found {}, expected a table", kind_of(group.value))});
      continue;
    }
    Settings& settings = groups_[group.name];
    settings = reader_.read(*group.value.table(), job, {file, label + ".", nullptr});
    refuse_keys(settings, {"name", "id", "group"});
    memory_of_groups_[group.name] = memory_of(settings);
  }
}

void ProjectLoader::finish_project() {
  check_adapters(loaded_.project_settings);
  check_channel_types(loaded_.project_settings);
  add_problems(loaded_.project_problems, loaded_.project_settings);
  Project& project = loaded_.project;
  bind_project(loaded_.project_settings, project);
  if (project.timezone.empty()) project.timezone = environment_.system_timezone;
  project.data_dir = (root_ / project.data_dir).lexically_normal();
  check_ca_file();
  check_budgets();
  check_channels(loaded_);
  add_problems(file_problems_, defaults_);
  for (const auto& [name, settings] : groups_) add_problems(file_problems_, settings);
}

void ProjectLoader::check_ca_file() {
  std::string& file = loaded_.project.network.ca_file;
  if (file.empty()) return;
  file = (root_ / file).lexically_normal().string();
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored)) return;
  const Setting& at = loaded_.project_settings.at("network.ca_file");
  loaded_.project_problems.push_back({at.origin.file, at.origin.line, at.label,
                                      fmt::format("there is no file {}", in_quotes(file))});
}

// A script must reach its own limit before the watchdog treats the worker as hung.
void ProjectLoader::check_budgets() {
  const auto time_of = [this](const char* section, const char* name) {
    const auto found = loaded_.project_settings.find(fmt::format("{}.{}", section, name));
    const Typed typed = found != loaded_.project_settings.end()
                            ? found->second.value
                            : preset_of(*find_key(section_named(section), name));
    const auto* time = std::get_if<std::chrono::milliseconds>(&typed);
    return time == nullptr ? std::chrono::milliseconds(0) : *time;
  };
  if (time_of("script", "cpu_limit") < time_of("recovery", "hang_timeout")) return;
  for (const char* path : {"script.cpu_limit", "recovery.hang_timeout"}) {
    const auto found = loaded_.project_settings.find(path);
    if (found == loaded_.project_settings.end() || has_errors(found->second.problems)) continue;
    const Setting& at = found->second;
    loaded_.project_problems.push_back(
        {at.origin.file, at.origin.line, at.label,
         "script.cpu_limit must be less than recovery.hang_timeout"});
    return;
  }
}

void ProjectLoader::read_jobs_file() {
  const std::string file(kJobsFile);
  const auto document = read_or_draft(root_ / kJobsFile, kMaxJobsFile);
  for (const TomlEntry& entry : document.table) {
    if (entry.name != "jobs") {
      file_problems_.push_back(
          {file, entry.value.line, entry.name, "unknown key, jobs are written under [[jobs]]"});
      continue;
    }
    if (entry.value.list() == nullptr) {
      file_problems_.push_back(
          {file, entry.value.line, "jobs",
           fmt::format("found {}, expected tables under [[jobs]]", kind_of(entry.value))});
      continue;
    }
    for (const TomlValue& each : *entry.value.list()) add_listed_job(each);
  }
}

void ProjectLoader::add_listed_job(const TomlValue& value) {
  LoadedJob job;
  job.origin = {std::string(kJobsFile), value.line};
  if (value.table() != nullptr) return add_job(std::move(job), *value.table());
  file_problems_.push_back(
      {job.origin.file, value.line, "jobs",
       fmt::format("found {}, expected tables under [[jobs]]", kind_of(value))});
}

void ProjectLoader::read_job_folder(const fs::path& file) {
  LoadedJob job;
  job.origin = {files_.name_of(file), 1};
  job.directory = file.parent_path();
  const std::size_t before = file_problems_.size();
  const auto document = read_or_draft(file, kMaxJobFile);
  if (document.exists && document.readable) return add_job(std::move(job), document.table);
  job.problems.assign(file_problems_.begin() + static_cast<std::ptrdiff_t>(before),
                      file_problems_.end());
  if (document.exists) loaded_.jobs.push_back(std::move(job));
}

void ProjectLoader::add_job(LoadedJob job, const TomlTable& table) {
  substitutor_.begin_job();
  Settings own = reader_.read(table, section_named("job"), {job.origin.file, {}, nullptr});
  if (take_memory(job, memory_of(own) + inherited_memory(own))) {
    job.settings = merged_layers(own, job.problems);
    const std::size_t before = memory_of(job.settings);
    reader_.finish(job.settings, vars_of(job.settings));
    const std::size_t after = memory_of(job.settings);
    if (after > before && !take_memory(job, after - before)) keep_identity(job.settings);
  } else {
    keep_identity(own);
    job.settings = std::move(own);
  }
  loaded_.jobs.push_back(std::move(job));
}

// What merged_layers() adds to a job's own settings, at most.
std::size_t ProjectLoader::inherited_memory(const Settings& own) const {
  const Settings& from = own.contains("group") ? own : defaults_;
  const auto given = from.find("group");
  if (given == from.end()) return memory_of_layers_;
  const auto* name = std::get_if<std::string>(&given->second.value);
  const auto group = name == nullptr ? memory_of_groups_.end() : memory_of_groups_.find(*name);
  return memory_of_layers_ + (group == memory_of_groups_.end() ? 0 : group->second);
}

bool ProjectLoader::take_memory(LoadedJob& job, std::size_t bytes) {
  if (memory_of_jobs_ + bytes <= kTextLimits.project) {
    memory_of_jobs_ += bytes;
    return true;
  }
  job.exceeds_memory = true;
  job.problems.push_back(
      {job.origin.file,
       job.origin.line,
       {},
       fmt::format("the job does not run: the jobs read before it and it need more than {} MB of "
                   "memory; shorten lists, defaults, groups and variables, or split the project",
                   kTextLimits.project >> 20)});
  return false;
}

Settings ProjectLoader::merged_layers(const Settings& own, std::vector<Problem>& problems) {
  Settings out = job_limits(loaded_.project_settings);
  overlay(out, defaults_);
  const auto group_given =
      own.contains("group") ? own.find("group") : std::as_const(out).find("group");
  const bool has_group = own.contains("group") || out.contains("group");
  const Setting group_setting = has_group ? group_given->second : Setting{};
  if (const Settings* group = find_group(group_setting, problems)) {
    hide_alternatives(out, *group);
    overlay(out, *group);
  }
  // An empty list may take back the one of a lower layer.
  for (const char* key : {"key", "hash_fields"}) {
    const auto given = own.find(key);
    const auto* names =
        given == own.end() ? nullptr : std::get_if<std::vector<std::string>>(&given->second.value);
    if (names != nullptr && names->empty() && !out.contains(key))
      problems.push_back(
          {given->second.origin.file, given->second.origin.line, given->second.label,
           "the list is empty, as if the key was not there: name fields, or remove it",
           ProblemSeverity::warning});
  }
  hide_alternatives(out, own);
  overlay(out, own);
  return out;
}

const Settings* ProjectLoader::find_group(const Setting& given, std::vector<Problem>& problems) {
  const auto* name = std::get_if<std::string>(&given.value);
  if (given.unfilled != nullptr)  // vars may come from the group
    problems.push_back({given.origin.file, given.origin.line, given.label,
                        "a group's name cannot be filled in from `vars`"});
  if (name == nullptr) return nullptr;
  const auto found = groups_.find(*name);
  if (found != groups_.end()) return &found->second;
  if (!project_file_ok_) return nullptr;  // the unreadable file may define it
  std::vector<std::string_view> known;
  for (const auto& [each, settings] : groups_) known.push_back(each);
  const auto nearest = nearest_name(*name, known);
  problems.push_back({given.origin.file, given.origin.line, given.label,
                      fmt::format("there is no [groups.{}] in heddle.toml{}", *name,
                                  nearest ? fmt::format(", did you mean \"{}\"?", *nearest) : "")});
  return nullptr;
}

void ProjectLoader::build_jobs() {
  const NetworkRules& rules = loaded_.project.network;
  JobBuildContext context{loaded_.project, job_of_presets(), {}, {}};
  if (skips_long_url_files_) context.longest_url_file = kQuicklyRead;
  context.secrets = secrets_of_hosts(loaded_.project_settings);
  if (auto guard = AddressGuard::make(rules, TrafficClass::fetch))
    context.fetch_guard = *std::move(guard);
  if (auto guard = AddressGuard::make(rules, TrafficClass::delivery))
    context.delivery_guard = *std::move(guard);
  std::vector<Job> jobs;
  for (LoadedJob& loaded : loaded_.jobs) {
    if (loaded.settings.empty() && has_errors(loaded.problems)) continue;  // unreadable
    auto job = JobBuilder(context, loaded).build();
    if (job && !take_memory(loaded, memory_of(*job))) job.reset();
    if (loaded.exceeds_memory) keep_identity(loaded.settings);
    // Without its project file a job would run with the wrong defaults.
    loaded.usable = job.has_value() && project_file_ok_;
    if (loaded.usable) jobs.push_back(*std::move(job));
  }
  loaded_.project.jobs = std::move(jobs);
  refuse_shared_ids();
}

void ProjectLoader::drop_unusable_jobs() {
  std::vector<Problem> of_project;
  for (const auto& [path, setting] : loaded_.project_settings)
    if (setting.prevents_running)
      of_project.insert(of_project.end(), setting.problems.begin(), setting.problems.end());
  std::set<std::string> dropped;
  for (LoadedJob& job : loaded_.jobs) {
    job.problems.insert(job.problems.end(), of_project.begin(), of_project.end());
    if (!of_project.empty() || has_errors(job.problems)) job.usable = false;
    if (!job.usable) dropped.insert(job.id.text);
  }
  std::erase_if(loaded_.project.jobs,
                [&](const Job& job) { return dropped.contains(job.id.text); });
  find_shared_pages(loaded_.project.jobs);
}

void ProjectLoader::refuse_shared_ids() {
  std::map<std::string, std::vector<LoadedJob*>> by_id;
  for (LoadedJob& job : loaded_.jobs)
    if (!job.id.text.empty()) by_id[job.id.text].push_back(&job);
  auto& usable = loaded_.project.jobs;
  std::erase_if(usable, [&](const Job& job) { return by_id[job.id.text].size() > 1; });
  std::sort(usable.begin(), usable.end(), [](const Job& a, const Job& b) { return a.id < b.id; });
  for (const auto& [id, jobs] : by_id) {
    if (jobs.size() < 2) continue;
    for (LoadedJob* job : jobs)
      refuse_id(*job, origin_of_id(job == jobs.front() ? *jobs[1] : *jobs.front()));
  }
}

void ProjectLoader::collect_secrets() {
  std::set<std::string> secrets = substitutor_.secrets();
  secrets.merge(literal_secrets(loaded_.project_settings));
  std::vector<Secret> of_project;
  for (const auto& [path, setting] : loaded_.project_settings)
    if (setting.secrets != nullptr)
      of_project.insert(of_project.end(), setting.secrets->used.begin(),
                        setting.secrets->used.end());
  add_host_spellings(of_project, loaded_.project_settings);
  for (const Secret& secret : of_project) secrets.insert(secret.value);
  for (const LoadedJob& job : loaded_.jobs) secrets.merge(literal_secrets(job.settings));
  for (const Job& job : loaded_.project.jobs) {
    for (const Secret& secret : job.secrets) secrets.insert(secret.value);
    for (const std::string& name : job.program.env_pass)
      if (is_secret_variable(name) && environment_.variable)
        secrets.insert(environment_.variable(name).value_or(""));
  }
  secrets.erase("");
  for (const std::string& secret : std::set<std::string>(secrets))
    secrets.merge(secret_parts(secret));
  std::set<std::string> spellings;
  for (const std::string& secret : secrets_with_lines({secrets.begin(), secrets.end()}))
    for (std::string& spelling : secret_encodings(secret)) spellings.insert(std::move(spelling));
  loaded_.project.secrets.assign(spellings.begin(), spellings.end());
}

void ProjectLoader::collect_problems() {
  const auto clean = [this](std::vector<Problem>& problems) {
    for (Problem& each : problems) each.message = redact(each.message, loaded_.project.secrets);
    std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
      const int rank_a = rank_of_file(a.file);
      const int rank_b = rank_of_file(b.file);
      return std::tie(rank_a, a.file, a.line) < std::tie(rank_b, b.file, b.line);
    });
    std::set<Problem> seen;
    std::erase_if(problems, [&](const Problem& each) { return !seen.insert(each).second; });
  };
  auto& all = loaded_.problems;
  all = loaded_.project_problems;
  all.insert(all.end(), file_problems_.begin(), file_problems_.end());
  all.insert(all.end(), loaded_.misnamed.begin(), loaded_.misnamed.end());
  for (LoadedJob& job : loaded_.jobs) {
    clean(job.problems);
    all.insert(all.end(), job.problems.begin(), job.problems.end());
  }
  clean(loaded_.project_problems);
  clean(all);
}

}  // namespace heddle::config
