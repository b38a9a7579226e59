// Describes an event for receivers: the body of webhooks and the values for templates. Plain
// values; the items are not owned and must outlive the envelope.
#pragma once

#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/job/job.hpp"
#include "model/run/change.hpp"
#include "model/run/item.hpp"

namespace heddle {

struct Envelope {
  DeliveryId id;
  std::string event = "item.new";
  WallTime time{};
  JobId job;
  std::string job_name;
  RunId run;
  std::string url;  // of the page
  std::string severity = "info";
  std::string summary;  // one line for people; empty: "Shop: 3 new items, 1 change"
  std::vector<const Item*> items;
  std::vector<FieldChange> changes;
};

// The webhook's body (contract "notify", version 1). Every item is flat: its fields, then the
// keywords found as "keywords", which wins over a field of that name.
std::string webhook_body(const Envelope& envelope);

// The desktop notification's payload, {title, body, timeout_ms}, from the rule's templates. Tags:
// {job_name} {url} {item_count} {timestamp} {matches} {match_count}, then the first item's fields.
// {matches} are the keywords found in any of the items, each once; {match_count} is their number.
// Without items: the changes, in a text of its own.
std::string desktop_payload(const NotificationRule& rule, const Envelope& envelope);

}  // namespace heddle
