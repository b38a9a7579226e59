#include "config/load_project.hpp"

#include <algorithm>

#include "config/load_for_reading.hpp"
#include "config/read/files/project_loader.hpp"

namespace heddle::config {

Loaded load_project(const std::filesystem::path& root, const Environment& environment) {
  return ProjectLoader(root, environment).load();
}

Loaded load_project(const std::filesystem::path& root, const Environment& environment,
                    std::string settings_text) {
  ProjectLoader loader(root, environment);
  loader.use_settings(std::move(settings_text));
  return loader.load();
}

Loaded load_project(const std::filesystem::path& root, const Environment& environment,
                    DraftFile draft) {
  ProjectLoader loader(root, environment);
  loader.use_draft(std::move(draft));
  return loader.load();
}

Loaded load_for_reading(const std::filesystem::path& root, const Environment& environment) {
  ProjectLoader loader(root, environment);
  loader.skip_long_url_files();
  return loader.load();
}

Loaded load_settings(const std::filesystem::path& root, const Environment& environment,
                     std::string settings_text) {
  ProjectLoader loader(root, environment);
  loader.use_settings(std::move(settings_text));
  return loader.load_settings();
}

const LoadedJob* Loaded::find_job(std::string_view name) const {
  const auto find_where = [this](auto matches) -> const LoadedJob* {
    const auto found = std::find_if(jobs.begin(), jobs.end(), matches);
    return found == jobs.end() ? nullptr : &*found;
  };
  if (name.empty()) return nullptr;
  if (const auto* job = find_where([&](const LoadedJob& each) { return each.id.text == name; }))
    return job;
  if (const auto* job = find_where([&](const LoadedJob& each) { return each.name == name; }))
    return job;
  const auto folder = (std::filesystem::path(name) / "").lexically_normal().parent_path();
  return find_where([&](const LoadedJob& each) {
    return !each.directory.empty() &&
           (each.directory == folder || each.directory.lexically_relative(project.root) == folder ||
            each.directory.lexically_relative(project.root / "jobs") == folder);
  });
}

}  // namespace heddle::config
