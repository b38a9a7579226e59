#include "pipeline/scripts/script_host.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/environment_variable.hpp"
#include "base/log/redact.hpp"
#include "base/text.hpp"

namespace heddle::pipeline {

namespace {

Rotation rotation_of(const Project& project) {
  return {static_cast<std::uint64_t>(project.log.size), project.log.keep};
}

}  // namespace

std::optional<std::string> script_variable(std::string_view key) {
  // SpyWeb's own settings, the key of its server among them.
  constexpr std::array<std::string_view, 4> kHidden{"API_KEY", "PORT", "DISABLE_SERVER", "THREADS"};
  const std::string name(key);
  if (auto value = environment_variable("HEDDLE_ENV_" + name)) return value;
  if (std::ranges::find(kHidden, key) != kHidden.end()) return std::nullopt;
  return environment_variable("SPYWEB_" + name);
}

JailFolders script_folders(const Project& project, const Job& job) {
  JailFolders folders;
  folders.project = project.root;
  folders.job = job.directory.empty() ? project.job_data_dir(job) : job.directory;
  folders.shared = project.root / "shared";
  return folders;
}

ScriptHost::ScriptHost(const Project& project, const Job& job, const Clock& clock, Log& live)
    : clock_(clock),
      live_(live),
      job_(job.id.text),
      secrets_(project.secrets),
      jail_(std::make_shared<const FileJail>(script_folders(project, job))),
      file_(project.job_data_dir(job) / "job.log", rotation_of(project)) {}

void ScriptHost::log(std::string_view line) {
  log_to_file(line);
  log_live(LogLevel::info, line, true);
}

void ScriptHost::print(std::string_view line) {
  log_live(LogLevel::info, line, false);
}

void ScriptHost::warn(std::string_view message) {
  log_to_file("warning: " + std::string(message));
  log_live(LogLevel::warning, message, true);
}

void ScriptHost::log_live(LogLevel level, std::string_view text, bool is_in_job_log) {
  const std::string line = fmt::format("[{}] {}", job_, text);
  live_.write({.level = level,
               .text = line,
               .about = {.job = job_},
               .is_in_job_log = is_in_job_log && !has_warned_});
}

// A full disk must not end a script; it is logged once.
void ScriptHost::log_to_file(std::string_view line) {
  auto written = file_.append(to_iso8601(clock_.now()) + " " + redact(line, secrets_));
  if (written || has_warned_) return;
  has_warned_ = true;
  log_live(LogLevel::warning, written.error().message, false);
}

std::optional<std::string> ScriptHost::env(std::string_view key) {
  return script_variable(key);
}

Result<script::ScriptSource> ScriptHost::module(std::string_view name) {
  auto found = jail_->read_module(name);
  remember_module(name, found ? std::optional(hash128(found->text)) : std::nullopt);
  if (!found) return std::move(found).error();
  return script::ScriptSource{std::move(found->name), std::move(found->text)};
}

// Only the first load counts: a script may require an optional module in every cycle.
void ScriptHost::remember_module(std::string_view name, std::optional<Hash128> text_hash) {
  const bool is_known = std::any_of(modules_.begin(), modules_.end(),
                                    [&](const LoadedModule& read) { return read.name == name; });
  if (!is_known) modules_.push_back({std::string(name), text_hash});
}

bool ScriptHost::is_up_to_date() const {
  return std::all_of(modules_.begin(), modules_.end(), [this](const LoadedModule& read) {
    const auto now = jail_->read_module(read.name);
    return read.text_hash == (now ? std::optional(hash128(now->text)) : std::nullopt);
  });
}

}  // namespace heddle::pipeline
