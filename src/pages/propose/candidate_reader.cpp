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

bool tells_apart(std::string_view field, const std::vector<Item>& items) {
  std::set<std::string_view> values;
  for (const Item& item : items) {
    const std::string* value = item.find(field);
    if (value == nullptr || value->empty() || !values.insert(*value).second) return false;
  }
  return true;
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
  if (items.size() < 2) return {};
  for (const std::string_view name : {"link", "url", "id", "title", "name"})
    for (const FieldRule& field : fields)
      if (field.name == name && tells_apart(name, items)) return {field.name};
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
