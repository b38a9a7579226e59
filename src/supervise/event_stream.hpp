// Hands events to everybody who asked for them, in order, each once.
// publish() on the event loop only; subscribing and unsubscribing from any thread.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/log.hpp"
#include "supervise/process_event.hpp"

namespace heddle::supervise {

using EventHandler = std::function<void(const ProcessEvent&)>;

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
  friend class EventStream;
  struct Entry;
  explicit Subscription(std::shared_ptr<Entry> entry) : entry_(std::move(entry)) {}
  std::shared_ptr<Entry> entry_;
};

class EventStream {
 public:
  explicit EventStream(Log& log) : log_(log) {}

  // Called on the loop, with no lock held. A handler that throws is logged and stays.
  [[nodiscard]] Subscription subscribe(EventHandler handler);

  // An event published by a handler follows after every handler has seen the present one.
  void publish(ProcessEvent event);

 private:
  using Entries = std::vector<std::shared_ptr<Subscription::Entry>>;
  Entries present_entries();
  void hand_out(const ProcessEvent& event);

  Log& log_;
  std::mutex mutex_;  // guards entries_
  Entries entries_;
  std::deque<ProcessEvent> waiting_;
  bool is_publishing_ = false;
};

}  // namespace heddle::supervise
