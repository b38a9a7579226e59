#include "pages/propose/candidate_reader.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "pages/source/read_items.hpp"
#include "pages/source/source_rules.hpp"

namespace heddle::pages {

namespace {

// A job whose rules are the candidate's.
Job job_of(const WatchCandidate& candidate) {
  Job job;
  job.watch = candidate.watch;
  job.selector = candidate.selector;
  job.fields = candidate.fields;
  job.json_in.selector = candidate.json_in;
  return job;
}

// In a configuration file these stand for secrets and variables.
bool has_reference(std::string_view text) {
  return text.find("${") != std::string_view::npos || text.find("{{") != std::string_view::npos;
}

bool can_be_written(const WatchCandidate& candidate) {
  if (has_reference(candidate.selector) || has_reference(candidate.json_in)) return false;
  return std::none_of(candidate.fields.begin(), candidate.fields.end(), [](const FieldRule& rule) {
    return has_reference(rule.name) || has_reference(rule.selector);
  });
}

using FieldNames = std::vector<std::string_view>;

// What may change without another item being there.
bool changes_by_itself(std::string_view field) {
  return field == "price" || field == "image" || field == "rating" || field == "stock";
}

std::size_t count_distinct(const FieldNames& fields, const std::vector<Item>& items) {
  std::set<std::vector<std::string_view>> values;
  for (const Item& item : items) {
    std::vector<std::string_view> row;
    for (const std::string_view field : fields) {
      const std::string* value = item.find(field);
      row.push_back(value == nullptr ? std::string_view() : std::string_view(*value));
    }
    values.insert(std::move(row));
  }
  return values.size();
}

std::size_t count_present(std::string_view field, const std::vector<Item>& items) {
  return static_cast<std::size_t>(
      std::count_if(items.begin(), items.end(), [field](const Item& item) {
        const std::string* value = item.find(field);
        return value != nullptr && !value->empty();
      }));
}

}  // namespace

std::string one_line(std::string_view text, std::size_t max_bytes) {
  std::string line;
  for (const char c : utf8_prefix(text, max_bytes * 4)) {
    const bool is_blank = static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
    if (!is_blank) line += c;
    if (is_blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  return std::string(trim(utf8_prefix(line, max_bytes)));
}

std::vector<std::string> find_key(const std::vector<FieldRule>& fields,
                                  const std::vector<Item>& items) {
  static const std::vector<FieldNames> kKeys{{"link"},
                                             {"id"},
                                             {"title"},
                                             {"name"},
                                             {"title", "link"},
                                             {"title", "date"},
                                             {"link", "date"},
                                             {"name", "date"},
                                             {"title", "description"}};
  if (items.size() < 2) return {};
  FieldNames lasting;
  for (const FieldRule& field : fields)
    if (!changes_by_itself(field.name)) lasting.push_back(field.name);
  const std::size_t different = count_distinct(lasting, items);
  for (const FieldNames& key : kKeys) {
    const bool is_everywhere = std::all_of(key.begin(), key.end(), [&](std::string_view field) {
      return count_present(field, items) == items.size();
    });
    // The same thing may stand on a page twice.
    if (is_everywhere && count_distinct(key, items) * 20 >= different * 19)
      return {key.begin(), key.end()};
  }
  return {};
}

void fill_rows(WatchCandidate& candidate, const std::vector<Item>& items) {
  candidate.items = items.size();
  candidate.rows.clear();
  for (const Item& item : items) {
    if (candidate.rows.size() == CandidateReader::kRows) break;
    std::vector<std::string>& row = candidate.rows.emplace_back();
    for (const FieldRule& field : candidate.fields) {
      const std::string* value = item.find(field.name);
      row.push_back(value == nullptr ? "" : one_line(*value, CandidateReader::kMaxValue));
    }
  }
}

const SourceDocument* CandidateReader::embedded(const std::string& json_in) {
  if (json_in_ == json_in) return embedded_ ? &*embedded_ : nullptr;
  json_in_ = json_in;
  embedded_.reset();
  Job job;
  job.json_in.selector = json_in;
  auto rules = SourceRules::compile(job);
  if (!rules) return nullptr;
  html::Parser parser;
  auto read = read_source(parser, *rules, "text/html", page_.body, page_.limits);
  if (read && read->json() != nullptr) embedded_ = *std::move(read);
  return embedded_ ? &*embedded_ : nullptr;
}

std::vector<Item> CandidateReader::read(const WatchCandidate& candidate) {
  const auto rules = SourceRules::compile(job_of(candidate));
  if (!rules) return {};
  const SourceDocument* document = &document_;
  if (!candidate.json_in.empty()) document = embedded(candidate.json_in);
  if (document == nullptr) return {};
  auto read = read_items(*document, *rules, page_.url);
  return read ? std::move(read->items) : std::vector<Item>();
}

bool CandidateReader::complete(WatchCandidate& candidate) {
  if (!can_be_written(candidate)) return false;
  const std::vector<Item> items = read(candidate);
  fill_rows(candidate, items);
  candidate.key = find_key(candidate.fields, items);
  return !items.empty();
}

}  // namespace heddle::pages
