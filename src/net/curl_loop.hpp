// Drives one libcurl multi handle, and with it one connection pool, from the Asio loop. Keeps the
// loop alive only while transfers are running. Internal to the module.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "net/curl_handles.hpp"

namespace heddle::net {

// Set as CURLOPT_PRIVATE of every handle given to a CurlLoop.
class TransferListener {
 public:
  virtual ~TransferListener() = default;
  virtual void on_finished(CURLcode outcome) = 0;
};

class CurlLoop : public std::enable_shared_from_this<CurlLoop> {
 public:
  CurlLoop(const boost::asio::any_io_executor& loop, long max_idle_connections);
  CurlLoop(const CurlLoop&) = delete;
  CurlLoop& operator=(const CurlLoop&) = delete;

  // Starts a transfer; its listener is called from the loop, never from inside this call.
  CURLMcode add(CURL* easy);
  // Aborts a transfer or removes a finished one. Must be called for each added one.
  void remove(CURL* easy);

  [[nodiscard]] int running() const { return running_; }

 private:
  using Clock = std::chrono::steady_clock;

  static int on_socket_request(CURL* easy, curl_socket_t socket, int what, void* self, void* known);
  static int on_timer_request(CURLM* multi, long milliseconds, void* self);

  void keep_waiting();
  void stop_waiting();
  void on_sockets_ready();
  void kick_soon();
  void arm_timer();
  void on_timer();
  void act(curl_socket_t socket, int events);
  void report_finished();

  // libcurl's sockets are in a separate epoll set, which Asio watches as one descriptor: a request
  // of libcurl costs one system call and no allocation.
  boost::asio::posix::stream_descriptor sockets_;
  boost::asio::steady_timer timer_;
  std::optional<Clock::time_point> wanted_;  // when libcurl asked to be called
  std::optional<Clock::time_point> armed_;   // when timer_ will fire
  bool is_kick_pending_ = false;
  bool is_waiting_ = false;
  unsigned wait_number_ = 0;  // distinguishes an abandoned wait from the current one
  int running_ = 0;
  CurlMulti multi_;  // last: its destructor still calls back
};

}  // namespace heddle::net
