#include "views/diff_view.hpp"

namespace heddle::views {

namespace {

std::string_view word_of(DiffKind kind) {
  switch (kind) {
    case DiffKind::same:
      return "same";
    case DiffKind::changed:
      return "changed";
    case DiffKind::removed:
      return "removed";
    case DiffKind::added:
      return "added";
    case DiffKind::skipped:
      break;
  }
  return "skipped";
}

void write_parts(JsonWriter& json, std::string_view name, const std::vector<DiffPart>& parts) {
  json.key(name).begin_array();
  for (const DiffPart& part : parts) {
    json.begin_object().field("text", part.text).field("differs", part.differs);
    json.end_object();
  }
  json.end_array();
}

void write_line(JsonWriter& json, const DiffLine& line) {
  json.begin_object().field("kind", word_of(line.kind));
  if (line.kind == DiffKind::skipped) {
    json.field("lines", line.skipped);
  } else {
    write_parts(json, "before", line.before);
    write_parts(json, "after", line.after);
  }
  json.end_object();
}

}  // namespace

void write_version(JsonWriter& json, const PageVersion& version) {
  json.begin_object().field("version", version.id).field("at", version.at);
  json.field("run_id", version.run.text).field("bytes", version.bytes).end_object();
}

void write_diff(JsonWriter& json, const PageDiff& diff) {
  json.begin_object().field("job_id", diff.job.text).field("url", diff.url);
  json.key("from");
  if (diff.from)
    write_version(json, *diff.from);
  else
    json.null();
  json.key("to");
  write_version(json, diff.to);
  json.key("lines").array(diff.lines, write_line);
  json.end_object();
}

}  // namespace heddle::views
