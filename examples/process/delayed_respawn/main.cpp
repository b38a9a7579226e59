// A process that crashes comes back after three seconds, and somebody counts.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

#include <heddle/supervise.hpp>

namespace {

using namespace std::chrono_literals;

int crash_the_first_time() {
  heddle::child::enable_recovery();
  heddle::child::ready();
  if (heddle::child::occurrence() == 0) std::abort();
  while (!heddle::child::is_stop_requested()) std::this_thread::sleep_for(10ms);
  return 0;
}

// On a thread of its own: it may block as long as it likes.
void count_down(const heddle::RecoveryInfo& info, const heddle::RecoveryControl& control) {
  for (int seconds = 3; seconds > 0; --seconds) {
    std::cout << info.name << " comes back in " << seconds << std::endl;
    if (!control.wait_for(1s)) return;  // shutdown has begun
  }
  control.spawn();
}

}  // namespace

int main(int argc, char** argv) {
  heddle::define_worker("worker", crash_the_first_time);
  if (const auto status = heddle::run_if_worker(argc, argv)) return *status;

  heddle::Options options;
  options.signals = true;  // Ctrl-C ends it properly, also during the countdown
  const auto coordinator = heddle::Coordinator::create(std::move(options));
  heddle::set_recovery_runner(count_down);
  const auto subscription = coordinator->subscribe([&](const heddle::ProcessEvent& event) {
    std::cout << event.name << ", occurrence " << event.occurrence << ": "
              << heddle::to_string(event.reason) << std::endl;
    const bool is_back = event.reason == heddle::Reason::ready && event.occurrence == 1;
    if (is_back) coordinator->begin_shutdown(10s);
  });
  heddle::ProcessSpec spec;
  spec.name = "worker";
  spec.worker = "worker";
  coordinator->spawn(std::move(spec));
  const heddle::ShutdownReport report = coordinator->run();
  std::cout << report.killed.size() << " had to be killed" << std::endl;
}
