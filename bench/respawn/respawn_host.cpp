// Runs the program given by its arguments in one slot and restarts it without delay until SIGTERM.
#include <iostream>
#include <string>
#include <vector>

#include <heddle/supervise.hpp>

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: respawn_host PROGRAM [ARGUMENTS]\n";
    return 2;
  }
  heddle::Options options;
  options.signals = true;
  options.shutdown_timeout = std::chrono::seconds(2);
  const auto coordinator = heddle::Coordinator::create(std::move(options));
  heddle::ProcessSpec spec;
  spec.name = "child";
  spec.argv = std::vector<std::string>(argv + 1, argv + argc);
  spec.recover = true;
  coordinator->spawn(std::move(spec));
  coordinator->run();
}
