#include "cli/job_selection.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace heddle::cli {

namespace {

using views::JobView;

std::vector<views::InvalidJob> invalid_jobs(const config::Loaded& loaded) {
  std::vector<views::InvalidJob> invalid;
  for (const config::LoadedJob& job : loaded.jobs)
    if (!job.usable)
      invalid.push_back({job.id, job.name, job.directory.filename().string(), first_error(job)});
  return invalid;
}

bool matches(const JobView& job, const JobSelection& selection) {
  if (!selection.tag.empty() &&
      std::find(job.tags.begin(), job.tags.end(), selection.tag) == job.tags.end())
    return false;
  if (!selection.group.empty() && job.group != selection.group) return false;
  return selection.state.empty() || to_text(job.status.state) == selection.state ||
         to_text(job.status.check) == selection.state;
}

// The job whose active run has this id; the error `no_job` when there is no such run.
Result<JobId> job_of_run(const std::vector<JobView>& jobs, store::Reader& reader,
                         const std::string& name, Error no_job) {
  for (const JobView& job : jobs)
    if (job.status.run && job.status.run->text == name) return job.id;
  auto run = reader.run(RunId{name});
  if (!run) return std::move(run).error();
  if (!*run) return no_job;
  if (!(*run)->ended_at) return (*run)->job;
  return Error{ErrorCode::conflict,
               fmt::format("run {} of job '{}' has ended: {} at {}", name, (*run)->job.text,
                           to_text((*run)->state), to_iso8601(*(*run)->ended_at))};
}

}  // namespace

Result<std::vector<JobView>> select_jobs(const ProjectHistory& history,
                                         const JobSelection& selection) {
  store::Reader& reader = *history.reader;
  auto jobs = views::read_jobs(reader, history.loaded.project.jobs, invalid_jobs(history.loaded));
  if (!jobs) return jobs;
  std::set<JobId> named;
  for (const std::string& name : selection.names) {
    auto id = find_job_id(history, name);
    if (!id && selection.may_name_runs) id = job_of_run(*jobs, reader, name, id.error());
    if (!id) return std::move(id).error();
    named.insert(std::move(*id));
  }
  std::erase_if(*jobs, [&named, &selection](const JobView& job) {
    return (!named.empty() && !named.contains(job.id)) || !matches(job, selection);
  });
  for (JobView& job : *jobs)
    if (auto read = views::read_runs(reader, job); !read) return std::move(read).error();
  return jobs;
}

}  // namespace heddle::cli
