// ControlServer serves the project's control socket, through which commands reach the daemon.
// Single event loop; the service outlives the server and its sessions.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/file_descriptor.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "hub/runs/dispatch/active_runs.hpp"
#include "ipc/messages/control_messages.hpp"
#include "ipc/unix_socket.hpp"

namespace heddle::hub {

// The operations of a daemon that clients can request.
class ControlService {
 public:
  virtual ~ControlService() = default;
  virtual ipc::DaemonStatus status() = 0;
  virtual ipc::MetricsText metrics() = 0;
  virtual Status restart_worker(int number) = 0;
  virtual Async<Result<ipc::FollowedRun>> run_job(ipc::RunJob wanted, RunObserver& observer,
                                                  std::function<void(const Run&)> on_begun) = 0;
  virtual void cancel(const RunId& run) = 0;
  virtual Async<Result<std::vector<ipc::JobActionResult>>> act(ipc::ActOnJobs wanted) = 0;
  virtual Async<Result<ipc::ReloadReport>> reload(bool dry_run) = 0;
  virtual Async<Result<ipc::DeadLettersDone>> act_on_dead_letters(ipc::ActOnDeadLetters wanted) = 0;
};

class ControlServer {
 public:
  // `build` is this program's version: clients of another build, and clients that do not complete
  // the handshake in time, are rejected.
  ControlServer(boost::asio::any_io_executor loop, FileDescriptor listening,
                ControlService& service, std::string build,
                std::chrono::milliseconds handshake_timeout = std::chrono::seconds(10));
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  // Returns after close() or move_to(). Open sessions continue.
  Async<void> serve();
  void close();
  [[nodiscard]] bool is_closed() const { return is_closed_; }
  // Accepts clients on this socket instead of the previous one. Not after close().
  void move_to(FileDescriptor listening);

  // Returns when every request is answered and every response sent, or at the deadline.
  Async<void> drain(Deadline deadline);

 private:
  class ControlSession;
  [[nodiscard]] bool has_pending_responses() const;

  boost::asio::any_io_executor loop_;
  std::optional<ipc::Acceptor> acceptor_;  // never empty
  bool is_closed_ = false;
  ControlService& service_;
  std::string build_;
  std::chrono::milliseconds handshake_timeout_;
  std::vector<std::weak_ptr<ControlSession>> sessions_;
};

}  // namespace heddle::hub
