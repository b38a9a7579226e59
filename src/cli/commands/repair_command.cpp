// `heddle repair`: new selectors for a job whose page has changed.
#include <algorithm>
#include <chrono>
#include <deque>
#include <iostream>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "base/text.hpp"
#include "cli/candidate_table.hpp"
#include "cli/commands.hpp"
#include "config/read/values/toml_value.hpp"
#include "config/write/edit_selectors.hpp"
#include "config/write/field_text.hpp"
#include "config/write/job_folder.hpp"
#include "views/watch_proposal_view.hpp"

namespace heddle::cli {

namespace {

constexpr std::size_t kKnownItems = 200;
constexpr std::size_t kShownRows = 5;

// The change of one file.
struct FileEdit {
  std::string name;  // relative to the project
  std::string before;
  std::string after;
};

struct SelectorRepair {
  std::string job;
  RepairProposal proposal;
  std::optional<FileEdit> edit;
  bool is_written = false;
  std::string error;
};

void write_changed_line(JsonWriter& json, const config::ChangedLine& line) {
  json.begin_object().field("line", line.line);
  json.field("change", line.is_removed ? "removed" : "added");
  json.field("text", line.text).end_object();
}

void write_repair(JsonWriter& json, const SelectorRepair& report) {
  json.begin_object().field("job_id", report.job);
  views::write_repair_proposal_fields(json, report.proposal);
  json.key("file");
  report.edit ? json.value(report.edit->name) : json.null();
  json.key("changes");
  const auto changes = report.edit ? config::changed_lines(report.edit->before, report.edit->after)
                                   : std::vector<config::ChangedLine>();
  json.array(changes, write_changed_line);
  json.field("written", report.is_written).key("error");
  report.error.empty() ? json.null() : json.value(report.error);
  json.end_object();
}

class JobRepairer {
 public:
  JobRepairer(CommandContext& context, const RepairArguments& arguments)
      : context_(context), arguments_(arguments) {}

  ExitCode run() {
    if (const std::string wrong = wrong_usage(); !wrong.empty())
      return context_.fail(wrong, ExitCode::wrong_usage);
    job_ = find_job(context_, arguments_.job);
    if (job_ == nullptr) return ExitCode::failed;
    written_ = context_.loaded.find_job(job_->id.text);
    report_.job = job_->id.text;
    if (const std::string reason = why_not(); !reason.empty()) return stop(reason);
    if (auto looked = look(); !looked) return stop(looked.error().message);
    const RepairProposal& proposal = report_.proposal;
    if (!proposal.is_needed()) return report_that_all_is_well();
    if (!proposal.obstacle.empty()) return stop(proposal.obstacle);
    if (auto edited = edit_file(); !edited) return stop(edited.error().message);
    show();
    if (arguments_.dry_run) return finish();
    if (!is_confirmed()) return stop("nothing was written");
    return write();
  }

 private:
  [[nodiscard]] std::string wrong_usage() const {
    if (arguments_.assume_yes || arguments_.dry_run) return {};
    if (context_.json)
      return "--json does not ask: add --yes, or --dry-run to show the changes only";
    if (isatty(STDIN_FILENO) != 1)
      return "there is no terminal to ask: add --yes to write the new selectors, or --dry-run to "
             "show the changes only";
    return {};
  }

  [[nodiscard]] std::string why_not() const {
    const std::string& id = job_->id.text;
    if (job_->kind != JobKind::web)
      return fmt::format("job '{}' runs a program: only web jobs have selectors to repair", id);
    if (job_->watch != WatchKind::items || job_->fields.empty())
      return fmt::format(
          "job '{}' has no selectors to repair (watch = \"feed\", or a script extracts the items)",
          id);
    const bool has_json = !job_->json_in.selector.empty() ||
                          selector_kind(job_->selector) == SelectorKind::json_path ||
                          job_->fields.front().kind == SelectorKind::json_path;
    if (has_json)
      return fmt::format(
          "job '{}' uses JSONPaths: `heddle repair` finds only CSS and XPath selectors; change "
          "them by hand",
          id);
    if (job_->selector.empty())
      return fmt::format(
          "job '{}' has no `selector`: `heddle repair` works only for lists; change `fields` by "
          "hand",
          id);
    return {};
  }

  // Fetches the page and compares it with the stored items.
  Status look() {
    if (auto opened = open_reader(context_); !opened) return opened;
    std::deque<Item> items;  // the newest last
    auto read = context_.reader->for_each_record(job_->id, std::nullopt, [&](const Record& record) {
      if (record.url == job_->urls.front()) items.push_front(record.item);
      return items.size() < kKnownItems;
    });
    if (!read) return read;
    context_.reader.reset();
    ProgressLine line(context_.err, std::chrono::milliseconds(0));
    if (context_.err.can_rewrite()) line.show("fetching " + job_->urls.front());
    auto proposal = context_.backend.propose_repair(context_.loaded.project, *job_,
                                                    {items.begin(), items.end()});
    line.clear();
    if (!proposal)
      return Error{proposal.error().code, "cannot fetch the page: " + proposal.error().message};
    report_.proposal = *std::move(proposal);
    return Done{};
  }

  // Where a key of the job is written; an error with its new value when that is not in the job's
  // own file.
  Result<config::Origin> place_of(const char* key, const std::string& value) const {
    const auto setting = written_->settings.find(key);
    if (setting == written_->settings.end())
      return Error{ErrorCode::bad_input,
                   fmt::format("job '{}' has no `{}`: add `{} = {}` to {}", job_->id.text, key, key,
                               value, written_->origin.file)};
    if (setting->second.origin.file != written_->origin.file)
      return Error{ErrorCode::bad_input,
                   fmt::format("`{}` of job '{}' is set in {}, which `heddle repair` does not "
                               "change: set it there to {}",
                               key, job_->id.text, setting->second.origin.text(), value)};
    return setting->second.origin;
  }

  static std::string text_of(const std::vector<FieldRule>& fields) {
    std::vector<std::string> texts;
    for (const FieldRule& field : fields) texts.push_back(config::field_text(field));
    return "[" + join(texts, ", ") + "]";
  }

  Status edit_file() {
    const WatchCandidate& found = *report_.proposal.found;
    config::SelectorEdit edit;
    if (found.selector != job_->selector) {
      auto place = place_of("selector", config::in_quotes(found.selector));
      if (!place) return std::move(place).error();
      edit.selector_line = place->line;
      edit.selector = found.selector;
    }
    if (found.fields != job_->fields) {
      auto place = place_of("fields", text_of(found.fields));
      if (!place) return std::move(place).error();
      edit.fields_line = place->line;
      for (std::size_t i = 0; i < found.fields.size(); ++i) {
        const bool stays = found.fields[i] == job_->fields[i];
        edit.fields.push_back(stays ? std::nullopt : std::optional(found.fields[i]));
      }
    }
    auto before = config::read_job_file(context_.project_dir / written_->origin.file);
    if (!before) return std::move(before).error();
    auto after = config::edit_selectors(*before, edit);
    if (!after)
      return std::move(after.error())
          .during(fmt::format("{} (new selector: {})", written_->origin.file, found.selector));
    report_.edit = FileEdit{written_->origin.file, *std::move(before), *std::move(after)};
    return check_edit(found);
  }

  // The loader reads the new text as it was shown, and everything else as before.
  Status check_edit(const WatchCandidate& found) {
    const config::Loaded loaded = config::load_project(context_.project_dir, context_.environment,
                                                       {report_.edit->name, report_.edit->after});
    const Job* job = loaded.project.find_job(job_->id.text);
    const bool is_right = job != nullptr && job->selector == found.selector &&
                          job->fields == found.fields && nothing_else_differs(loaded);
    if (is_right) return Done{};
    report_.edit.reset();
    return Error{ErrorCode::bad_input,
                 fmt::format("{} cannot be changed safely: write selector {} by hand",
                             written_->origin.file, found.selector)};
  }

  [[nodiscard]] bool nothing_else_differs(const config::Loaded& edited) const {
    const auto is_same = [this](const config::LoadedJob& one, const config::LoadedJob& other) {
      return one.id == other.id &&
             std::ranges::equal(one.settings, other.settings, [&](const auto& a, const auto& b) {
               const bool is_edited =
                   one.id == job_->id && (a.first == "selector" || a.first == "fields");
               return a.first == b.first && (is_edited || a.second.written == b.second.written);
             });
    };
    return std::ranges::equal(context_.loaded.jobs, edited.jobs, is_same);
  }

  ExitCode stop(std::string message) {
    report_.error = std::move(message);
    if (context_.json) context_.print_json(write_repair, report_);
    return context_.fail(report_.error);
  }

  ExitCode finish() {
    if (context_.json) return context_.print_json(write_repair, report_);
    return ExitCode::done;
  }

  ExitCode report_that_all_is_well() {
    if (!context_.json)
      context_.out.line(
          fmt::format("nothing to repair: the selectors find {}, each field has values",
                      counted(report_.proposal.items_now, "item")));
    return finish();
  }

  void show() {
    if (context_.json) return;
    const RepairProposal& proposal = report_.proposal;
    context_.out.line(fmt::format("before: selector {} finds {}{}", job_->selector,
                                  counted(proposal.items_now, "item"), empty_text(proposal)));
    context_.out.line("after:");
    print_candidate(context_.out, *proposal.found, kShownRows);
    for (const std::string& field : proposal.lost_fields)
      context_.err.line(
          fmt::format("note: no selector was found for field '{}': none of its stored values is on "
                      "the page; its selector is not changed",
                      field));
    context_.out.line("");
    context_.out.line(context_.out.paint(Colour::bold, report_.edit->name));
    for (const auto& line : config::changed_lines(report_.edit->before, report_.edit->after))
      context_.out.line(
          context_.out.paint(line.is_removed ? Colour::red : Colour::green,
                             fmt::format("{} {}", line.is_removed ? "-" : "+", line.text)));
    (void)context_.out.finish();  // before a question on standard error
  }

  static std::string empty_text(const RepairProposal& proposal) {
    if (proposal.empty_fields.empty()) return {};
    return fmt::format("; empty: {}", fmt::join(proposal.empty_fields, ", "));
  }

  bool is_confirmed() {
    if (arguments_.assume_yes) return true;
    context_.err.print(fmt::format("Write these changes to {}? [y/N] ", report_.edit->name));
    (void)context_.err.finish();
    std::string answer;
    if (!std::getline(std::cin, answer)) return false;
    answer = to_lower_ascii(trim(answer));
    return answer == "y" || answer == "yes";
  }

  ExitCode write() {
    const FileEdit& edit = *report_.edit;
    auto replaced =
        config::replace_job_file(context_.project_dir / edit.name, edit.before, edit.after);
    if (!replaced) return stop(replaced.error().message);
    report_.is_written = true;
    if (context_.json) return finish();
    context_.out.line("wrote " + edit.name);
    context_.out.line("\nNext:");
    context_.out.line(
        fmt::format("  heddle debug {}  # shows what it finds, stores no items", job_->id.text));
    context_.out.line(fmt::format("  heddle run {}", job_->id.text));
    return ExitCode::done;
  }

  CommandContext& context_;
  const RepairArguments& arguments_;
  const Job* job_ = nullptr;
  const config::LoadedJob* written_ = nullptr;  // the same job, as it is written
  SelectorRepair report_;
};

}  // namespace

ExitCode repair_job(CommandContext& context, const RepairArguments& arguments) {
  return JobRepairer(context, arguments).run();
}

}  // namespace heddle::cli
