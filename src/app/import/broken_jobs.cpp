#include "app/import/broken_jobs.hpp"

#include <algorithm>

#include "app/import/spyweb_files.hpp"
#include "base/text.hpp"

namespace heddle::app {

namespace {

// What tells the records of the job from those of others cannot be read.
bool is_unidentified(const config::LoadedJob& job) {
  const auto hashed = job.settings.find("hash_fields");
  return job.id.text.empty() ||
         (hashed != job.settings.end() && config::has_errors(hashed->second.problems));
}

// All of them: the job is left out until none is left.
std::string errors_of(const std::vector<config::Problem>& problems, std::string_view file) {
  std::vector<std::string> texts;
  for (const config::Problem& problem : problems)
    if (problem.severity == config::ProblemSeverity::error && problem.file == file)
      texts.push_back(config::to_text(problem));
  return join(texts, "; ");
}

}  // namespace

std::string place_of(const config::LoadedJob& job) {
  return job.directory.empty() ? kSpywebJobsFile : "jobs/" + job.directory.filename().string();
}

std::vector<cli::UnreadableJob> broken_jobs(const config::Loaded& staged) {
  std::vector<cli::UnreadableJob> broken;
  bool is_jobs_file_read = false;
  for (const config::LoadedJob& job : staged.jobs) {
    const std::string place = place_of(job);
    is_jobs_file_read = is_jobs_file_read || job.directory.empty();
    const bool is_listed =
        std::ranges::find(broken, place, &cli::UnreadableJob::place) != broken.end();
    if (is_unidentified(job) && !is_listed)
      broken.push_back({place, errors_of(job.problems, job.origin.file)});
  }
  const std::string error = errors_of(staged.problems, kSpywebJobsFile);
  if (!is_jobs_file_read && !error.empty()) broken.push_back({kSpywebJobsFile, error});
  return broken;
}

}  // namespace heddle::app
