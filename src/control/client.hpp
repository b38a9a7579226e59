// ControlClient calls the control verbs of a daemon over its socket. Blocks; one thread.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/result.hpp"
#include "control/verbs.hpp"

namespace boost::asio {
class io_context;
}

namespace heddle::control {

class ControlClient {
 public:
  // `not_found` when no daemon listens there. `build`: this program's version.
  static Result<std::unique_ptr<ControlClient>> connect(const std::filesystem::path& socket,
                                                        std::string build);
  ~ControlClient();
  ControlClient(const ControlClient&) = delete;
  ControlClient& operator=(const ControlClient&) = delete;

  // `more_time`: besides the verb's timeout.
  template <class Request, class Response>
  Result<Response> call(const Verb<Request, Response>& verb, const Request& request,
                        std::chrono::milliseconds more_time = std::chrono::milliseconds(0)) {
    const auto timeout = verb.timeout == kNoTimeout ? kNoTimeout : verb.timeout + more_time;
    auto body = exchange(to_frame(verb, request), timeout);
    if (!body) return std::move(body).error();
    auto response = ipc::unpacked<Result<Response>>(*body);
    if (!response) return std::move(response).error().during("the daemon's answer");
    return std::move(*response);
  }

  // Called with notifications while a call waits.
  void on_notification(std::function<Status(const ipc::Frame&)> handler);
  void post(ipc::Frame notification);
  [[nodiscard]] boost::asio::io_context& loop();

 private:
  struct Connection;
  explicit ControlClient(std::unique_ptr<Connection> connection);
  // kNoTimeout: waits for as long as the daemon lives.
  Result<std::string> exchange(ipc::Frame request, std::chrono::milliseconds timeout);

  std::unique_ptr<Connection> connection_;
};

}  // namespace heddle::control
