// Writes items as JSON and CSV. Not thread-safe.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/json.hpp"
#include "model/run/item.hpp"
#include "store/reader.hpp"

namespace heddle::views {

// Writes "fields", "values" and "matches" into the open object.
void write_item_fields(JsonWriter& json, const Item& item);
void write_record(JsonWriter& json, const Record& record);

// Adds the item's field names that are not in `names` yet.
void add_field_names(const Item& item, std::vector<std::string>& names);
// The newest items of a job.
struct RecordQuery {
  store::Reader& reader;
  JobId job;
  std::optional<WallTime> since{};  // first seen then or later
  std::size_t limit = 0;            // 0: all
};

// Visits the items of the query, newest first.
Status for_each_record(const RecordQuery& query,
                       const std::function<void(const Record& record)>& visit);
// Returns `configured` and then the other fields of these items.
Result<std::vector<std::string>> read_field_names(const RecordQuery& query,
                                                  std::vector<std::string> configured);
// The value of each field; empty where the item has none.
std::vector<std::string> field_values(const Item& item, const std::vector<std::string>& names);

// A row of CSV for spreadsheets (RFC 4180); escapes cells that would run as formulas.
std::string csv_row(const std::vector<std::string>& cells);

enum class RecordFormat { json, jsonl, csv };
std::optional<RecordFormat> record_format_from(std::string_view text);

// RecordWriter formats records one by one, so that memory does not grow with their number.
class RecordWriter {
 public:
  // `fields`: the columns of CSV.
  RecordWriter(RecordFormat format, std::vector<std::string> fields)
      : format_(format), fields_(std::move(fields)) {}

  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::string record(const Record& record);
  [[nodiscard]] std::string footer() const;

 private:
  RecordFormat format_;
  std::vector<std::string> fields_;
  bool has_written_ = false;
};

}  // namespace heddle::views
