// Serves the project's control socket: how commands find the daemon and act through it. One event
// loop.
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
#include "hub/active_runs.hpp"
#include "ipc/messages/control_messages.hpp"
#include "ipc/unix_socket.hpp"

namespace heddle::hub {

// What can be asked of a daemon.
class ControlService {
 public:
  virtual ~ControlService() = default;
  virtual ipc::DaemonStatus status() = 0;
  virtual ipc::MetricsText metrics() = 0;
  virtual Status restart_worker(int number) = 0;
  virtual Async<Result<ipc::FollowedRun>> run_job(ipc::RunJob wanted, RunFollower& follower,
                                                  std::function<void(const Run&)> on_begun) = 0;
  virtual void cancel(const RunId& run) = 0;
  virtual Async<Result<std::vector<ipc::JobAnswer>>> act(ipc::ActOnJobs wanted) = 0;
  virtual Async<Result<ipc::ReloadReport>> reload(bool is_trial) = 0;
  virtual Async<Result<ipc::LettersDone>> act_on_letters(ipc::ActOnLetters wanted) = 0;
};

// The service outlives the server and its visitors.
class ControlServer {
 public:
  // `build` is this program's: commands of another one are turned away, and so is who does not say
  // which one it is in time.
  ControlServer(boost::asio::any_io_executor loop, FileDescriptor listening,
                ControlService& service, std::string build,
                std::chrono::milliseconds hello_time = std::chrono::seconds(10));
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  // Until close(), or until visitors come to another socket. Those who are being served stay until
  // they are through.
  Async<void> serve();
  void close();
  [[nodiscard]] bool is_closed() const { return is_closed_; }
  // Serves those who come to this socket from now on, in the place of the former one. Not after
  // close().
  void move_to(FileDescriptor listening);

  // Returns when every question has its answer and every answer is on its way, or at the deadline.
  Async<void> answered(Deadline deadline);

 private:
  class Visitor;
  [[nodiscard]] bool is_anybody_waiting() const;

  boost::asio::any_io_executor loop_;
  std::optional<ipc::Doorman> door_;  // always there
  bool is_closed_ = false;
  ControlService& service_;
  std::string build_;
  std::chrono::milliseconds hello_time_;
  std::vector<std::weak_ptr<Visitor>> visitors_;
};

}  // namespace heddle::hub
