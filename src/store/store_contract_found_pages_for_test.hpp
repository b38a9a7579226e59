// Fixture of FoundPagesContract: a run whose pages find further ones.
#pragma once

#include "store/store_contract_for_test.hpp"

namespace heddle::store::testing {

class FoundPagesContract : public StoreContract {
 protected:
  RunId begin_finding(std::vector<std::string> urls, std::int64_t most_pages = 100) {
    heddle::Run run = new_run("r1", "shop");
    run.most_pages = most_pages;
    EXPECT_TRUE(run_async(store_->begin_run(run, std::move(urls))));
    return run.id;
  }

  static FoundPage found(const std::string& path, int depth = 1, bool is_baseline = false) {
    return {"http://a" + path, hash128(path), depth, is_baseline};
  }

  static PageResult page_with(const Lease& lease, std::vector<FoundPage> found) {
    PageResult result = page(lease, {});
    result.found = std::move(found);
    return result;
  }

  std::int64_t store_found(const Lease& lease, std::vector<FoundPage> found) {
    auto receipt = commit(page_with(lease, std::move(found)));
    EXPECT_TRUE(receipt) << receipt.error().message;
    return receipt ? receipt->found_pages : -1;
  }

  heddle::Run stored(const RunId& run) {
    auto found = run_async(store_->find_run(run));
    EXPECT_TRUE(found && *found);
    return found && *found ? **found : heddle::Run{};
  }

  std::vector<std::string> urls_of(const TaskBatch& batch) {
    std::vector<std::string> urls;
    for (const Lease& lease : batch.leases) urls.push_back(lease.task.url);
    return urls;
  }
};

}  // namespace heddle::store::testing
