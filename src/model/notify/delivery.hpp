// One outgoing message, rendered and stored before it is sent.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/web/fetch.hpp"

namespace heddle {

enum class DeliveryKind { webhook, desktop };
std::string_view to_text(DeliveryKind kind);
std::optional<DeliveryKind> delivery_kind_from(std::string_view text);

struct Delivery {
  DeliveryId id;  // stable over all attempts: `webhook-id` and `Idempotency-Key`
  JobId job;
  RunId run;
  DeliveryKind kind = DeliveryKind::webhook;
  std::string payload;  // webhook: the JSON body; desktop: JSON {title, body, timeout_ms}
  int attempts = 0;
  WallTime created_at{};
  WallTime due_at{};
  std::chrono::milliseconds waited{0};  // for all attempts so far, in elapsed time
  std::string channel{};  // one of the project's; empty: the job's own webhook or notification
};

}  // namespace heddle
