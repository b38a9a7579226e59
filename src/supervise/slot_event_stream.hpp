// Delivers events to all subscribers, in order, each once.
// publish() on the event loop only; subscribing and unsubscribing from any thread.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/log/log.hpp"
#include "supervise/slot_event.hpp"

namespace heddle::supervise {

using SlotEventHandler = std::function<void(const SlotEvent&)>;

// Ends the subscription when destroyed; may be destroyed inside its own handler, and may outlive
// the stream.
class Subscription {
 public:
  Subscription() = default;
  ~Subscription() { cancel(); }
  Subscription(Subscription&& other) noexcept = default;
  Subscription& operator=(Subscription&& other) noexcept;

  void cancel();

 private:
  friend class SlotEventStream;
  struct Entry;
  explicit Subscription(std::shared_ptr<Entry> entry) : entry_(std::move(entry)) {}
  std::shared_ptr<Entry> entry_;
};

class SlotEventStream {
 public:
  explicit SlotEventStream(Log& log) : log_(log) {}

  // Handlers are called on the loop without a lock. A handler that throws is logged and kept.
  [[nodiscard]] Subscription subscribe(SlotEventHandler handler);

  // An event published by a handler is delivered after all handlers have seen the current one.
  void publish(SlotEvent event);

 private:
  using Entries = std::vector<std::shared_ptr<Subscription::Entry>>;
  Entries active_entries();
  void dispatch(const SlotEvent& event);

  Log& log_;
  std::mutex mutex_;  // guards entries_
  Entries entries_;
  std::deque<SlotEvent> queue_;
  bool is_publishing_ = false;
};

}  // namespace heddle::supervise
