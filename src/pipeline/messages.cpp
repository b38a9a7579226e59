#include "pipeline/messages.hpp"

#include "model/notify/envelope.hpp"
#include "pages/changes/item_changes.hpp"

namespace heddle::pipeline {

namespace {

Delivery new_delivery(const Job& job, const News& news, DeliveryKind kind) {
  Delivery delivery;
  delivery.id = DeliveryId{make_unique_id(news.time)};
  delivery.job = job.id;
  delivery.run = news.run;
  delivery.kind = kind;
  delivery.created_at = news.time;
  delivery.due_at = news.time;
  return delivery;
}

Envelope envelope_of(const Job& job, const News& news) {
  Envelope envelope;
  envelope.time = news.time;
  envelope.job = job.id;
  envelope.job_name = job.name;
  envelope.run = news.run;
  envelope.url = news.url;
  envelope.items = news.items;
  envelope.changes = news.changes;
  if (news.items.empty()) envelope.event = "item.changed";
  return envelope;
}

}  // namespace

std::vector<FieldChange> changes_told(const Job& job, const std::vector<ItemUpdate>& updates) {
  std::vector<FieldChange> told;
  for (const ItemUpdate& update : updates) {
    if (update.is_back)
      told.push_back({pages::key_text(job, update.item), "state", "gone", "back"});
    told.insert(told.end(), update.changes.begin(), update.changes.end());
  }
  return told;
}

Delivery desktop_delivery(const Job& job, const News& news) {
  Delivery delivery = new_delivery(job, news, DeliveryKind::desktop);
  Envelope envelope = envelope_of(job, news);
  envelope.id = delivery.id;
  delivery.payload = desktop_payload(job.notification, envelope);
  return delivery;
}

Delivery webhook_delivery(const Job& job, const News& news) {
  Delivery delivery = new_delivery(job, news, DeliveryKind::webhook);
  Envelope envelope = envelope_of(job, news);
  envelope.id = delivery.id;
  delivery.payload = webhook_body(envelope);
  return delivery;
}

}  // namespace heddle::pipeline
