// `heddle add`: from the address of a page to a job that watches it.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <iostream>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "base/text.hpp"
#include "cli/candidate_table.hpp"
#include "cli/commands.hpp"
#include "cli/progress_printer.hpp"
#include "config/write/job_folder.hpp"
#include "config/write/new_job.hpp"
#include "control/client.hpp"
#include "model/web/url.hpp"
#include "views/run_view.hpp"
#include "views/watch_proposal_view.hpp"

namespace heddle::cli {

namespace {

constexpr std::size_t kRowsOfTheFirst = 5;
constexpr std::size_t kRowsOfOthers = 2;
constexpr std::size_t kRowsOfMany = 1;  // more proposals than this many rows fit on a screen
constexpr std::size_t kFewCandidates = 3;
constexpr int kMaxQuestions = 3;
constexpr std::chrono::seconds kTimeOfDaemon{10};  // to start a run and to end it
constexpr std::chrono::milliseconds kPause{50};    // between two looks at its store

struct WrittenJob {
  std::string id;
  std::string file;
};

// What happened, for --json.
struct AddReport {
  WatchProposal proposal;
  std::optional<std::size_t> picked;  // from 0
  std::optional<WrittenJob> written;
  std::optional<Run> run;
  std::string error;
};

void write_added(JsonWriter& json, const AddReport& report) {
  json.begin_object();
  views::write_watch_proposal_fields(json, report.proposal);
  json.key("picked");
  report.picked ? json.value(*report.picked + 1) : json.null();
  json.key("job");
  report.written ? json.value(report.written->id) : json.null();
  json.key("file");
  report.written ? json.value(report.written->file) : json.null();
  json.key("run");
  if (report.run)
    views::write_run(json, *report.run);
  else
    json.null();
  json.key("error");
  report.error.empty() ? json.null() : json.value(report.error);
  json.end_object();
}

// People paste addresses without a scheme, too.
std::string with_scheme(std::string_view address) {
  const std::string_view text = trim(address);
  const bool has_scheme = text.find("://") != std::string_view::npos || text.starts_with("${");
  return has_scheme ? std::string(text) : "https://" + std::string(text);
}

class WatchAdder {
 public:
  WatchAdder(CommandContext& context, const AddArguments& arguments)
      : context_(context), arguments_(arguments), url_(with_scheme(arguments.url)) {}

  ExitCode run() {
    if (const std::string wrong = wrong_usage(); !wrong.empty())
      return context_.fail(wrong, ExitCode::wrong_usage);
    if (!arguments_.name.empty())
      if (const ExitCode code = check_name(); code != ExitCode::done) return code;
    if (const ExitCode code = look(); code != ExitCode::done) return code;
    if (!arguments_.watch.empty()) keep_wanted_kind();
    const auto& candidates = report_.proposal.candidates;
    if (candidates.empty()) return refuse();
    if (arguments_.pick > candidates.size())
      return stop(fmt::format("there is no proposal {}: the page has {}", arguments_.pick,
                              candidates.size()),
                  ExitCode::wrong_usage);
    warn_of_jobs_with_this_url();
    show();
    if (arguments_.dry_run) return finish();
    if (!choose()) return stop("nothing was written");
    return write_and_run();
  }

 private:
  [[nodiscard]] std::string wrong_usage() const {
    if (arguments_.assume_yes || arguments_.dry_run) return {};
    if (context_.json)
      return "--json does not ask which proposal to take: add --yes, or --dry-run to show the "
             "proposals only";
    if (isatty(STDIN_FILENO) != 1)
      return "there is no terminal to ask: add --yes to take the first proposal, or --dry-run to "
             "show the proposals only";
    return {};
  }

  ExitCode check_name() {
    if (config::new_job_file(arguments_.name).empty())
      return context_.fail(fmt::format("--name '{}' has no letters or digits", arguments_.name),
                           ExitCode::wrong_usage);
    const std::string holder = config::holder_of_job_name(context_.loaded, arguments_.name);
    if (holder.empty()) return ExitCode::done;
    return context_.fail(fmt::format("the project has '{}' already ({}): choose another --name",
                                     arguments_.name, holder));
  }

  // Of the whole project with this job added to it.
  [[nodiscard]] config::Loaded load_with(const config::NewJob& job) const {
    return config::load_project(context_.project_dir, context_.environment,
                                {config::new_job_file(job.name), config::new_job_text(job)});
  }

  // A job that can be fetched: its address and interval are right.
  ExitCode look() {
    config::NewJob draft;
    draft.name = config::unused_job_name(context_.loaded, "new page");
    draft.url = url_;
    draft.interval = arguments_.interval;
    draft.watch.fields = {{"text", "body", "", FieldType::text, ""}};
    config::Loaded loaded = load_with(draft);
    loaded.project.data_dir = context_.loaded.project.data_dir;
    context_.out.hide(loaded.project.secrets);
    context_.err.hide(loaded.project.secrets);
    const Job* job = loaded.project.find_job(to_slug(draft.name));
    if (job == nullptr) return refuse_arguments(loaded, draft.name);
    ProgressLine line(context_.err, std::chrono::milliseconds(0));
    if (context_.err.can_rewrite()) line.show("fetching " + url_);
    auto proposal = context_.backend.propose_watch(loaded.project, *job);
    line.clear();
    if (!proposal) return stop("cannot fetch the page: " + proposal.error().message);
    report_.proposal = *std::move(proposal);
    job_url_ = job->urls.front();
    report_.proposal.url = url_;
    return ExitCode::done;
  }

  ExitCode refuse_arguments(const config::Loaded& loaded, const std::string& name) {
    const config::LoadedJob* job = loaded.find_job(to_slug(name));
    if (job != nullptr)
      for (const config::Problem& problem : job->problems) {
        if (problem.severity != config::ProblemSeverity::error) continue;
        if (problem.key == "interval")
          return context_.fail("--every: " + problem.message, ExitCode::wrong_usage);
        if (problem.key == "url") return context_.fail(problem.message, ExitCode::wrong_usage);
        return context_.fail(config::to_text(problem));  // of heddle.toml
      }
    return context_.fail("a new job cannot be read: see `heddle check`");
  }

  void keep_wanted_kind() {
    const WatchKind wanted = arguments_.watch == "feed" ? WatchKind::feed : WatchKind::items;
    auto& candidates = report_.proposal.candidates;
    if (candidates.empty()) return;
    std::erase_if(candidates, [wanted](const auto& each) { return each.watch != wanted; });
    if (candidates.empty())
      report_.proposal.obstacle = wanted == WatchKind::feed
                                      ? "the page is not a feed"
                                      : "the page is a feed: leave --watch out";
  }

  // The page cannot be watched.
  ExitCode refuse() {
    const WatchProposal& proposal = report_.proposal;
    if (!context_.json) print_page_class(context_.err, proposal);
    const ExitCode code = stop(proposal.obstacle + "; nothing was written");
    if (!context_.json) print_hints();
    return code;
  }

  void warn_of_jobs_with_this_url() {
    for (const Job& job : context_.loaded.project.jobs)
      if (std::find(job.urls.begin(), job.urls.end(), job_url_) != job.urls.end())
        context_.err.line(fmt::format("note: job '{}' fetches this address already", job.id.text));
  }

  ExitCode stop(std::string message, ExitCode code = ExitCode::failed) {
    report_.error = std::move(message);
    if (context_.json) context_.print_json(write_added, report_);
    return context_.fail(report_.error, code);
  }

  ExitCode finish() {
    if (context_.json) return context_.print_json(write_added, report_);
    return ExitCode::done;
  }

  void print_hints() {
    for (const std::string& hint : report_.proposal.hints)
      context_.err.line(fmt::format("{}", hint));
  }

  void show() {
    if (context_.json) return;
    const auto& candidates = report_.proposal.candidates;
    print_page_class(context_.out, report_.proposal);
    const std::size_t rows = candidates.size() > kFewCandidates ? kRowsOfMany : kRowsOfOthers;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const bool is_first = i + 1 == arguments_.pick;
      if (arguments_.assume_yes && !is_first) continue;
      print_candidate(context_.out, candidates[i], i + 1, is_first ? kRowsOfTheFirst : rows);
    }
    context_.out.line("");
    (void)context_.out.finish();  // before a question on standard error
    print_hints();
  }

  // False: nothing shall be written.
  bool choose() {
    report_.picked = arguments_.pick - 1;
    if (arguments_.assume_yes) return true;
    const std::size_t count = report_.proposal.candidates.size();
    for (int asked = 0; asked < kMaxQuestions; ++asked) {
      context_.err.print(count == 1
                             ? std::string("Watch this? [Y/n] ")
                             : fmt::format("Which one? 1 to {}, Enter for {}, n for none: ", count,
                                           arguments_.pick));
      (void)context_.err.finish();
      std::string answer;
      if (!std::getline(std::cin, answer)) break;
      answer = to_lower_ascii(trim(answer));
      if (answer.empty() || answer == "y" || answer == "yes") return true;
      if (answer == "n" || answer == "no" || answer == "q" || answer == "0") break;
      std::size_t number = 0;
      const auto read = std::from_chars(answer.data(), answer.data() + answer.size(), number);
      if (read.ptr == answer.data() + answer.size() && number >= 1 && number <= count) {
        report_.picked = number - 1;
        return true;
      }
    }
    report_.picked.reset();
    return false;
  }

  [[nodiscard]] config::NewJob new_job() const {
    config::NewJob job;
    job.url = url_;
    job.interval = arguments_.interval;
    job.inherits_schedule = config::has_default_schedule(context_.loaded);
    job.watch = report_.proposal.candidates[*report_.picked];
    job.name = arguments_.name;
    if (job.name.empty())
      job.name =
          config::unused_job_name(context_.loaded, config::suggested_job_name(report_.proposal));
    return job;
  }

  ExitCode write_and_run() {
    const config::NewJob job = new_job();
    const config::Loaded loaded = load_with(job);
    if (const Job* read = loaded.project.find_job(to_slug(job.name));
        read == nullptr || !reads_the_same(*read, job.watch))
      return stop(why_unreadable(loaded, job.name) + "; nothing was written");
    const std::string file = config::new_job_file(job.name);
    auto made = config::make_job_folder(context_.project_dir, file, config::new_job_text(job));
    if (!made) return stop(made.error().message);
    report_.written = WrittenJob{to_slug(job.name), file};
    if (!context_.json)
      context_.out.line("wrote " + (context_.project_dir / file).lexically_normal().string());
    return run_baseline();
  }

  [[nodiscard]] static bool reads_the_same(const Job& job, const WatchCandidate& shown) {
    if (job.watch != shown.watch) return false;
    return shown.watch == WatchKind::feed ||
           (job.selector == shown.selector && job.fields == shown.fields);
  }

  static std::string why_unreadable(const config::Loaded& loaded, const std::string& name) {
    const config::LoadedJob* job = loaded.find_job(to_slug(name));
    if (job != nullptr && !job->problems.empty()) return config::to_text(job->problems.front());
    return "[defaults] of heddle.toml sets `selector`, `fields`, `watch` or `json_in` for all "
           "jobs, so the job would not find what was shown: move these keys into a group";
  }

  ExitCode run_baseline() {
    if (auto read = load(context_); !read) return stop(read.error().message);
    const Job* job = context_.loaded.project.find_job(report_.written->id);
    if (job == nullptr)
      return stop("the job that was just written cannot be read: see `heddle check`");
    auto run = first_run(*job);
    if (!run)
      return stop(fmt::format("the first run could not start: {}; try it with `heddle run {}`",
                              run.error().message, job->id.text));
    report_.run = *run;
    if (context_.json) context_.print_json(write_added, report_);
    return report_baseline(*job, *run);
  }

  // A daemon that watches the files has often started the run already.
  Result<Run> first_run(const Job& job) {
    ProgressPrinter progress(context_.err, default_progress_style(context_.json, context_.err));
    auto ran = context_.backend.run_job(context_.loaded.project, {job}, progress);
    progress.finish();
    if (ran) return std::move(ran->run);
    if (ran.error().code == ErrorCode::conflict && has_daemon())
      if (auto run = run_of_daemon(job)) return *std::move(run);
    return std::move(ran).error();
  }

  // Its run, once it has ended; nullopt: none ends soon.
  std::optional<Run> run_of_daemon(const Job& job) {
    const auto give_up = std::chrono::steady_clock::now() + job.timeout + kTimeOfDaemon;
    while (std::chrono::steady_clock::now() < give_up) {
      std::optional<Run> newest;
      if (open_reader(context_))
        (void)context_.reader->for_each_run(job.id, [&newest](const Run& run) {
          newest = run;
          return false;
        });
      if (newest && newest->ended_at) return newest;
      std::this_thread::sleep_for(kPause);
    }
    return std::nullopt;
  }

  ExitCode report_baseline(const Job& job, const Run& run) {
    const bool is_good = run.state == RunState::completed || run.state == RunState::limited;
    if (!is_good) {
      context_.fail(
          fmt::format("the first run {}; see `heddle show {}`", to_text(run.state), job.id.text));
      for (const RunError& error : run.errors) context_.err.line("  " + error.message);
      return ExitCode::failed;
    }
    if (context_.json) return ExitCode::done;
    const bool is_followed = !job.key.empty() || job.watch == WatchKind::feed;
    context_.out.line(fmt::format("{} stored without a message; later runs report {} items",
                                  counted(run.items.seen, "item"),
                                  is_followed ? "new and changed" : "new"));
    context_.out.line("\nNext:");
    const std::string records = "heddle records " + job.id.text;
    const auto next = [&](const std::string& command, std::string_view what) {
      context_.out.line(fmt::format("  {:<{}}  # {}", command, records.size(), what));
    };
    next(records, "the items");
    if (has_daemon())
      next("heddle show " + job.id.text, "the running daemon runs the job from now on");
    else
      next("heddle up", "starts the daemon, which runs the job regularly");
    return ExitCode::done;
  }

  bool has_daemon() {
    const auto daemon = context_.backend.connect(context_.loaded.project);
    return daemon || daemon.error().code != ErrorCode::not_found;
  }

  CommandContext& context_;
  const AddArguments& arguments_;
  std::string url_;      // as it is written into the job
  std::string job_url_;  // as a job has it
  AddReport report_;
};

}  // namespace

ExitCode add_watch(CommandContext& context, const AddArguments& arguments) {
  return WatchAdder(context, arguments).run();
}

}  // namespace heddle::cli
