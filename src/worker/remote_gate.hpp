// RemoteGate forwards host grants of a worker process to the coordinator, which owns the one gate
// of the project, so that the limits hold for all workers together. One event loop.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "ipc/rpc_peer.hpp"
#include "net/hosts/host_gate.hpp"

namespace heddle::worker {

// The caller outlives the gate.
class RemoteGate final : public net::HostGate {
 public:
  explicit RemoteGate(ipc::RpcPeer& coordinator);
  ~RemoteGate() override;

  Async<net::HostGrant> enter(std::string host) override;
  void slow_down(std::string_view host, Deadline until) override;
  void keep_apart(std::string_view host, std::chrono::milliseconds delay) override;

  // The coordinator has granted this request.
  void on_granted(std::uint64_t request);

 private:
  struct Requests;
  std::shared_ptr<Requests> requests_;  // shared with grants and waiters
};

}  // namespace heddle::worker
