#include "supervise/slot_event_stream.hpp"

#include <atomic>
#include <exception>

namespace heddle::supervise {

struct Subscription::Entry {
  explicit Entry(SlotEventHandler handler_in) : handler(std::move(handler_in)) {}
  SlotEventHandler handler;
  std::atomic<bool> is_cancelled{false};
};

Subscription& Subscription::operator=(Subscription&& other) noexcept {
  if (this != &other) {
    cancel();
    entry_ = std::move(other.entry_);
  }
  return *this;
}

void Subscription::cancel() {
  if (entry_) entry_->is_cancelled = true;
  entry_.reset();
}

Subscription SlotEventStream::subscribe(SlotEventHandler handler) {
  auto entry = std::make_shared<Subscription::Entry>(std::move(handler));
  const std::lock_guard lock(mutex_);
  entries_.push_back(entry);
  return Subscription(std::move(entry));
}

void SlotEventStream::publish(SlotEvent event) {
  queue_.push_back(std::move(event));
  if (is_publishing_) return;
  is_publishing_ = true;
  while (!queue_.empty()) {
    const SlotEvent next = std::move(queue_.front());
    queue_.pop_front();
    dispatch(next);
  }
  is_publishing_ = false;
}

SlotEventStream::Entries SlotEventStream::active_entries() {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [](const auto& entry) { return entry->is_cancelled.load(); });
  return entries_;
}

void SlotEventStream::dispatch(const SlotEvent& event) {
  for (const auto& entry : active_entries()) {
    if (entry->is_cancelled) continue;
    try {
      entry->handler(event);
    } catch (const std::exception& error) {
      log_.error(std::string("a handler of process events failed: ") + error.what());
    } catch (...) {
      log_.error("a handler of process events failed");
    }
  }
}

}  // namespace heddle::supervise
