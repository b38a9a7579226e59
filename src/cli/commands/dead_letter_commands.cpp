// The `heddle dead` commands: list, show, retry, purge.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/progress_printer.hpp"
#include "views/dead_letter_view.hpp"
#include "views/run_view.hpp"

namespace heddle::cli {

namespace {

constexpr std::size_t kCandidates = 11;
constexpr std::size_t kMaxPerMessage = 10'000;  // fit into one message to the daemon

using VisitDeadLetter = store::Reader::VisitDeadLetter;

// Newest first; an empty job selects all jobs.
Status for_each_dead_letter(CommandContext& context, const std::string& job,
                            const VisitDeadLetter& visit) {
  if (job.empty()) return context.reader->for_each_dead_letter({}, visit);
  auto id = find_job_id(context, job);
  if (!id) return std::move(id).error();
  return context.reader->for_each_dead_letter(*id, visit);
}

Result<std::vector<DeadLetter>> dead_letters_of(CommandContext& context, const std::string& job) {
  std::vector<DeadLetter> letters;
  auto read = for_each_dead_letter(context, job, [&letters](const DeadLetter& letter) {
    letters.push_back(letter);
    return true;
  });
  if (!read) return std::move(read).error();
  return letters;
}

// By its id, or by the first digits of its id if no other id begins with them.
Result<DeadLetter> find_dead_letter(store::Reader& reader, DeadLetterId id, bool may_be_prefix) {
  auto found = reader.dead_letter(id);
  if (!found) return std::move(found).error();
  if (*found) return std::move(**found);
  const auto ids = may_be_prefix ? reader.dead_letter_ids(id, kCandidates)
                                 : Result<std::vector<DeadLetterId>>(std::vector<DeadLetterId>());
  if (!ids) return ids.error();
  if (ids->size() == 1) return find_dead_letter(reader, ids->front(), false);
  std::vector<std::string> texts;
  for (const DeadLetterId candidate : *ids) texts.push_back(std::to_string(candidate));
  if (!texts.empty()) return ambiguous_prefix("dead letters", std::to_string(id), texts);
  return Error{ErrorCode::not_found,
               fmt::format("there is no dead letter {}; see `heddle dead list`", id)};
}

// Oldest first, each once.
Result<std::vector<DeadLetter>> select_dead_letters(CommandContext& context,
                                                    const DeadLetterSelection& selection,
                                                    bool may_be_prefixes) {
  if (selection.ids.empty()) {
    auto found = dead_letters_of(context, selection.job);
    if (found) std::reverse(found->begin(), found->end());
    return found;
  }
  std::map<DeadLetterId, DeadLetter> chosen;
  for (const DeadLetterId id : selection.ids) {
    auto letter = find_dead_letter(*context.reader, id, may_be_prefixes);
    if (!letter) return std::move(letter).error();
    chosen.emplace(letter->id, std::move(*letter));
  }
  std::vector<DeadLetter> letters;
  for (auto& [id, letter] : chosen) letters.push_back(std::move(letter));
  return letters;
}

bool is_valid_selection(const DeadLetterSelection& selection) {
  return (selection.ids.empty() ? 0 : 1) + (selection.job.empty() ? 0 : 1) +
             (selection.all ? 1 : 0) ==
         1;
}

// What a retry or a purge works on; the store is closed again.
Result<std::vector<DeadLetter>> open_selected(CommandContext& context,
                                              const DeadLetterSelection& selection,
                                              bool may_be_prefixes) {
  if (auto opened = open_history(context); !opened) return std::move(opened).error();
  auto letters = select_dead_letters(context, selection, may_be_prefixes);
  context.reader.reset();
  return letters;
}

ExitCode refuse_selection(CommandContext& context) {
  return context.fail("no dead letters selected: give ids, --job JOB or --all",
                      ExitCode::wrong_usage);
}

std::string description_of(const DeadLetter& letter) {
  return letter.origin == DeadLetterOrigin::page
             ? letter.payload
             : "message " + letter.delivery.value_or(DeliveryId{}).text;
}

// The result of a retry.
struct Retried {
  std::vector<Run> runs;
  std::int64_t resent = 0;
  std::vector<std::string> errors;
};

template <class Each>
void in_batches(const std::vector<DeadLetterId>& ids, std::size_t size, Each each) {
  for (std::size_t first = 0; first < ids.size(); first += size) {
    const std::size_t last = std::min(ids.size(), first + size);
    each(std::vector<DeadLetterId>(ids.begin() + static_cast<std::ptrdiff_t>(first),
                                   ids.begin() + static_cast<std::ptrdiff_t>(last)));
  }
}

void resend(CommandContext& context, const std::vector<DeadLetterId>& ids, Retried& retried) {
  in_batches(ids, kMaxPerMessage, [&](std::vector<DeadLetterId> batch) {
    auto done = context.backend.act_on_dead_letters(
        context.loaded.project, {control::DeadLetterAction::resend, std::move(batch)});
    if (done)
      retried.resent += done->count;
    else
      retried.errors.push_back(done.error().message);
  });
}

// Starts one run after the other; dead letters of a refused run stay.
void run_pages(CommandContext& context, const JobId& id, const std::vector<DeadLetterId>& ids,
               Retried& retried) {
  const Job* job = find_job(context, id.text);
  if (job == nullptr) {
    retried.errors.push_back(
        fmt::format("job '{}' is missing or has errors (`heddle check`): its "
                    "dead letters were not retried and are kept; correct the job, then repeat "
                    "`heddle dead retry`",
                    id.text));
    return;
  }
  const auto most = std::min(kMaxPerMessage, static_cast<std::size_t>(job->limits.pages_per_run));
  bool is_refused = false;
  in_batches(ids, std::max<std::size_t>(most, 1), [&](std::vector<DeadLetterId> batch) {
    if (is_refused) return;
    ProgressPrinter progress(context.err, default_progress_style(context.json, context.err));
    auto report =
        context.backend.run_job(context.loaded.project, {*job, std::move(batch)}, progress);
    is_refused = !report;
    if (report)
      retried.runs.push_back(std::move(report->run));
    else
      retried.errors.push_back(report.error().message);
  });
}

void write_retried(JsonWriter& json, const Retried& retried) {
  json.begin_object().key("runs").array(retried.runs, views::write_run);
  json.field("resent", retried.resent).field("errors", retried.errors).end_object();
}

void print_text(CommandContext& context, const Retried& retried) {
  for (const Run& run : retried.runs) {
    context.out.line(fmt::format("{}: {} of {} done, {} failed again, run {}", run.job.text,
                                 run.pages.done, counted(run.pages.total, "page"), run.pages.failed,
                                 run.id.text));
    for (const RunError& error : run.errors)
      context.out.line(fmt::format("  {}  {}: {}",
                                   context.out.paint(Colour::red, to_text(error.kind)), error.url,
                                   context.out.fit(error.message, 400)));
  }
  if (retried.resent > 0)
    context.out.line(counted(retried.resent, "message") +
                     " will be sent by the daemon or with the next run");
  for (const std::string& error : retried.errors) context.fail(error);
}

bool has_succeeded(const Retried& retried) {
  return retried.errors.empty() && std::ranges::all_of(retried.runs, [](const Run& run) {
           return run.pages.failed == 0 && run.pages.done + run.pages.skipped == run.pages.total;
         });
}

}  // namespace

namespace {

ExitCode print_dead_letters_json(CommandContext& context, const ListArguments& arguments) {
  JsonArrayPrinter array(context.out);
  std::size_t printed = 0;
  auto read = for_each_dead_letter(context, arguments.job, [&](const DeadLetter& letter) {
    array.add(letter, views::write_dead_letter);
    return ++printed != arguments.limit;
  });
  return read ? array.finish() : context.fail(read.error().message);
}

}  // namespace

ExitCode list_dead_letters(CommandContext& context, const ListArguments& arguments) {
  if (context.json) return print_dead_letters_json(context, arguments);
  TextTable table({"ID", "JOB", context.times().header("FAILED"), "ATTEMPTS", "ERROR", "WHAT"}, 2);
  table.keep_whole_in_pipes();
  table.stream_to(context.out);
  std::size_t printed = 0;
  auto read = for_each_dead_letter(context, arguments.job, [&](const DeadLetter& letter) {
    table.add({std::to_string(letter.id), letter.job.text,
               context.times().text(letter.last_failed_at), std::to_string(letter.attempts),
               letter.error_kind, description_of(letter)});
    return ++printed != arguments.limit;
  });
  if (!read) return context.fail(read.error().message);
  if (table.is_empty()) {
    context.out.line("no dead letters");
    return ExitCode::done;
  }
  table.print(context.out);
  if (printed == arguments.limit)
    context.err.line(fmt::format("showing the newest {}; --limit 0 shows all", arguments.limit));
  return ExitCode::done;
}

ExitCode show_dead_letter(CommandContext& context, DeadLetterId id) {
  auto letter = find_dead_letter(*context.reader, id, true);
  if (!letter) return context.fail(letter.error().message);
  if (context.json) return context.print_json(views::write_dead_letter, *letter);
  const auto line = [&context](std::string_view name, std::string_view value) {
    context.out.line(fmt::format("  {:<14}{}", name, value));
  };
  context.out.line(context.out.paint(Colour::bold, description_of(*letter)));
  line("job", letter->job.text);
  line("run", letter->run.text);
  line("error", letter->error_kind + ": " + letter->error);
  line("attempts", std::to_string(letter->attempts));
  line("first failed", context.times().full_text(letter->first_failed_at));
  line("last failed", context.times().full_text(letter->last_failed_at));
  if (!letter->slot.empty()) line("worker", letter->slot);
  if (letter->origin == DeadLetterOrigin::delivery) line("message", letter->payload);
  line("try again", fmt::format("heddle dead retry {}", letter->id));
  return ExitCode::done;
}

ExitCode retry_dead_letters(CommandContext& context, const DeadLetterSelection& selection) {
  if (!is_valid_selection(selection)) return refuse_selection(context);
  auto selected = open_selected(context, selection, true);
  if (!selected) return context.fail(selected.error().message);
  std::map<JobId, std::vector<DeadLetterId>> pages;
  std::vector<DeadLetterId> messages;
  for (const DeadLetter& letter : *selected)
    (letter.origin == DeadLetterOrigin::page ? pages[letter.job] : messages).push_back(letter.id);
  Retried retried;
  resend(context, messages, retried);
  for (const auto& [job, ids] : pages) run_pages(context, job, ids, retried);
  if (context.json)
    context.print_json(write_retried, retried);
  else if (selected->empty())
    context.out.line("no dead letters");
  else
    print_text(context, retried);
  return has_succeeded(retried) ? ExitCode::done : ExitCode::failed;
}

ExitCode purge_dead_letters(CommandContext& context, const DeadLetterSelection& selection) {
  if (!is_valid_selection(selection)) return refuse_selection(context);
  auto selected = open_selected(context, selection, false);  // whole ids: there is no way back
  if (!selected) return context.fail(selected.error().message);
  std::vector<DeadLetterId> ids;
  for (const DeadLetter& letter : *selected) ids.push_back(letter.id);
  std::int64_t purged = 0;
  Status failure = Done{};
  in_batches(ids, kMaxPerMessage, [&](std::vector<DeadLetterId> batch) {
    if (!failure) return;
    auto done = context.backend.act_on_dead_letters(
        context.loaded.project, {control::DeadLetterAction::purge, std::move(batch)});
    if (done)
      purged += done->count;
    else
      failure = std::move(done).error();
  });
  if (!failure) return context.fail(failure.error().message);
  if (context.json)
    return context.print_json(
        [purged](JsonWriter& json) { json.begin_object().field("purged", purged).end_object(); });
  context.out.line(counted(purged, "dead letter") + " deleted");
  return ExitCode::done;
}

}  // namespace heddle::cli
