// Fixture of the CostContract suite: cost and figures of runs in every Store.
#pragma once

#include "store/store_contract_for_test.hpp"

namespace heddle::store::testing {

class CostContract : public StoreContract {
 protected:
  heddle::Run found(const RunId& run) {
    auto stored = reader()->run(run);
    EXPECT_TRUE(stored && *stored);
    return stored && *stored ? std::move(**stored) : heddle::Run{};
  }

  // Stores a run of one page with this body.
  void show(const std::string& run, const std::string& body,
            const std::vector<std::uint64_t>& items) {
    auto result = page(lease_one(begin(run, {"http://a/1"})), items);
    result.snapshot = Snapshot{.content_hash = hash128(body), .size = body.size()};
    result.snapshot->compressed = body;
    ASSERT_TRUE(commit(std::move(result)));
    ASSERT_TRUE(end({run}));
  }

  TaskRetry retry(const Lease& lease) {
    return {lease,    {ErrorKind::timeout, "too slow", ""}, at(2000), {},
            at(2000), {std::chrono::milliseconds(7), 2}};
  }
};

}  // namespace heddle::store::testing
