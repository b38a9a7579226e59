// `heddle diff`: what differs between two versions of a page.
#include <algorithm>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/commands/diff_printer.hpp"
#include "views/diff_view.hpp"

namespace heddle::cli {

namespace {

constexpr std::size_t kAllVersions = 1'000'000;

// A page of a job, as the user named it.
struct NamedPage {
  JobId job;
  std::string url;
};

bool is_url(const std::string& text) {
  return text.find("://") != std::string::npos;
}

Result<bool> has_versions(CommandContext& context, const JobId& job, const std::string& url) {
  auto versions = context.reader->versions(job, url, 1);
  if (!versions) return std::move(versions).error();
  return !versions->empty();
}

Result<NamedPage> find_page_of_job(CommandContext& context, const std::string& name) {
  auto job = find_job_id(context, name);
  if (!job) return std::move(job).error();
  auto pages = context.reader->pages_by_version(*job, 1);
  if (!pages) return std::move(pages).error();
  if (pages->empty())
    return Error{ErrorCode::not_found, "no version of a page of job '" + job->text +
                                           "' is kept: it has not run yet, or snapshots = "
                                           "\"none\""};
  return NamedPage{*std::move(job), std::move(pages->front())};
}

Result<NamedPage> find_page(CommandContext& context, const DiffArguments& arguments) {
  if (!is_url(arguments.page)) return find_page_of_job(context, arguments.page);
  std::vector<JobId> watching;
  if (!arguments.job.empty()) {
    auto job = find_job_id(context, arguments.job);
    if (!job) return std::move(job).error();
    watching.push_back(*std::move(job));
  } else {
    auto jobs = context.reader->jobs();
    if (!jobs) return std::move(jobs).error();
    for (const store::JobName& job : *jobs) {
      auto has_any = has_versions(context, job.id, arguments.page);
      if (!has_any) return std::move(has_any).error();
      if (*has_any) watching.push_back(job.id);
    }
  }
  if (watching.empty())
    return Error{ErrorCode::not_found, "no version of " + arguments.page +
                                           " is kept; write the URL as the job has it, or name "
                                           "the job"};
  if (watching.size() == 1) return NamedPage{watching.front(), arguments.page};
  std::string names;
  for (const JobId& job : watching) names += (names.empty() ? "" : ", ") + job.text;
  return Error{ErrorCode::bad_input,
               "several jobs watch " + arguments.page + ": name one with --job: " + names};
}

ExitCode print_versions(CommandContext& context, const std::vector<PageVersion>& versions) {
  if (context.json) return context.print_json_array(versions, views::write_version);
  TextTable table({"VERSION", context.times().header("TIME"), "BYTES", "RUN"}, 1);
  for (const PageVersion& version : versions)
    table.add({std::to_string(version.id), context.times().text(version.at),
               std::to_string(version.bytes), version.run.text});
  table.print(context.out);
  return ExitCode::done;
}

const PageVersion* find_version(const std::vector<PageVersion>& versions, std::int64_t id) {
  const auto found = std::ranges::find(versions, id, &PageVersion::id);
  return found == versions.end() ? nullptr : &*found;
}

Error no_such_version(std::int64_t id) {
  return {ErrorCode::not_found,
          fmt::format("the page has no version {}; `heddle diff PAGE --versions` lists them", id)};
}

// Sets which versions are compared: by default the newest with the one before it.
Status choose_versions(const std::vector<PageVersion>& versions, const DiffArguments& arguments,
                       PageDiff& diff) {
  const PageVersion* to =
      arguments.to == 0 ? &versions.front() : find_version(versions, arguments.to);
  if (to == nullptr) return no_such_version(arguments.to);
  diff.to = *to;
  if (arguments.from != 0) {
    const PageVersion* from = find_version(versions, arguments.from);
    if (from == nullptr) return no_such_version(arguments.from);
    diff.from = *from;
  } else if (to != &versions.back()) {
    diff.from = *(to + 1);
  }
  return Done{};
}

Result<std::string> body_of(CommandContext& context, const NamedPage& page, std::int64_t version) {
  auto body = context.reader->version_body(page.job, page.url, version);
  if (!body) return std::move(body).error();
  if (!*body) return no_such_version(version);
  return **std::move(body);
}

Status compare(CommandContext& context, const NamedPage& page, PageDiff& diff) {
  if (!diff.from) return Done{};
  auto before = body_of(context, page, diff.from->id);
  if (!before) return std::move(before).error();
  auto after = body_of(context, page, diff.to.id);
  if (!after) return std::move(after).error();
  Job unknown;  // of a job that is no longer configured: the whole page
  unknown.watch = WatchKind::text;
  const Job* job = context.loaded.project.find_job(page.job.text);
  auto lines = context.backend.diff_bodies(job == nullptr ? unknown : *job, *before, *after);
  if (!lines) return std::move(lines).error();
  diff.lines = *std::move(lines);
  return Done{};
}

void print_heading(CommandContext& context, const PageDiff& diff) {
  context.out.line(context.out.paint(Colour::bold, diff.url));
  if (!diff.from) {
    context.out.line(fmt::format("version {} of {} is the only one: nothing to compare with",
                                 diff.to.id, context.times().full_text(diff.to.at)));
    return;
  }
  context.out.line(fmt::format("version {} of {} -> version {} of {}", diff.from->id,
                               context.times().text(diff.from->at), diff.to.id,
                               context.times().full_text(diff.to.at)));
  if (diff.lines.empty()) context.out.line("the texts are the same: only the markup differs");
}

}  // namespace

ExitCode show_diff(CommandContext& context, const DiffArguments& arguments) {
  auto page = find_page(context, arguments);
  if (!page) return context.fail(page.error().message);
  auto versions = context.reader->versions(page->job, page->url, kAllVersions);
  if (!versions) return context.fail(versions.error().message);
  if (versions->empty())
    return context.fail("job '" + page->job.text + "' keeps no version of " + page->url);
  if (arguments.lists_versions) return print_versions(context, *versions);
  PageDiff diff{.job = page->job, .url = page->url, .from = {}, .to = {}, .lines = {}};
  if (auto chosen = choose_versions(*versions, arguments, diff); !chosen)
    return context.fail(chosen.error().message);
  if (auto compared = compare(context, *page, diff); !compared)
    return context.fail(compared.error().message);
  if (context.json) return context.print_json(views::write_diff, diff);
  print_heading(context, diff);
  print_diff(context.out, diff.lines);
  return ExitCode::done;
}

}  // namespace heddle::cli
