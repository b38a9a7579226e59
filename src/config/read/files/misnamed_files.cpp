#include "config/read/files/misnamed_files.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "base/text.hpp"

namespace heddle::config {

namespace {

constexpr std::string_view kJobFile = "config.toml";
constexpr std::array<std::string_view, 3> kScripts{"hooks.lua", "defer.lua", "tests.lua"};
constexpr std::array<std::string_view, 3> kOfProject{"heddle.toml", "jobs.toml", "jobs"};

bool contains(std::span<const std::string> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The name that is probably meant, whatever its letters' case; nullopt: none, or it is there too.
std::optional<std::string_view> meant_by(const std::string& name,
                                         std::span<const std::string_view> known,
                                         std::span<const std::string> names) {
  const auto nearest = nearest_name(to_lower_ascii(name), known);
  if (!nearest || *nearest == name || contains(names, *nearest)) return std::nullopt;
  // "heddle.log" is near to "heddle.toml", but another kind of file.
  const std::string_view extension = nearest->substr(std::min(nearest->find('.'), nearest->size()));
  const bool has_kind = to_lower_ascii(name).find(extension.substr(0, 2)) != std::string::npos;
  return has_kind ? nearest : std::nullopt;
}

bool may_be_job_file(const std::string& name) {
  const std::string lower = to_lower_ascii(name);
  if (lower.ends_with(".toml")) return true;
  const std::string_view known[] = {kJobFile};
  return nearest_name(lower, known).has_value();
}

std::string job_file_message(const std::string& name, JobFolderKind kind) {
  if (kind == JobFolderKind::job)
    return "is not read: the file of a job must be called config.toml; rename this file";
  const std::string stem = name.substr(0, name.find('.'));
  return fmt::format(
      "is not read: a job is a folder with a config.toml; move it to jobs/{}/config.toml",
      stem.empty() ? "NAME" : stem);
}

}  // namespace

std::vector<MisnamedFile> misnamed_job_files(const std::vector<std::string>& names,
                                             JobFolderKind kind) {
  std::vector<MisnamedFile> found;
  const bool is_job = contains(names, kJobFile);
  for (const std::string& name : names)
    if (!is_job && may_be_job_file(name)) found.push_back({name, job_file_message(name, kind)});
  for (const std::string& name : names)
    if (const auto script = meant_by(name, kScripts, names))
      found.push_back(
          {name,
           fmt::format("is not loaded by itself: the scripts of a job are hooks.lua, "
                       "defer.lua and tests.lua; rename it to {} if it is meant to be that file",
                       *script)});
  if (is_job || !found.empty()) return found;
  for (const std::string_view script : kScripts)
    if (contains(names, script)) {
      found.push_back(
          {std::string(script), "is not read: no config.toml beside it makes this folder a job"});
      break;
    }
  return found;
}

std::vector<MisnamedFile> misnamed_project_files(const std::vector<std::string>& names) {
  std::vector<MisnamedFile> found;
  for (const std::string& name : names) {
    if (name == kJobFile)
      found.push_back({name,
                       "is not read here: the file of a job is jobs/NAME/config.toml, settings of "
                       "the project are in heddle.toml"});
    else if (const auto meant = meant_by(name, kOfProject, names))
      found.push_back(
          {name,
           fmt::format("is not read: rename it to {} if it is meant to be that file", *meant)});
  }
  return found;
}

}  // namespace heddle::config
