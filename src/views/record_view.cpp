#include "views/record_view.hpp"

#include <algorithm>
#include <iterator>

#include "base/text.hpp"
#include "views/csv.hpp"

namespace heddle::views {

namespace {

// The columns of CSV; `fields` stand between the record's own and the last.
std::vector<std::string> csv_cells(std::vector<std::string> cells, std::vector<std::string> fields,
                                   std::string matches) {
  std::move(fields.begin(), fields.end(), std::back_inserter(cells));
  cells.push_back(std::move(matches));
  return cells;
}

}  // namespace

void write_item_fields(JsonWriter& json, const Item& item) {
  json.key("fields").begin_object();
  for (const Field& field : item.fields) json.field(field.first, field.second);
  json.end_object();
  json.key("values").raw(item.values_json.empty() ? "{}" : item.values_json);
  json.field("matches", item.matches);
}

void write_record(JsonWriter& json, const Record& record) {
  json.begin_object();
  json.field("id", record.id).field("job_id", record.job.text).field("url", record.url);
  write_item_fields(json, record.item);
  json.field("first_seen", record.first_seen).field("last_seen", record.last_seen);
  json.field("state", record.state).end_object();
}

void add_field_names(const Item& item, std::vector<std::string>& names) {
  for (const Field& field : item.fields)
    if (std::find(names.begin(), names.end(), field.first) == names.end())
      names.push_back(field.first);
}

Result<std::vector<std::string>> read_field_names(store::Reader& reader, const JobId& job,
                                                  std::optional<WallTime> since,
                                                  std::vector<std::string> configured) {
  auto read = reader.for_each_record(job, since, [&configured](const Record& record) {
    add_field_names(record.item, configured);
    return true;
  });
  if (!read) return std::move(read).error();
  return configured;
}

std::vector<std::string> field_values(const Item& item, const std::vector<std::string>& names) {
  std::vector<std::string> values;
  for (const std::string& name : names) {
    const std::string* value = item.find(name);
    values.push_back(value == nullptr ? "" : *value);
  }
  return values;
}

std::optional<RecordFormat> record_format_from(std::string_view text) {
  if (text == "json") return RecordFormat::json;
  if (text == "jsonl") return RecordFormat::jsonl;
  return text == "csv" ? std::optional(RecordFormat::csv) : std::nullopt;
}

std::string RecordWriter::header() const {
  if (format_ == RecordFormat::json) return "[";
  if (format_ == RecordFormat::jsonl) return "";
  return csv_row(csv_cells({"id", "first_seen", "last_seen", "state", "url"}, fields_, "matches"));
}

std::string RecordWriter::record(const Record& record) {
  if (format_ == RecordFormat::csv)
    return csv_row(csv_cells({std::to_string(record.id), to_iso8601(record.first_seen),
                              to_iso8601(record.last_seen), record.state, record.url},
                             field_values(record.item, fields_), join(record.item.matches, "; ")));
  JsonWriter json;
  write_record(json, record);
  if (format_ == RecordFormat::jsonl) return json.take() + "\n";
  return (std::exchange(has_written_, true) ? ",\n" : "") + json.text();
}

std::string RecordWriter::footer() const {
  return format_ == RecordFormat::json ? "]\n" : "";
}

}  // namespace heddle::views
