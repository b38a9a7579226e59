#include "pipeline/build_deliveries.hpp"

#include <optional>

#include "pipeline/scripts/json_value.hpp"
#include "pipeline/stage_timer.hpp"

namespace heddle::pipeline {

using script::ScriptHook;

namespace {

// What follows the hook, until the end of the scope.
class EngineStageScope {
 public:
  EngineStageScope(CycleHooks* hooks, EngineStage stage) {
    if (hooks != nullptr) timer_.emplace(hooks->trace(), stage);
  }

 private:
  std::optional<StageTimer> timer_;
};

// False when the cycle failed with it.
bool end_without_message(CycleHooks& hooks, EngineStage stage, HookVerdict verdict) {
  hooks.trace()[stage].status = StageStatus::skipped;
  return verdict == HookVerdict::skip;
}

// False when a hook failed the cycle.
Async<bool> build_desktop_delivery(const Job& job, const News& news, CycleHooks* hooks,
                                   std::vector<Delivery>& deliveries) {
  News shown = news;
  std::vector<Item> items;
  if (hooks != nullptr && hooks->has(ScriptHook::before_notify)) {
    for (const Item* item : news.items) items.push_back(*item);
    const auto verdict = co_await hooks->change_items(ScriptHook::before_notify, items);
    if (verdict != HookVerdict::proceed)
      co_return end_without_message(*hooks, EngineStage::notify, verdict);
    shown.items.clear();
    for (const Item& item : items) shown.items.push_back(&item);
  }
  const EngineStageScope scope(hooks, EngineStage::notify);
  if (job.notification.enabled && !(shown.items.empty() && shown.changes.empty()))
    deliveries.push_back(desktop_delivery(job, shown));
  co_return true;
}

Async<bool> build_webhook_delivery(const Job& job, const News& news, CycleHooks* hooks,
                                   std::vector<Delivery>& deliveries) {
  const bool is_hooked = hooks != nullptr && hooks->has(ScriptHook::before_webhook);
  if (!job.webhook.enabled && !is_hooked) {
    const EngineStageScope nothing_to_send(hooks, EngineStage::webhook);
    co_return true;
  }
  Delivery delivery = webhook_delivery(job, news);
  auto payload = is_hooked ? value_from_json(delivery.payload) : Result<script::ScriptValue>();
  if (payload) {
    const auto verdict = co_await hooks->before_webhook(*payload);
    if (verdict != HookVerdict::proceed)
      co_return end_without_message(*hooks, EngineStage::webhook, verdict);
    delivery.payload = json_from_value(*payload);
  }
  const EngineStageScope scope(hooks, EngineStage::webhook);
  if (job.webhook.enabled) deliveries.push_back(std::move(delivery));
  co_return true;
}

}  // namespace

Async<DeliveryBatch> build_deliveries(const Job& job, const News& news, CycleHooks* hooks) {
  DeliveryBatch batch;
  const bool is_desktop_built = co_await build_desktop_delivery(job, news, hooks, batch.deliveries);
  batch.has_failed = !is_desktop_built;
  if (batch.has_failed) co_return batch;
  const bool is_webhook_built = co_await build_webhook_delivery(job, news, hooks, batch.deliveries);
  batch.has_failed = !is_webhook_built;
  co_return batch;
}

}  // namespace heddle::pipeline
