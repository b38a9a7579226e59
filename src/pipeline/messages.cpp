#include "pipeline/messages.hpp"

#include "model/envelope.hpp"

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
  envelope.items.reserve(news.items.size());
  for (const KeyedItem& keyed : news.items) envelope.items.push_back(&keyed.item);
  return envelope;
}

}  // namespace

std::vector<Delivery> shape_messages(const Job& job, const News& news) {
  std::vector<Delivery> deliveries;
  if (!job.webhook.enabled && !job.notification.enabled) return deliveries;
  Envelope envelope = envelope_of(job, news);
  if (job.notification.enabled) {
    Delivery delivery = new_delivery(job, news, DeliveryKind::desktop);
    envelope.id = delivery.id;
    delivery.payload = desktop_payload(job.notification, envelope);
    deliveries.push_back(std::move(delivery));
  }
  if (job.webhook.enabled) {
    Delivery delivery = new_delivery(job, news, DeliveryKind::webhook);
    envelope.id = delivery.id;
    delivery.payload = webhook_body(envelope);
    deliveries.push_back(std::move(delivery));
  }
  return deliveries;
}

}  // namespace heddle::pipeline
