#include "views/change_view.hpp"

namespace heddle::views {

void write_change(JsonWriter& json, const Change& change) {
  json.begin_object().field("id", change.id).field("job_id", change.job.text);
  json.field("run_id", change.run.text).field("at", change.at);
  json.field("kind", to_text(change.kind)).field("url", change.url);
  const bool is_text = is_of_text(change.kind);
  if (!is_text) {
    json.field("item_id", change.item_id).key("item").begin_object();
    for (const Field& field : change.item.fields) json.field(field.first, field.second);
    json.end_object();
  }
  const bool has_field = change.kind == ChangeKind::item_changed;
  if (has_field) json.field("field", change.field);
  if (has_field || is_text) json.field("before", change.before).field("after", change.after);
  if (is_text) json.field("context", change.context);
  json.field("significance", to_text(change.significance)).end_object();
}

std::string change_word(ChangeKind kind) {
  const std::string_view name = to_text(kind);
  std::string word(name.substr(name.find('.') + 1));
  return is_of_text(kind) ? "text " + word : word;
}

}  // namespace heddle::views
