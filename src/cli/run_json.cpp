#include "cli/run_json.hpp"

#include <chrono>

#include <fmt/format.h>

#include "cli/terminal.hpp"

namespace heddle::cli {

namespace {

void write_errors(JsonWriter& json, const std::vector<RunError>& errors) {
  json.key("errors").begin_array();
  for (const RunError& error : errors) {
    json.begin_object().field("kind", error.kind).field("message", error.message);
    if (!error.url.empty()) json.field("url", error.url);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

void write_run(JsonWriter& json, const Run& run) {
  json.begin_object();
  json.field("job", run.job.text).field("run_id", run.id.text).field("state", to_text(run.state));
  json.field("trigger", run.trigger).field("attempt", run.attempt);
  json.field("revision", run.revision).field("started_at", to_iso8601(run.started_at));
  json.key("ended_at");
  run.ended_at ? json.value(to_iso8601(*run.ended_at)) : json.null();
  json.key("pages").begin_object();
  json.field("total", run.pages.total).field("done", run.pages.done);
  json.field("failed", run.pages.failed).field("skipped", run.pages.skipped).end_object();
  json.key("items").begin_object();
  json.field("seen", run.items.seen).field("new", run.items.fresh);
  json.field("changed", run.items.changed).field("gone", run.items.gone).end_object();
  json.field("changes", run.changes);
  if (run.price_changes) json.field("price_changes", *run.price_changes);
  write_errors(json, run.errors);
  json.field("bytes", run.bytes);
  json.key("cpu_ms").raw(fmt::format("{:.3f}", static_cast<double>(run.cpu.count()) / 1000.0));
  json.key("slots").begin_array();
  for (const int slot : run.slots) json.value(slot);
  json.end_array();
  json.key("duration_ms");
  run.ended_at ? json.value((*run.ended_at - run.started_at).count()) : json.null();
  json.end_object();
}

std::string usage_text(const Run& run) {
  if (run.cpu.count() == 0 && run.slots.empty()) return "";
  using std::chrono::duration_cast, std::chrono::milliseconds;
  std::string text = duration_text(duration_cast<milliseconds>(run.cpu)) + " of CPU time";
  if (run.slots.empty()) return text;
  return text + fmt::format(" in worker {}", fmt::join(run.slots, ", "));
}

void write_record(JsonWriter& json, const Record& record) {
  json.begin_object();
  json.field("id", record.id).field("job_id", record.job.text).field("url", record.url);
  json.key("fields").begin_object();
  for (const Field& field : record.item.fields) json.field(field.first, field.second);
  json.end_object();
  json.key("values").raw(record.item.values_json.empty() ? "{}" : record.item.values_json);
  json.key("matches").begin_array();
  for (const std::string& match : record.item.matches) json.value(match);
  json.end_array();
  json.field("first_seen", to_iso8601(record.first_seen));
  json.field("last_seen", to_iso8601(record.last_seen)).field("state", record.state);
  json.end_object();
}

}  // namespace heddle::cli
