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
  if (entry.is_waiting && !entry.is_busy()) waiting_.push_back(&entry);
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
  entry.waiting_for = std::move(trigger);
  entry.waiting_since = since;
  if (!is_new || entry.is_busy()) return;
  waiting_.push_back(&entry);
  start_waiting();
}

void RunPlaces::forget_wish(JobEntry& entry) {
  entry.is_waiting = false;
  std::erase(waiting_, &entry);
}

WaitingRuns RunPlaces::waiting() const {
  WaitingRuns waiting;
  for (const JobEntry* entry : waiting_) {
    ++waiting.count;
    waiting.since = std::min(waiting.since.value_or(entry->waiting_since), entry->waiting_since);
  }
  return waiting;
}

void RunPlaces::start_waiting() {
  while (!is_closed_ && !waiting_.empty() && !is_full()) {
    JobEntry& entry = *waiting_.front();
    waiting_.pop_front();
    entry.is_waiting = false;
    start_(entry, std::move(entry.waiting_for), take(entry));
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
