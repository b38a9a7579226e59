// Fixture of the DeadLetterContract suite: dead letters in every Store.
#pragma once

#include <algorithm>

#include "store/store_contract_outbox_for_test.hpp"

namespace heddle::store::testing {

class DeadLetterContract : public OutboxContract {
 protected:
  // Stores a run in which each of these pages is dead-lettered.
  void dead_letter_pages(const std::string& run, std::vector<std::string> urls,
                         const std::string& job = "shop") {
    const RunId id = begin(run, std::move(urls), job);
    for (const Lease& leased : lease(id).leases) {
      TaskDeath death;
      death.lease = leased;
      death.job = {job};
      death.error = {ErrorKind::timeout, "too slow", leased.task.url};
      death.at = at(4000);
      ASSERT_TRUE(run_async(store_->dead_letter(std::move(death))));
    }
    ASSERT_TRUE(end(id, RunState::failed));
  }

  std::vector<DeadLetter> dead_letters(const std::string& job = "") {
    auto found = dead_letters_of(*reader(), {job}, 100);
    EXPECT_TRUE(found) << found.error().message;
    return found ? std::move(*found) : std::vector<DeadLetter>();
  }

  std::vector<DeadLetterId> ids(const std::string& job = "") {
    std::vector<DeadLetterId> all;
    for (const DeadLetter& dead_letter : dead_letters(job)) all.push_back(dead_letter.id);
    return all;
  }

  std::vector<std::string> urls(const std::string& job = "") {
    std::vector<std::string> all;
    for (const DeadLetter& dead_letter : dead_letters(job)) all.push_back(dead_letter.payload);
    return all;
  }

  Result<std::int64_t> retry(const std::string& run, std::vector<DeadLetterId> which,
                             const std::string& job = "shop") {
    return run_async(store_->begin_run_of_dead_letters(new_run(run, job), std::move(which)));
  }

  std::size_t events(const std::string& kind) {
    auto all = reader()->events(0, 1000);
    EXPECT_TRUE(all);
    return static_cast<std::size_t>(std::count_if(
        all->begin(), all->end(), [&](const StoredEvent& event) { return event.kind == kind; }));
  }
};

}  // namespace heddle::store::testing
