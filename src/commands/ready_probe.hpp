// Probes a local address to check whether a service is ready.
#pragma once

#include <chrono>
#include <string>

#include "base/async.hpp"

namespace heddle::commands {

// "tcp://127.0.0.1:5432": true when the connection is accepted. "http://127.0.0.1:8080/health":
// true when the response also has a status below 400. False otherwise, and after the timeout.
Async<bool> probe_address(std::string address, std::chrono::milliseconds timeout);

}  // namespace heddle::commands
