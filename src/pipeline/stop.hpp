// A run's wish to end: whoever waits for a host's turn gives up, requests under way finish.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/async.hpp"
#include "base/time.hpp"
#include "net/host_gate.hpp"

namespace heddle::pipeline {

// One event loop; outlives those who wait on it.
class Stop {
 public:
  explicit Stop(const boost::asio::any_io_executor& loop);
  ~Stop();
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;

  void request();
  [[nodiscard]] bool is_requested() const;
  Async<void> requested();  // returns when it is

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The host's grant; nullopt when the wish to end or `deadline` came first. `stop` may be null.
Async<std::optional<net::HostGrant>> enter_gate(net::HostGate& gate, std::string host, Stop* stop,
                                                Deadline deadline);

}  // namespace heddle::pipeline
