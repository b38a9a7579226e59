// Answers a coroutine that waits on its event loop from a database thread.
//
// The waiting coroutine belongs to its call until the answer is posted to its executor. When the
// event loop is destroyed first, its calls are dropped with it (as its timers and sockets are) and
// a later answer is discarded. Cancelling a call has no effect: it ends soon and then reports truly
// whether the data is stored.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/async.hpp"

namespace heddle::store {

class AnyWaitingCall {
 public:
  virtual ~AnyWaitingCall() = default;
  // Releases the coroutine without an answer; called once, with the registry locked.
  virtual std::shared_ptr<void> take_coroutine() = 0;
};

// The unanswered calls of one event loop. Shared by its service below and the calls, because either
// may be destroyed first.
struct WaitingCalls {
  std::mutex mutex;
  std::list<AnyWaitingCall*> calls;
};

// Belongs to the event loop; Asio calls shutdown() when the loop is destroyed.
class WaitingCallsService final : public boost::asio::execution_context::service {
 public:
  static inline boost::asio::execution_context::id id;  // NOLINT: Asio finds the service by it

  explicit WaitingCallsService(boost::asio::execution_context& loop)
      : boost::asio::execution_context::service(loop) {}

  [[nodiscard]] const std::shared_ptr<WaitingCalls>& registry() const { return registry_; }

 private:
  void shutdown() override {
    std::list<std::shared_ptr<void>> coroutines;  // destroyed unlocked: they may own anything
    const std::lock_guard lock(registry_->mutex);
    for (AnyWaitingCall* call : registry_->calls) coroutines.push_back(call->take_coroutine());
    registry_->calls.clear();
  }

  std::shared_ptr<WaitingCalls> registry_ = std::make_shared<WaitingCalls>();
};

// The database thread's side of a call that returns a T.
template <class T>
class WaitingCall : public AnyWaitingCall {
 public:
  virtual void answer(T value) = 0;  // once, from any thread
};

template <class T, class Handler>
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): the check misses a dependent base
class HandlerCall final : public WaitingCall<T> {
 public:
  explicit HandlerCall(Handler handler)
      : executor_(boost::asio::prefer(boost::asio::get_associated_executor(handler),
                                      boost::asio::execution::outstanding_work.tracked)),
        handler_(std::make_shared<Handler>(std::move(handler))) {
    auto& loop = boost::asio::query(*executor_, boost::asio::execution::context);
    registry_ = boost::asio::use_service<WaitingCallsService>(loop).registry();
    const std::lock_guard lock(registry_->mutex);
    position_ = registry_->calls.insert(registry_->calls.end(), this);
  }

  ~HandlerCall() override {
    const std::lock_guard lock(registry_->mutex);
    if (handler_) registry_->calls.erase(position_);
  }
  HandlerCall(const HandlerCall&) = delete;
  HandlerCall& operator=(const HandlerCall&) = delete;

  // Posts under the lock: the loop cannot be destroyed in between.
  void answer(T value) override {
    const std::lock_guard lock(registry_->mutex);
    if (!handler_) return;
    registry_->calls.erase(position_);
    auto resume = [handler = std::move(handler_), value = std::move(value)]() mutable {
      auto call = std::move(*handler);
      handler.reset();
      std::move(call)(std::move(value));
    };
    boost::asio::post(*executor_, std::move(resume));
    executor_.reset();
  }

  std::shared_ptr<void> take_coroutine() override {
    executor_.reset();
    return std::move(handler_);
  }

 private:
  std::optional<boost::asio::any_io_executor> executor_;  // tracked: keeps run() from returning
  std::shared_ptr<Handler> handler_;                      // null when answered or dropped
  std::shared_ptr<WaitingCalls> registry_;
  std::list<AnyWaitingCall*>::iterator position_;
};

// Suspends the caller, gives `start` a shared_ptr<WaitingCall<T>> and resumes with its answer.
template <class T, class Start>
Async<T> wait_for_answer(Start start) {
  return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void(T)>(
      [](auto handler, Start begin) {
        using Handler = std::decay_t<decltype(handler)>;
        std::move(begin)(std::make_shared<HandlerCall<T, Handler>>(std::move(handler)));
      },
      boost::asio::use_awaitable, std::move(start));
}

}  // namespace heddle::store
