#include "views/record_view.hpp"

#include <algorithm>
#include <iterator>

#include "base/text.hpp"

namespace heddle::views {

namespace {

// Cells come from untrusted pages, and spreadsheets would run these as formulas. Numbers such as
// "-12.50" stay unchanged.
bool looks_like_formula(std::string_view cell) {
  if (cell.empty()) return false;
  if (std::string_view("=@\t\r").find(cell[0]) != std::string_view::npos) return true;
  if (cell[0] != '+' && cell[0] != '-') return false;
  return cell.find_first_not_of("+-0123456789.,' ") != std::string_view::npos;
}

void append_cell(std::string& out, std::string_view cell) {
  const bool is_formula = looks_like_formula(cell);
  if (!is_formula && cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += cell;
    return;
  }
  out += '"';
  if (is_formula) out += '\'';
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

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

Status for_each_record(const RecordQuery& query,
                       const std::function<void(const Record& record)>& visit) {
  std::size_t visited = 0;
  return query.reader.for_each_record(query.job, query.since, [&](const Record& record) {
    visit(record);
    return ++visited != query.limit;
  });
}

Result<std::vector<std::string>> read_field_names(const RecordQuery& query,
                                                  std::vector<std::string> configured) {
  auto read = for_each_record(
      query, [&configured](const Record& record) { add_field_names(record.item, configured); });
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

std::string csv_row(const std::vector<std::string>& cells) {
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += ',';
    append_cell(out, cells[i]);
  }
  out += "\r\n";
  return out;
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
