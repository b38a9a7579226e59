#include "model/job/job.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace heddle {

std::string_view to_text(JobKind kind) {
  if (kind == JobKind::command) return "command";
  return kind == JobKind::service ? "service" : "web";
}

const Job* Project::find_job(std::string_view name) const {
  const auto find_where = [this](auto matches) -> const Job* {
    const auto found = std::find_if(jobs.begin(), jobs.end(), matches);
    return found == jobs.end() ? nullptr : &*found;
  };
  if (const Job* by_id = find_where([&](const Job& job) { return job.id.text == name; }))
    return by_id;
  if (const Job* by_name = find_where([&](const Job& job) { return job.name == name; }))
    return by_name;
  auto folder = std::filesystem::path(name).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();  // "jobs/shop/", as shells complete it
  return find_where([&](const Job& job) {
    if (job.directory.empty()) return false;
    return job.directory == folder || job.directory.lexically_relative(root) == folder ||
           job.directory.lexically_relative(root / "jobs") == folder;
  });
}

std::filesystem::path Project::job_data_dir(const Job& job) const {
  return data_dir / "jobs" / job.id.text;
}

std::uint64_t mark_of(const JobId& job) {
  return hash64(job.text) | 1U;
}

}  // namespace heddle
