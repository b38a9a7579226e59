#include "hub/runs/run_slots.hpp"

#include <algorithm>

namespace heddle::hub {

RunSlots::HeldRunSlot RunSlots::acquire(ManagedJob& entry) {
  ++entry.busy;
  ++in_use_;
  return {&entry, [this](ManagedJob* held) { release(*held); }};
}

void RunSlots::release(ManagedJob& entry) {
  --entry.busy;
  --in_use_;
  const bool is_in_queue = std::find(queue_.begin(), queue_.end(), &entry) != queue_.end();
  if (entry.is_queued && !entry.is_busy() && !is_in_queue) queue_.push_back(&entry);
  start_queued();
  released_.notify();
}

void RunSlots::set_limit(std::size_t limit) {
  limit_ = limit;
  start_queued();
}

void RunSlots::enqueue(ManagedJob& entry, RunTrigger trigger, WallTime since) {
  const bool is_new = !entry.is_queued;
  entry.is_queued = true;
  entry.queued_run = QueuedRun{trigger, since};
  if (!is_new || entry.is_busy()) return;
  queue_.push_back(&entry);
  start_queued();
}

void RunSlots::remove_from_queue(ManagedJob& entry) {
  entry.is_queued = false;
  entry.queued_run.reset();
  std::erase(queue_, &entry);
}

QueuedRuns RunSlots::queued() const {
  QueuedRuns queued;
  for (const ManagedJob* entry : queue_) {
    ++queued.count;
    queued.since =
        std::min(queued.since.value_or(entry->queued_run->since), entry->queued_run->since);
  }
  return queued;
}

void RunSlots::start_queued() {
  while (!is_closed_ && !queue_.empty() && !is_full()) {
    ManagedJob& entry = *queue_.front();
    queue_.pop_front();
    if (entry.is_busy()) continue;  // queued again when that ends
    entry.is_queued = false;
    start_(entry, entry.queued_run->trigger, acquire(entry));
  }
}

void RunSlots::close() {
  is_closed_ = true;
  released_.notify();
}

Async<void> RunSlots::idle() {
  while (in_use_ > 0) co_await released_.wait();
}

}  // namespace heddle::hub
