#include "supervise/loop_gate.hpp"

#include <boost/asio/post.hpp>

namespace heddle::supervise {

void LoopGate::post(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  if (executor_) boost::asio::post(*executor_, std::move(work));
}

void LoopGate::close() {
  const std::lock_guard lock(mutex_);
  executor_.reset();
}

}  // namespace heddle::supervise
