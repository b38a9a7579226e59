#include "net/curl_loop.hpp"

#include <array>
#include <cstdint>
#include <stdexcept>

#include <boost/asio/post.hpp>
#include <sys/epoll.h>

namespace heddle::net {

namespace asio = boost::asio;

namespace {

// libcurl only checks whether the pointer is null: any address marks a socket as known.
void* const kKnownSocket = reinterpret_cast<void*>(1);  // NOLINT(performance-no-int-to-ptr)

int make_epoll() {
  const int descriptor = epoll_create1(EPOLL_CLOEXEC);
  if (descriptor < 0) throw std::runtime_error("epoll_create1 failed: out of descriptors?");
  return descriptor;
}

std::uint32_t epoll_events(int what) {
  std::uint32_t events = 0;
  if ((what & CURL_POLL_IN) != 0) events |= EPOLLIN;
  if ((what & CURL_POLL_OUT) != 0) events |= EPOLLOUT;
  return events;
}

int curl_events(std::uint32_t events) {
  int mask = 0;
  if ((events & (EPOLLIN | EPOLLHUP)) != 0) mask |= CURL_CSELECT_IN;
  if ((events & EPOLLOUT) != 0) mask |= CURL_CSELECT_OUT;
  if ((events & EPOLLERR) != 0) mask |= CURL_CSELECT_ERR;
  return mask;
}

}  // namespace

CurlLoop::CurlLoop(const asio::any_io_executor& loop, long max_idle_connections)
    : sockets_(loop, make_epoll()), timer_(loop), multi_(curl_multi_init()) {
  CURLM* multi = multi_.get();
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, &CurlLoop::on_socket_request);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, &CurlLoop::on_timer_request);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, max_idle_connections);
}

CURLMcode CurlLoop::add(CURL* easy) {
  ++running_;
  const CURLMcode outcome = curl_multi_add_handle(multi_.get(), easy);
  if (outcome == CURLM_OK)
    keep_waiting();
  else
    --running_;
  return outcome;
}

void CurlLoop::remove(CURL* easy) {
  curl_multi_remove_handle(multi_.get(), easy);
  if (--running_ == 0) stop_waiting();
}

int CurlLoop::on_socket_request(CURL* /*easy*/, curl_socket_t socket, int what, void* self,
                                void* known) {
  auto& loop = *static_cast<CurlLoop*>(self);
  const int set = loop.sockets_.native_handle();
  epoll_event event{};
  if (what == CURL_POLL_REMOVE) {
    epoll_ctl(set, EPOLL_CTL_DEL, socket, &event);
    return 0;
  }
  event.events = epoll_events(what);
  event.data.fd = socket;
  if (known == nullptr) {
    if (epoll_ctl(set, EPOLL_CTL_ADD, socket, &event) != 0)
      epoll_ctl(set, EPOLL_CTL_MOD, socket, &event);
    curl_multi_assign(loop.multi_.get(), socket, kKnownSocket);
  } else if (epoll_ctl(set, EPOLL_CTL_MOD, socket, &event) != 0) {
    epoll_ctl(set, EPOLL_CTL_ADD, socket, &event);
  }
  return 0;
}

int CurlLoop::on_timer_request(CURLM* /*multi*/, long milliseconds, void* self) {
  auto& loop = *static_cast<CurlLoop*>(self);
  if (milliseconds < 0) {
    loop.wanted_.reset();
    return 0;
  }
  loop.wanted_ = Clock::now() + std::chrono::milliseconds(milliseconds);
  if (milliseconds == 0)
    loop.kick_soon();  // calling libcurl from inside its own callback is not allowed
  else
    loop.arm_timer();
  return 0;
}

void CurlLoop::keep_waiting() {
  if (is_waiting_ || running_ == 0) return;
  is_waiting_ = true;
  sockets_.async_wait(
      asio::posix::stream_descriptor::wait_read,
      [weak = weak_from_this(), number = ++wait_number_](boost::system::error_code failure) {
        const auto self = weak.lock();
        if (failure || !self || number != self->wait_number_) return;
        self->is_waiting_ = false;
        self->on_sockets_ready();
        self->keep_waiting();
      });
}

void CurlLoop::stop_waiting() {
  if (is_waiting_) sockets_.cancel();
  is_waiting_ = false;
  ++wait_number_;
  if (armed_) timer_.cancel();
  armed_.reset();
}

void CurlLoop::on_sockets_ready() {
  std::array<epoll_event, 64> events{};
  while (true) {
    const int count = epoll_wait(sockets_.native_handle(), events.data(), events.size(), 0);
    for (int i = 0; i < count; ++i) {
      const epoll_event& event = events[static_cast<std::size_t>(i)];
      int running = 0;
      curl_multi_socket_action(multi_.get(), event.data.fd, curl_events(event.events), &running);
    }
    if (count < static_cast<int>(events.size())) break;
  }
  report_finished();
}

void CurlLoop::kick_soon() {
  if (is_kick_pending_) return;
  is_kick_pending_ = true;
  asio::post(timer_.get_executor(), [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->is_kick_pending_ = false;
    self->on_timer();
  });
}

// The timer is postponed only when it fires: libcurl changes its timeout often.
void CurlLoop::arm_timer() {
  if (!wanted_ || running_ == 0 || (armed_ && *armed_ <= *wanted_)) return;
  armed_ = wanted_;
  timer_.expires_at(*armed_);
  timer_.async_wait([weak = weak_from_this()](boost::system::error_code failure) {
    const auto self = weak.lock();
    if (failure || !self) return;
    self->armed_.reset();
    self->on_timer();
  });
}

void CurlLoop::on_timer() {
  if (wanted_ && *wanted_ <= Clock::now()) {
    wanted_.reset();
    act(CURL_SOCKET_TIMEOUT, 0);
  }
  arm_timer();
}

void CurlLoop::act(curl_socket_t socket, int events) {
  int running = 0;
  curl_multi_socket_action(multi_.get(), socket, events, &running);
  report_finished();
}

void CurlLoop::report_finished() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    TransferListener* listener = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &listener);
    if (listener != nullptr) listener->on_finished(message->data.result);
  }
}

}  // namespace heddle::net
