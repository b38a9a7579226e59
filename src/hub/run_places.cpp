#include "hub/run_places.hpp"

#include <algorithm>
#include <utility>

namespace heddle::hub {

class RunPlaces::Place {
 public:
  Place(RunPlaces& places, JobEntry& entry) : places_(places), entry_(entry) {
    ++entry_.busy;
    ++places_.taken_;
  }
  ~Place() { places_.give_back(entry_); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  RunPlaces& places_;
  JobEntry& entry_;
};

RunPlaces::HeldPlace RunPlaces::take(JobEntry& entry) {
  return std::make_shared<Place>(*this, entry);
}

void RunPlaces::give_back(JobEntry& entry) {
  --entry.busy;
  --taken_;
  if (entry.is_waiting && !entry.is_busy() && !is_listed(entry)) waiting_.push_back(&entry);
  start_waiting();
  given_back_.ring();
}

void RunPlaces::set_count(std::size_t count) {
  count_ = count;
  start_waiting();
}

void RunPlaces::want(JobEntry& entry, std::string trigger, WallTime since) {
  const bool is_new = !entry.is_waiting;
  entry.is_waiting = true;
  entry.wish = WaitingRun{std::move(trigger), since};
  if (!is_new || entry.is_busy()) return;
  waiting_.push_back(&entry);
  start_waiting();
}

void RunPlaces::forget_wish(JobEntry& entry) {
  entry.is_waiting = false;
  entry.wish.reset();
  std::erase(waiting_, &entry);
}

bool RunPlaces::is_listed(const JobEntry& entry) const {
  return std::find(waiting_.begin(), waiting_.end(), &entry) != waiting_.end();
}

WaitingRuns RunPlaces::waiting() const {
  WaitingRuns waiting;
  for (const JobEntry* entry : waiting_) {
    ++waiting.count;
    waiting.since = std::min(waiting.since.value_or(entry->wish->since), entry->wish->since);
  }
  return waiting;
}

void RunPlaces::start_waiting() {
  while (!is_closed_ && !waiting_.empty() && !is_full()) {
    JobEntry& entry = *waiting_.front();
    waiting_.pop_front();
    if (entry.is_busy()) continue;  // it is listed again when that is over
    entry.is_waiting = false;
    start_(entry, entry.wish->trigger, take(entry));
  }
}

void RunPlaces::close() {
  is_closed_ = true;
  given_back_.ring();
}

Async<void> RunPlaces::idle() {
  while (taken_ > 0) co_await given_back_.wait();
}

}  // namespace heddle::hub
