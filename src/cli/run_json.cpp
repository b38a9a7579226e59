#include "cli/run_json.hpp"

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
  json.field("changed", run.items.changed).end_object();
  write_errors(json, run.errors);
  json.field("bytes", run.bytes);
  json.key("duration_ms");
  run.ended_at ? json.value((*run.ended_at - run.started_at).count()) : json.null();
  json.end_object();
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
