#include "cli/log_reader.hpp"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

#include <sys/resource.h>

namespace heddle::cli {

namespace {

// Followed files stay open, so that no line is lost when one is rotated.
void allow_all_descriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  (void)setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

LogReader::LogReader(store::Reader& reader, JobId job, std::filesystem::path data_dir,
                     std::size_t max)
    : reader_(&reader),
      job_(std::move(job)),
      data_dir_(std::move(data_dir)),
      max_(max),
      daemon_(data_dir_ / "daemon.log", max) {
  if (job_.text.empty())
    allow_all_descriptors();
  else
    add_job(job_.text);
}

void LogReader::add_job(const std::string& job) {
  const auto folder = data_dir_ / "jobs" / job;
  jobs_.try_emplace(job, JobFiles{{folder / "job.log", max_}, {folder / "output.log", max_}});
}

void LogReader::find_jobs() {
  std::error_code missing;
  for (std::filesystem::directory_iterator each(data_dir_ / "jobs", missing), end;
       !missing && each != end; each.increment(missing))
    add_job(each->path().filename().string());
}

Result<std::vector<LogLine>> LogReader::read_new() {
  auto events = reader_->job_events(job_, last_event_, max_);
  if (!events) return std::move(events).error();
  // Within a millisecond a run ends after what it wrote.
  std::vector<LogLine> lines;
  std::vector<LogLine> endings;
  std::map<std::string, WallTime> ended_at;  // by job
  for (const store::StoredEvent& event : *events) {
    last_event_ = event.id;
    if (event.kind == "run.ended") ended_at[event.job.text] = event.at;
    const auto ended = ended_at.find(event.job.text);
    const bool is_ending = ended != ended_at.end() && ended->second == event.at;
    (is_ending ? endings : lines).push_back(event_line(event));
  }
  if (job_.text.empty()) {
    find_jobs();
    for (LogLine& line : daemon_.read_new()) lines.push_back(daemon_line(std::move(line)));
  }
  for (auto& [job, files] : jobs_) {
    for (LogLine& line : files.scripts.read_new())
      lines.push_back(script_line(std::move(line), job));
    for (LogLine& line : files.programs.read_new())
      lines.push_back(program_line(std::move(line), job));
  }
  std::ranges::move(endings, std::back_inserter(lines));
  std::stable_sort(lines.begin(), lines.end(),
                   [](const LogLine& a, const LogLine& b) { return a.at < b.at; });
  return lines;
}

}  // namespace heddle::cli
