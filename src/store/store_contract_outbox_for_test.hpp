// Fixture of the OutboxContract suite: messages in every Store.
#pragma once

#include "store/store_contract_for_test.hpp"

namespace heddle::store::testing {

class OutboxContract : public StoreContract {
 protected:
  static Delivery delivery(const std::string& id, std::int64_t due) {
    return {.id = {id},
            .job = {"shop"},
            .run = {"r1"},
            .kind = DeliveryKind::desktop,
            .payload = "{\"title\":\"" + id + "\"}",
            .attempts = 0,
            .created_at = at(due),
            .due_at = at(due)};
  }

  // Stores a page with these messages.
  void store_deliveries(std::vector<Delivery> deliveries) {
    const RunId run = begin("r1", {"http://a/1"});
    auto result = page(lease_one(run), {1});
    result.deliveries = std::move(deliveries);
    ASSERT_TRUE(commit(std::move(result)));
  }

  std::vector<std::string> due(std::int64_t now, std::size_t max = 100) {
    auto found = run_async(store_->due_deliveries(at(now), max));
    EXPECT_TRUE(found) << found.error().message;
    std::vector<std::string> ids;
    if (found)
      for (const Delivery& one : *found) ids.push_back(one.id.text);
    return ids;
  }

  OutboxCounts counts() {
    auto found = reader()->outbox({"shop"});
    auto stored = run_async(store_->outbox_counts({"shop"}));
    EXPECT_TRUE(found);
    EXPECT_TRUE(stored);
    if (!found || !stored) return {};
    EXPECT_EQ(stored->waiting, found->waiting);
    EXPECT_EQ(stored->sent, found->sent);
    EXPECT_EQ(stored->dead, found->dead);
    return *found;
  }
};

}  // namespace heddle::store::testing
