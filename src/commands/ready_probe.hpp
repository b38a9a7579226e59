// Asks an address of this machine whether a service is ready.
#pragma once

#include <chrono>
#include <string>

#include "base/async.hpp"

namespace heddle::commands {

// "tcp://127.0.0.1:5432": somebody accepts. "http://127.0.0.1:8080/health": and answers with a
// status below 400. False otherwise, and after that time.
Async<bool> answers(std::string address, std::chrono::milliseconds at_most);

}  // namespace heddle::commands
