#include "cli/no_such_job.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "base/text.hpp"

namespace heddle::cli {

namespace {

constexpr std::size_t kListedJobs = 10;
constexpr std::size_t kListedReasons = 3;

// Whether "jobs/NAME/…" is the folder of this name.
bool is_in_folder(const std::string& file, const std::string& name) {
  return file.starts_with("jobs/" + name + "/") || file.find("/" + name + "/") != std::string::npos;
}

std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  if (const auto nearest = nearest_name(name, candidates))
    return fmt::format("; did you mean '{}'?", *nearest);
  const auto shown = std::span(known).first(std::min(known.size(), kListedJobs));
  return fmt::format("; jobs are: {}{}", join(shown, ", "),
                     known.size() > kListedJobs ? ", ..." : "");
}

}  // namespace

std::string first_error(const config::LoadedJob& job) {
  for (const config::Problem& problem : job.problems)
    if (problem.severity == config::ProblemSeverity::error) return config::to_text(problem);
  return job.origin.file;
}

std::vector<std::string> unlisted_jobs(const config::Loaded& loaded) {
  std::vector<std::string> reasons;
  for (const config::LoadedJob& job : loaded.jobs)
    if (!job.usable && job.id.text.empty()) reasons.push_back(first_error(job));
  for (const config::Problem& problem : loaded.misnamed)
    reasons.push_back(problem.file + " " + problem.message);
  return reasons;
}

std::string no_such_job(const std::string& name, const std::vector<std::string>& known,
                        const config::Loaded& loaded) {
  std::string text = fmt::format("there is no job '{}'", name);
  for (const config::Problem& problem : loaded.misnamed)
    if (is_in_folder(problem.file, name))
      return fmt::format("{}: {} {}", text, problem.file, problem.message);
  std::vector<std::string> reasons = unlisted_jobs(loaded);
  if (!known.empty())
    text += suggestion(name, known);
  else if (reasons.empty())
    return text + ": the project has no jobs yet; `heddle add URL` writes one";
  const std::size_t all = reasons.size();
  reasons.resize(std::min(all, kListedReasons));
  for (const std::string& reason : reasons) text += "\n  " + reason;
  if (all > reasons.size())
    text += fmt::format("\n  and {} more: `heddle check` shows all", all - reasons.size());
  return text;
}

}  // namespace heddle::cli
