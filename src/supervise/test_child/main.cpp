// A supervised process that performs the actions of its arguments in order:
//   attach | attach-asking   send the hello (stop by SIGTERM | by request)
//   ready | beat | draining | recover | work=N
//   serve                    with an event loop: ready, echo every frame, drain on request
//   grow-at=FILE             uses 32 MB more once FILE exists
//   slow-drain=MS            how long `serve` takes to drain
//   first=ACTION             only in occurrence 0
//   exit=N | signal=N | hang | sleep=MS | beat-forever | until-asked
//   close-channel | frame=TYPE | garbage
//   late-report=FILE         leaves a process behind that sends "draining" once FILE exists
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ipc/frame.hpp"
#include "supervise/child/blocking_child_link.hpp"
#include "supervise/child/child_environment.hpp"
#include "supervise/child/child_link.hpp"

namespace heddle::supervise {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

Async<int> serve(std::chrono::milliseconds drain_time) {
  auto attached = co_await ChildLink::attach();
  if (!attached) co_return 3;
  const std::unique_ptr<ChildLink> link = std::move(*attached);
  const Status assigned = co_await link->assigned();
  if (!assigned) co_return 3;
  asio::steady_timer exit_timer(co_await asio::this_coro::executor);
  link->set_drain_handler([&] {
    link->begin_draining();
    exit_timer.expires_after(drain_time);
    exit_timer.async_wait([](auto) { std::_Exit(0); });
  });
  link->ready();
  for (;;) {
    auto frame = co_await link->receive();
    if (!frame) co_return 4;
    link->set_working_on(frame->number);
    ipc::Frame answer = std::move(*frame);
    const auto sent = co_await link->channel().send(std::move(answer));
    if (!sent) co_return 5;
  }
}

void grow_at(const std::string& file) {
  while (!std::filesystem::exists(file)) std::this_thread::sleep_for(5ms);
  static const std::string memory(32 << 20, 'x');
  std::this_thread::sleep_for(std::chrono::hours(1));
}

class TestChild {
 public:
  void run(const std::string& word) {
    const auto equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (name == "first") {
      if (occurrence() == 0) run(value);
      return;
    }
    if (talk(name, value) || misbehave(name, value) || wait(name, value)) return;
    std::cerr << "unknown action " << word << "\n";
    std::_Exit(99);
  }

 private:
  static int occurrence() {
    const char* text = std::getenv(kOccurrenceName);
    return text ? std::atoi(text) : 0;
  }

  static std::chrono::milliseconds time(const std::string& value) {
    return std::chrono::milliseconds(std::stoi(value));
  }

  void attach(StopMethod stop_method) {
    auto link = BlockingChildLink::attach(stop_method);
    if (!link) std::_Exit(98);
    link_.emplace(std::move(*link));
  }

  bool talk(const std::string& name, const std::string& value) {
    if (name == "attach") return attach(StopMethod::signal), true;
    if (name == "attach-asking") return attach(StopMethod::request), true;
    if (name == "ready") return link_->ready(), true;
    if (name == "beat") return link_->heartbeat(), true;
    if (name == "draining") return link_->begin_draining(), true;
    if (name == "recover") return link_->enable_recovery(), true;
    if (name == "work") return link_->set_working_on(std::stoull(value)), true;
    if (name == "grow-at") return std::thread(grow_at, value).detach(), true;
    if (name == "slow-drain") return drain_time_ = time(value), true;
    if (name == "serve") {
      asio::io_context loop;
      auto code = asio::co_spawn(loop, serve(drain_time_), asio::use_future);
      loop.run();
      std::_Exit(code.get());
    }
    return false;
  }

  bool misbehave(const std::string& name, const std::string& value) {
    if (name == "exit") _exit(std::stoi(value));
    if (name == "signal") {
      const rlimit none{0, 0};
      setrlimit(RLIMIT_CORE, &none);
      signal(std::stoi(value), SIG_DFL);
      kill(getpid(), std::stoi(value));
      return true;
    }
    if (name == "close-channel") return shutdown(kChannelDescriptor, SHUT_RDWR) == 0;
    if (name == "garbage") return send_bytes("this is not a frame at all, not even nearly"), true;
    if (name == "frame") {
      std::string bytes(ipc::kFrameHeaderBytes, '\0');
      ipc::write_header({static_cast<std::uint16_t>(std::stoi(value)), 7, 0}, bytes.data());
      return send_bytes(bytes), true;
    }
    if (name == "hang-as-first-spare") {
      const bool is_spare = std::getenv(kSpareName) != nullptr;
      if (is_spare && open(value.c_str(), O_CREAT | O_EXCL | O_CLOEXEC, 0600) >= 0) pause();
      return true;
    }
    if (name == "late-report") return leave_process_behind(value), true;
    return false;
  }

  static void send_bytes(const std::string& bytes) {
    if (send(kChannelDescriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0) std::_Exit(97);
  }

  // In its own session and group, so that killing the slot's process does not kill it.
  void leave_process_behind(const std::string& file) {
    int ends[2];
    if (pipe(ends) != 0) std::_Exit(96);
    if (fork() != 0) {
      char byte = 0;  // else it might be killed with our group
      if (read(ends[0], &byte, 1) != 1) std::_Exit(95);
      return;
    }
    setsid();
    if (write(ends[1], "x", 1) != 1) std::_Exit(94);
    while (!std::filesystem::exists(file)) std::this_thread::sleep_for(5ms);
    link_->begin_draining();
    std::filesystem::rename(file, file + ".done");
    std::_Exit(0);
  }

  bool wait(const std::string& name, const std::string& value) {
    if (name == "sleep") return std::this_thread::sleep_for(time(value)), true;
    if (name == "hang") {
      for (;;) pause();
    }
    while (name == "beat-forever") {
      link_->heartbeat();
      std::this_thread::sleep_for(5ms);
    }
    if (name == "until-asked") {
      while (!link_->is_stop_requested()) std::this_thread::sleep_for(2ms);
      return true;
    }
    return false;
  }

  std::optional<BlockingChildLink> link_;
  std::chrono::milliseconds drain_time_{0};
};

}  // namespace
}  // namespace heddle::supervise

int main(int argc, char** argv) {
  heddle::supervise::TestChild child;
  for (int i = 1; i < argc; ++i) child.run(argv[i]);
  return 0;
}
