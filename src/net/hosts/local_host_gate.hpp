// The host gate of one process (the coordinator, for all its workers). Keeps state only for hosts
// that are in use or waited for. One event loop; not thread-safe.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "model/job/job.hpp"
#include "net/hosts/host_gate.hpp"
#include "net/hosts/host_pace.hpp"

namespace heddle::net {

class LocalHostGate final : public HostGate {
 public:
  LocalHostGate(boost::asio::any_io_executor loop, HostLimits limits,
                std::map<std::string, HostRule> hosts);
  ~LocalHostGate() override;

  Async<HostGrant> enter(std::string host) override;
  void slow_down(std::string_view host, Deadline until) override;
  void keep_apart(std::string_view host, std::chrono::milliseconds delay) override;

  // Takes effect immediately; running requests finish.
  void set_limits(HostLimits limits, std::map<std::string, HostRule> hosts);

  [[nodiscard]] std::size_t remembered_hosts() const;

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace heddle::net
