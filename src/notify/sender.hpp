// Makes one attempt to send a message of the outbox and returns the outcome. Stateless: the caller
// decides about retries. One event loop; must outlive every send() it started.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/async.hpp"
#include "base/log/log.hpp"
#include "base/time.hpp"
#include "model/job/job.hpp"
#include "model/notify/delivery.hpp"
#include "notify/desktop.hpp"
#include "notify/http_post.hpp"

namespace heddle::notify {

enum class SendResult {
  delivered,
  try_again,  // may succeed later, a changed configuration included
  give_up,    // the receiver refuses further attempts (410 Gone), or the message is invalid
};

struct SendOutcome {
  SendResult result = SendResult::try_again;
  std::string error{};                                     // unless delivered
  std::optional<std::chrono::milliseconds> retry_after{};  // requested by the receiver
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
