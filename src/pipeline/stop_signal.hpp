// StopSignal ends a run early: waits for a host are abandoned, requests in flight finish.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/async.hpp"
#include "base/time.hpp"
#include "net/hosts/host_gate.hpp"

namespace heddle::pipeline {

// One event loop; outlives its waiters.
class StopSignal {
 public:
  explicit StopSignal(const boost::asio::any_io_executor& loop);
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  void request();
  [[nodiscard]] bool is_requested() const;
  Async<void> wait();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Waits for the host grant; nullopt when `stop` or `deadline` came first. `stop` may be null.
Async<std::optional<net::HostGrant>> enter_gate(net::HostGate& gate, std::string host,
                                                StopSignal* stop, Deadline deadline);

}  // namespace heddle::pipeline
