#include "views/run_view.hpp"

namespace heddle::views {

namespace {

// Of one run, or the sums of a day.
template <class Counted>
void write_counts(JsonWriter& json, const Counted& counted) {
  json.key("pages").begin_object();
  json.field("total", counted.pages.total).field("done", counted.pages.done);
  json.field("failed", counted.pages.failed).field("skipped", counted.pages.skipped).end_object();
  json.key("items").begin_object();
  json.field("seen", counted.items.seen).field("new", counted.items.fresh);
  json.field("changed", counted.items.changed).field("gone", counted.items.gone).end_object();
  json.field("changes", counted.changes);
  if (counted.price_changes) json.field("price_changes", *counted.price_changes);
}

void write_run_error(JsonWriter& json, const RunError& error) {
  json.begin_object().field("kind", to_text(error.kind)).field("message", error.message);
  if (!error.url.empty()) json.field("url", error.url);
  json.end_object();
}

}  // namespace

void write_run(JsonWriter& json, const Run& run) {
  json.begin_object();
  write_run_fields(json, run);
  json.end_object();
}

void write_run_fields(JsonWriter& json, const Run& run) {
  json.field("job", run.job.text).field("run_id", run.id.text).field("state", to_text(run.state));
  json.field("trigger", to_text(run.trigger)).field("attempt", run.attempt);
  json.field("revision", run.revision).field("started_at", run.started_at);
  json.field("ended_at", run.ended_at);
  write_counts(json, run);
  json.key("errors").array(run.errors, write_run_error);
  json.field("bytes", run.bytes).field("cpu_ms", run.cpu).field("slots", run.slots);
  json.key("duration_ms");
  run.ended_at ? json.value(*run.ended_at - run.started_at) : json.null();
}

void write_run_day(JsonWriter& json, const RunDay& day) {
  json.begin_object().field("day", date_text(day.day)).field("runs", day.runs);
  json.field("completed", day.completed).field("failed", day.failed);
  json.field("duration_ms", day.duration);
  write_counts(json, day);
  json.field("cpu_ms", day.cpu).field("bytes", day.bytes).end_object();
}

}  // namespace heddle::views
