#include "views/dead_letter_view.hpp"

namespace heddle::views {

void write_dead_letter(JsonWriter& json, const DeadLetter& letter) {
  json.begin_object().field("id", letter.id).field("origin", to_text(letter.origin));
  json.field("job_id", letter.job.text).field("run_id", letter.run.text);
  if (letter.task) json.field("task", *letter.task);
  if (letter.delivery) json.field("delivery", letter.delivery->text);
  json.field(letter.origin == DeadLetterOrigin::page ? "url" : "payload", letter.payload);
  json.field("error_kind", letter.error_kind).field("error", letter.error);
  json.field("attempts", letter.attempts).field("first_failed_at", letter.first_failed_at);
  json.field("last_failed_at", letter.last_failed_at);
  if (!letter.slot.empty()) json.field("slot", letter.slot);
  json.end_object();
}

}  // namespace heddle::views
