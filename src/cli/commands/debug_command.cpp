#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/run_tables.hpp"
#include "views/change_view.hpp"
#include "views/record_view.hpp"
#include "views/run_view.hpp"

namespace heddle::cli {

namespace {

constexpr std::size_t kShownLines = 20;

bool is_new(const DebugPage& page, std::size_t item) {
  return item < page.is_new.size() && page.is_new[item];
}

void write_delivery(JsonWriter& json, const Delivery& delivery) {
  json.begin_object().field("kind", to_text(delivery.kind));
  json.key("payload").raw(delivery.payload).end_object();
}

void write_text_change(JsonWriter& json, const FieldChange& change) {
  json.begin_object().field("kind", to_text(change.kind)).field("before", change.before);
  json.field("after", change.after).field("context", change.context);
  json.field("significance", to_text(change.significance)).end_object();
}

void write_debug_page(JsonWriter& json, const DebugPage& page) {
  json.begin_object().field("url", page.task.url).field("status", page.status);
  if (page.error.kind != ErrorKind::none) {
    json.key("error").begin_object().field("kind", to_text(page.error.kind));
    json.field("message", page.error.message).end_object();
  }
  json.key("items").begin_array();
  for (std::size_t i = 0; i < page.items.size(); ++i) {
    json.begin_object();
    views::write_item_fields(json, page.items[i]);
    json.field("new", is_new(page, i)).end_object();
  }
  json.end_array();
  if (page.text) json.field("text", *page.text);
  if (page.text) json.key("changes").array(page.text_changes, write_text_change);
  views::write_stages(json, page.trace);
  json.key("would_send").array(page.deliveries, write_delivery);
  json.key("files").array(page.files, write_path).end_object();
}

void print_items(CommandContext& context, const Job& job, const DebugPage& page) {
  if (page.items.empty()) return context.out.line("  no items");
  std::vector<std::string> names;  // in order of appearance: scripts may add some
  for (const Item& item : page.items) views::add_field_names(item, names);
  std::vector<std::string> header{""};
  header.insert(header.end(), names.begin(), names.end());
  if (!job.keywords.empty()) header.emplace_back("KEYWORDS");
  TextTable table(std::move(header));
  for (std::size_t i = 0; i < page.items.size(); ++i) {
    const Item& item = page.items[i];
    std::vector<std::string> row = views::field_values(item, names);
    row.insert(row.begin(), is_new(page, i) ? "new" : "known");
    if (!job.keywords.empty()) row.push_back(join(item.matches, ", "));
    table.add({row.begin(), row.end()});
  }
  table.print(context.out);
}

// The beginning of the text that is watched, and its changes.
void print_text(CommandContext& context, const DebugPage& page) {
  std::size_t left = kShownLines;
  for (const std::string_view line : split(*page.text, '\n')) {
    if (trim(line).empty()) continue;
    if (left-- == 0) {
      context.out.line("  ...");
      break;
    }
    context.out.line("  " + context.out.fit(line, 400));
  }
  TextTable table({"CHANGE", "BEFORE", "AFTER"});
  for (const FieldChange& change : page.text_changes)
    table.add({views::change_word(change.kind), change.before, change.after});
  if (!table.is_empty()) table.print(context.out);
}

void print_page(CommandContext& context, const Job& job, const DebugPage& page) {
  context.out.line(context.out.paint(Colour::bold, page.task.url));
  if (page.error.kind != ErrorKind::none)
    context.out.line("  " + context.out.paint(Colour::red, to_text(page.error.kind)) + "  " +
                     page.error.message);
  else if (page.text)
    print_text(context, page);
  else
    print_items(context, job, page);
  print_trace(context, page.trace);
  for (const Delivery& delivery : page.deliveries)
    context.out.line(fmt::format(
        "  would {}: {}",
        delivery.kind == DeliveryKind::desktop ? "show on the desktop" : "send a webhook",
        context.out.fit(delivery.payload, 300)));
  for (const auto& file : page.files) context.out.line("  saved " + file.string());
}

// Bindings of scripts work as in a run.
std::string effect_text(const Job& job) {
  std::string text = "no page, item or message was stored or sent";
  if (!job.scripts.files.empty()) text += "; what its script stored or sent itself remains";
  return text;
}

}  // namespace

ExitCode debug_job(CommandContext& context, const DebugArguments& arguments) {
  const Job* job = find_job(context, arguments.job);
  if (job == nullptr) return ExitCode::failed;
  auto pages = context.backend.debug_job(context.loaded.project, *job, arguments.pages);
  if (!pages) return context.fail(pages.error().message);
  if (context.json) {
    context.print_json([&](JsonWriter& json) {
      json.begin_object().field("job_id", job->id.text);
      json.key("pages").array(*pages, write_debug_page).end_object();
    });
  } else {
    for (const DebugPage& page : *pages) print_page(context, *job, page);
    context.out.line(context.out.paint(Colour::grey, effect_text(*job)));
  }
  for (const DebugPage& page : *pages)
    if (page.error.kind != ErrorKind::none) return ExitCode::failed;
  return ExitCode::done;
}

}  // namespace heddle::cli
