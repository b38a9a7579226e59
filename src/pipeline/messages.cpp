#include "pipeline/messages.hpp"

#include <algorithm>
#include <utility>

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

// An item that has changed says more than the page.
std::string event_of(const std::vector<FieldChange>& changes) {
  const bool is_of_page =
      std::ranges::all_of(changes, [](const FieldChange& each) { return is_of_text(each.kind); });
  return is_of_page ? "page.changed" : "item.changed";
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
  if (news.items.empty()) envelope.event = event_of(news.changes);
  return envelope;
}

}  // namespace

std::vector<FieldChange> changes_told(const JobPlan& plan, const std::vector<ItemUpdate>& updates) {
  std::vector<FieldChange> told;
  const auto tell = [&plan, &told](FieldChange change) {
    if (plan.text.tells(change)) told.push_back(std::move(change));
  };
  for (const ItemUpdate& update : updates) {
    if (update.is_back) tell({pages::key_text(plan.job, update.item), "state", "gone", "back"});
    for (const FieldChange& change : update.changes) tell(change);
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
