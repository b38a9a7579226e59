// Four processes end in four ways; their coordinator tells them apart.
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <map>

#include <heddle/supervise.hpp>

namespace {

std::string describe(const heddle::ProcessEvent& event) {
  switch (event.reason) {
    case heddle::Reason::crash:
      return "crashed (" + event.detail + ")";
    case heddle::Reason::normal_exit:
      return "exited";
    default:
      return "left without a word (" + event.detail + ")";
  }
}

int fail() {
  std::_Exit(7);
}

int get_killed() {
  std::raise(SIGKILL);  // what the kernel does to whoever uses up the memory
  return 0;
}

int finish() {
  return 0;  // run_if_worker() announces that it drains
}

int vanish() {
  std::_Exit(0);  // nobody is told
}

}  // namespace

int main(int argc, char** argv) {
  heddle::define_worker("importer", fail);
  heddle::define_worker("indexer", get_killed);
  heddle::define_worker("reporter", finish);
  heddle::define_worker("cleaner", vanish);
  if (const auto status = heddle::run_if_worker(argc, argv)) return *status;

  const auto coordinator = heddle::Coordinator::create({});
  std::map<std::uint32_t, std::string> ends;
  const auto subscription = coordinator->subscribe([&](const heddle::ProcessEvent& event) {
    if (!heddle::is_death(event.reason)) return;
    ends[event.slot] = event.name + ": " + describe(event);
    if (ends.size() == 4) coordinator->begin_shutdown(std::chrono::seconds(1));
  });
  for (const char* name : {"importer", "indexer", "reporter", "cleaner"}) {
    heddle::ProcessSpec spec;
    spec.name = name;
    spec.worker = name;
    coordinator->spawn(std::move(spec));
  }
  coordinator->run();
  for (const auto& [slot, end] : ends) std::cout << "slot " << slot << ", " << end << "\n";
}
