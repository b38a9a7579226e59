// A dead letter: a page that could not be fetched, or a message that could not be delivered. Kept
// until it is retried or purged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/run/run.hpp"

namespace heddle {

using DeadLetterId = std::int64_t;  // increases, never reused

enum class DeadLetterOrigin { page, delivery };
std::string_view to_text(DeadLetterOrigin origin);
std::optional<DeadLetterOrigin> dead_letter_origin_from(std::string_view text);

struct DeadLetter {
  DeadLetterId id = 0;
  DeadLetterOrigin origin = DeadLetterOrigin::page;
  JobId job;
  RunId run;                           // in which it failed
  std::optional<TaskNumber> task;      // of a page
  std::optional<DeliveryId> delivery;  // of a message
  std::string payload;                 // a page's url, or the message
  std::string error_kind;              // a stable word, as in RunError
  std::string error;
  int attempts = 0;
  WallTime first_failed_at{};
  WallTime last_failed_at{};
  std::string slot{};  // the worker that tried it last; empty: not known
};

}  // namespace heddle
