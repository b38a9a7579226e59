// A process that crashes comes back when something outside is ready for it: here, when a file
// exists.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>

#include <heddle/supervise.hpp>
#include <unistd.h>

namespace {

using namespace std::chrono_literals;

// A client of some server: without it (the file) there is no point in running.
int serve() {
  heddle::child::enable_recovery();
  heddle::child::ready();
  if (heddle::child::occurrence() == 0) std::abort();
  while (!heddle::child::is_stop_requested()) std::this_thread::sleep_for(10ms);
  return 0;
}

void wait_for_file(const std::filesystem::path& gate, const heddle::RecoveryControl& control) {
  std::cout << "waiting for the gate" << std::endl;
  while (!std::filesystem::exists(gate))
    if (!control.wait_for(20ms)) return;  // shutdown has begun
  std::cout << "the gate is open" << std::endl;
  control.spawn();
}

}  // namespace

int main(int argc, char** argv) {
  heddle::define_worker("client", serve);
  if (const auto status = heddle::run_if_worker(argc, argv)) return *status;

  const auto gate =
      std::filesystem::temp_directory_path() / ("gated_respawn-" + std::to_string(getpid()));
  const auto coordinator = heddle::Coordinator::create({});
  std::thread outside;  // whoever opens the gate
  const auto subscription = coordinator->subscribe([&](const heddle::ProcessEvent& event) {
    if (event.reason == heddle::Reason::crash) {
      std::cout << event.name << " crashed" << std::endl;
      outside = std::thread([gate] {
        std::this_thread::sleep_for(300ms);
        std::ofstream(gate) << "open\n";
      });
    }
    if (event.reason == heddle::Reason::ready && event.occurrence == 1) {
      std::cout << event.name << " is back" << std::endl;
      coordinator->begin_shutdown(10s);
    }
  });
  heddle::ProcessSpec spec;
  spec.name = "client";
  spec.worker = "client";
  spec.policy = [](const heddle::RecoveryInfo& info) { return info.restarts_in_window < 5; };
  spec.runner = [gate](const heddle::RecoveryInfo&, const heddle::RecoveryControl& control) {
    wait_for_file(gate, control);
  };
  coordinator->spawn(std::move(spec));
  coordinator->run();
  if (outside.joinable()) outside.join();
  std::filesystem::remove(gate);
}
