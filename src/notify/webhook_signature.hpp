// Signs and verifies webhooks as specified by Standard Webhooks, so that its libraries
// interoperate.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "model/web/fetch.hpp"

namespace heddle::notify {

// The key behind a secret: base64, with or without the prefix "whsec_". Never quotes the secret.
Result<std::string> webhook_key(std::string_view secret);

struct WebhookMessage {
  std::string_view id;
  WallTime time{};
  std::string_view body;
};

// "v1," and the base64 HMAC-SHA256 over "id.seconds.body".
std::string webhook_signature(std::string_view key, const WebhookMessage& message);

// The headers webhook-id and webhook-timestamp and, when there are secrets, webhook-signature with
// one signature per secret: a receiver with the old or the new one accepts it during a rotation.
Result<Headers> webhook_headers(std::span<const std::string> secrets,
                                const WebhookMessage& message);

// Checks a webhook like a receiver: the time is within the tolerance (no replay) and one signature
// matches one secret.
Status verify_webhook(std::span<const std::string> secrets, const Headers& headers,
                      std::string_view body, WallTime now,
                      std::chrono::seconds tolerance = std::chrono::minutes(5));

}  // namespace heddle::notify
