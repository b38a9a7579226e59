// Sends one message of the outbox once and says what came of it. Keeps nothing: the caller
// decides about further attempts. One event loop; outlives every send() it started.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/async.hpp"
#include "base/log.hpp"
#include "base/time.hpp"
#include "model/delivery.hpp"
#include "model/job.hpp"
#include "notify/desktop.hpp"
#include "notify/http_post.hpp"

namespace heddle::notify {

enum class SendResult {
  delivered,
  try_again,  // anything that may be different later, a changed configuration included
  give_up,    // the receiver wants no more of it (410 Gone), or the message cannot be read
};

struct SendOutcome {
  SendResult result = SendResult::try_again;
  std::string error{};                                     // unless delivered
  std::optional<std::chrono::milliseconds> retry_after{};  // what the receiver asked for
};

class Sender {
 public:
  Sender(HttpPoster& poster, Desktop& desktop, const Clock& clock)
      : poster_(poster), desktop_(desktop), clock_(clock) {}

  // A webhook is delivered by any 2xx. Redirects are not followed, since most turn a POST into a
  // GET. The delivery's id is `webhook-id` and `Idempotency-Key` on every attempt.
  Async<SendOutcome> send(Delivery delivery, WebhookRule webhook);

 private:
  Async<SendOutcome> post(Delivery delivery, WebhookRule webhook);
  Async<SendOutcome> show(Delivery delivery);

  HttpPoster& poster_;
  Desktop& desktop_;
  const Clock& clock_;
};

}  // namespace heddle::notify
