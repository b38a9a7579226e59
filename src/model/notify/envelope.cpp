#include "model/notify/envelope.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "base/text.hpp"
#include "model/json.hpp"
#include "model/notify/template.hpp"

namespace heddle {

namespace {

constexpr std::string_view kKeywords = "keywords";
constexpr std::size_t kMaxTitleBytes = 200;
constexpr std::size_t kMaxBodyBytes = 4000;
constexpr std::size_t kMaxChangeBytes = 1000;

std::string summary_of(const Envelope& envelope) {
  if (!envelope.summary.empty()) return envelope.summary;
  const std::size_t fresh = envelope.items.size();
  const std::size_t changed = envelope.changes.size();
  std::string text = envelope.job_name + ": ";
  if (fresh > 0 || changed == 0) text += counted(fresh, "new item");
  if (fresh > 0 && changed > 0) text += ", ";
  if (changed > 0) text += counted(changed, "change");
  return text;
}

// "https://a/1: price 10.00 EUR -> 8.00 EUR"; of a text "open until 6 pm -> open until 8 pm".
std::string line_of(const FieldChange& change) {
  if (change.kind == ChangeKind::text_added) return "added: " + change.after;
  if (change.kind == ChangeKind::text_removed) return "removed: " + change.before;
  if (change.kind == ChangeKind::text_changed) return change.before + " -> " + change.after;
  const auto value = [](const std::string& text) { return text.empty() ? "(none)" : text; };
  return fmt::format("{}: {} {} -> {}", change.key, change.field, value(change.before),
                     value(change.after));
}

std::string lines_of_changes(const Envelope& envelope) {
  std::string text;
  for (const FieldChange& change : envelope.changes) {
    const std::string line = std::string(utf8_prefix(line_of(change), kMaxChangeBytes)) + "\n";
    if (text.size() + line.size() > kMaxBodyBytes) break;
    text += line;
  }
  return text;
}

void write_item(JsonWriter& json, const Item& item) {
  json.begin_object();
  for (const Field& field : item.fields)
    if (field.first != kKeywords) json.field(field.first, field.second);
  json.key(kKeywords).begin_array();
  for (const std::string& keyword : item.matches) json.value(keyword);
  json.end_array().end_object();
}

void write_change(JsonWriter& json, const FieldChange& change) {
  json.begin_object().field("key", change.key).field("field", change.field);
  json.field("before", change.before).field("after", change.after);
  if (is_of_text(change.kind))
    json.field("kind", to_text(change.kind)).field("context", change.context);
  json.field("significance", to_text(change.significance)).end_object();
}

std::size_t expected_bytes(const Envelope& envelope) {
  std::size_t bytes = 512 + envelope.url.size();
  for (const Item* item : envelope.items)
    for (const Field& field : item->fields) bytes += field.first.size() + field.second.size() + 16;
  return bytes;
}

std::vector<std::string> distinct_matches(const Envelope& envelope) {
  std::vector<std::string> distinct;
  for (const Item* item : envelope.items)
    for (const std::string& match : item->matches)
      if (std::find(distinct.begin(), distinct.end(), match) == distinct.end())
        distinct.push_back(match);
  return distinct;
}

// The texts behind the tags of one envelope, made once for title and body.
class Tags {
 public:
  explicit Tags(const Envelope& envelope) : envelope_(envelope) {
    const std::vector<std::string> matches = distinct_matches(envelope);
    named_ = {{"job_name", envelope.job_name},
              {"url", envelope.url},
              {"item_count", std::to_string(envelope.items.size())},
              {"timestamp", to_iso8601(envelope.time)},
              {"matches", join(matches, ", ")},
              {"match_count", std::to_string(matches.size())}};
  }

  [[nodiscard]] std::optional<std::string_view> find(std::string_view tag) const {
    for (const auto& [name, text] : named_)
      if (name == tag) return text;
    if (envelope_.items.empty()) return std::nullopt;
    const std::string* field = envelope_.items.front()->find(tag);
    if (field == nullptr) return std::nullopt;
    return *field;
  }

 private:
  const Envelope& envelope_;
  std::vector<std::pair<std::string_view, std::string>> named_;
};

}  // namespace

std::string webhook_body(const Envelope& envelope) {
  JsonWriter json(expected_bytes(envelope));
  json.begin_object().field("version", 1).field("id", envelope.id.text);
  json.field("event", envelope.event).field("time", to_iso8601(envelope.time));
  json.key("job").begin_object().field("id", envelope.job.text);
  json.field("name", envelope.job_name).end_object();
  json.field("run_id", envelope.run.text).field("url", envelope.url);
  json.field("severity", envelope.severity).field("summary", summary_of(envelope));
  json.key("items").begin_array();
  for (const Item* item : envelope.items) write_item(json, *item);
  json.end_array().key("changes").begin_array();
  for (const FieldChange& change : envelope.changes) write_change(json, change);
  json.end_array().field("job_name", envelope.job_name);
  return json.field("item_count", envelope.items.size()).end_object().take();
}

std::string desktop_payload(const NotificationRule& rule, const Envelope& envelope) {
  if (envelope.items.empty() && !envelope.changes.empty()) {
    JsonWriter json;
    json.begin_object().field("title", utf8_prefix(summary_of(envelope), kMaxTitleBytes));
    json.field("body", trim(lines_of_changes(envelope)));
    return json.field("timeout_ms", rule.timeout.count()).end_object().take();
  }
  const Tags tags(envelope);
  const auto lookup = [&tags](std::string_view tag) { return tags.find(tag); };
  const std::string title =
      Template::parse(rule.title).render(lookup, {TextFormat::single_line, kMaxTitleBytes});
  const std::string body =
      Template::parse(rule.body).render(lookup, {TextFormat::plain, kMaxBodyBytes});
  JsonWriter json;
  json.begin_object().field("title", trim(title)).field("body", trim(body));
  return json.field("timeout_ms", rule.timeout.count()).end_object().take();
}

}  // namespace heddle
