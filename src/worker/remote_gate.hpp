// The host gate as a worker process has it: the coordinator keeps the one gate of the project, so
// that all workers together are polite. One event loop.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "ipc/caller.hpp"
#include "net/host_gate.hpp"

namespace heddle::worker {

// The caller outlives the gate.
class RemoteGate final : public net::HostGate {
 public:
  explicit RemoteGate(ipc::Caller& coordinator);
  ~RemoteGate() override;

  Async<net::HostGrant> enter(std::string host) override;
  void slow_down(std::string_view host, Deadline until) override;
  void keep_apart(std::string_view host, std::chrono::milliseconds delay) override;

  // The coordinator says that it is this wish's turn.
  void granted(std::uint64_t wish);

 private:
  struct Wishes;
  std::shared_ptr<Wishes> wishes_;  // shared with grants and those who wait
};

}  // namespace heddle::worker
