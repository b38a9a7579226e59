#include "hub/health/alert_manager.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "model/json.hpp"
#include "model/notify/envelope.hpp"

namespace heddle::hub {

namespace {

constexpr int kDesktopMilliseconds = 10'000;

std::string event_of(bool is_over) {
  return is_over ? "alert.over" : "alert.raised";
}

std::string summary_of(const SystemAlert& alert, bool is_over, WallTime now) {
  if (!is_over) return fmt::format("{}: {}", to_text(alert.level), alert.text);
  return fmt::format("cleared after {}: {}", to_short_text(now - alert.since), alert.text);
}

std::string webhook_text(const Delivery& message, const SystemAlert& alert, bool is_over) {
  Envelope envelope;
  envelope.id = message.id;
  envelope.event = event_of(is_over);
  envelope.time = message.created_at;
  envelope.severity = is_over ? "info" : to_text(alert.level);
  envelope.summary = summary_of(alert, is_over, message.created_at);
  return webhook_body(envelope);
}

std::string desktop_text(const SystemAlert& alert, bool is_over, WallTime now) {
  JsonWriter json;
  json.begin_object().field("title", "heddle").field("body", summary_of(alert, is_over, now));
  return json.field("timeout_ms", kDesktopMilliseconds).end_object().take();
}

}  // namespace

std::vector<Delivery> alert_messages(const AlertReceivers& receivers, const SystemAlert& alert,
                                     bool is_over, WallTime now) {
  std::vector<Delivery> messages;
  for (const std::string& name : receivers.to) {
    const auto channel = receivers.channels.find(name);
    if (channel == receivers.channels.end() || !channel->second.kind) continue;
    Delivery message;
    message.id = DeliveryId{make_unique_id(now)};
    message.kind = *channel->second.kind;
    message.channel = name;
    message.created_at = message.due_at = now;
    message.payload = message.kind == DeliveryKind::webhook ? webhook_text(message, alert, is_over)
                                                            : desktop_text(alert, is_over, now);
    messages.push_back(std::move(message));
  }
  return messages;
}

Async<Status> AlertManager::load() {
  auto alerts = co_await store_.alerts();
  if (!alerts) co_return std::move(alerts).error();
  raised_.clear();
  for (const SystemAlert& alert : *alerts) raised_.emplace(alert.key, alert);
  co_return Done{};
}

Async<Status> AlertManager::raise(SystemAlert alert) {
  const WallTime now = alert.since;
  const auto known = raised_.find(alert.key);
  if (known == raised_.end()) co_return co_await write(std::move(alert), false, now);
  alert.since = known->second.since;
  if (alert.level > known->second.level) co_return co_await write(std::move(alert), false, now);
  if (alert.text == known->second.text) co_return Done{};
  AlertChange change;
  change.alert = known->second;
  change.alert.text = alert.text;
  auto written = co_await store_.change_alert(std::move(change));
  if (!written) co_return std::move(written).error().during("cannot store an alert");
  if (const auto still = raised_.find(alert.key); still != raised_.end())
    still->second.text = std::move(alert.text);
  co_return Done{};
}

Async<Status> AlertManager::clear(std::string key, WallTime now) {
  const auto known = raised_.find(key);
  if (known == raised_.end()) co_return Done{};
  SystemAlert alert = known->second;
  co_return co_await write(std::move(alert), true, now);
}

Async<Status> AlertManager::write(SystemAlert alert, bool is_over, WallTime now) {
  AlertChange change;
  change.alert = alert;
  change.is_over = is_over;
  JobEvent& event = change.event.emplace();
  event.kind = event_of(is_over);
  event.at = now;
  event.data = {{"key", alert.key},
                {"level", std::string(to_text(alert.level))},
                {"text", alert.text},
                {"since", to_iso8601(alert.since)}};
  change.deliveries = alert_messages(receivers_, alert, is_over, now);
  const std::string line = fmt::format("alert {}: {}", alert.key, summary_of(alert, is_over, now));
  auto written = co_await store_.change_alert(std::move(change));
  if (!written) co_return std::move(written).error().during("cannot store an alert");
  if (is_over) {
    log_.info(line);
    raised_.erase(alert.key);
  } else {
    log_.warn(line);
    raised_.insert_or_assign(alert.key, alert);
  }
  if (on_notified_) on_notified_();
  co_return Done{};
}

}  // namespace heddle::hub
