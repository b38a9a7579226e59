// The program `heddle-shepherd`; see protocol.hpp for its arguments.
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

#include "process/shepherd/shepherd.hpp"

namespace {

constexpr int kWrongUse = 64;  // EX_USAGE
constexpr int kFirstProgramArgument = 5;

}  // namespace

int main(int argc, char** argv) {
  using namespace heddle::process::shepherd;
  if (argc <= kFirstProgramArgument || strtoul(argv[1], nullptr, 10) != kVersion) {
    fprintf(stderr, "heddle-shepherd is started by heddle (protocol version %u)\n", kVersion);
    return kWrongUse;
  }
  ShepherdSetup setup;
  setup.control = static_cast<int>(strtol(argv[2], nullptr, 10));
  setup.claim = static_cast<int>(strtol(argv[3], nullptr, 10));
  setup.leftover_grace_ms = strtoll(argv[4], nullptr, 10);
  setup.program = argv + kFirstProgramArgument;
  setup.environment = environ;
  return Shepherd(setup).run();
}
