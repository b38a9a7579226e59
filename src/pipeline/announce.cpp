#include "pipeline/announce.hpp"

#include "pipeline/scripts/json_value.hpp"

namespace heddle::pipeline {

using script::Hook;

namespace {

// Gives false when a hook failed the cycle.
Async<bool> announce_on_desktop(const Job& job, const News& news, CycleHooks* hooks,
                                std::vector<Delivery>& deliveries) {
  News shown = news;
  std::vector<Item> items;
  if (hooks != nullptr && hooks->has(Hook::before_notify)) {
    for (const Item* item : news.items) items.push_back(*item);
    const auto verdict = co_await hooks->change_items(Hook::before_notify, items);
    if (verdict != HookVerdict::go_on) co_return verdict == HookVerdict::skip;
    shown.items.clear();
    for (const Item& item : items) shown.items.push_back(&item);
  }
  if (job.notification.enabled && !shown.items.empty())
    deliveries.push_back(desktop_message(job, shown));
  co_return true;
}

Async<bool> announce_by_webhook(const Job& job, const News& news, CycleHooks* hooks,
                                std::vector<Delivery>& deliveries) {
  const bool is_hooked = hooks != nullptr && hooks->has(Hook::before_webhook);
  if (!job.webhook.enabled && !is_hooked) co_return true;
  Delivery delivery = webhook_message(job, news);
  auto payload = is_hooked ? value_from_json(delivery.payload) : Result<script::Value>();
  if (payload) {
    const auto verdict = co_await hooks->before_webhook(*payload);
    if (verdict != HookVerdict::go_on) co_return verdict == HookVerdict::skip;
    delivery.payload = json_from_value(*payload);
  }
  if (job.webhook.enabled) deliveries.push_back(std::move(delivery));
  co_return true;
}

}  // namespace

Async<Announcement> announce(const Job& job, const News& news, CycleHooks* hooks) {
  Announcement told;
  const bool is_desktop_told = co_await announce_on_desktop(job, news, hooks, told.deliveries);
  told.has_failed = !is_desktop_told;
  if (told.has_failed) co_return told;
  const bool is_webhook_told = co_await announce_by_webhook(job, news, hooks, told.deliveries);
  told.has_failed = !is_webhook_told;
  co_return told;
}

}  // namespace heddle::pipeline
