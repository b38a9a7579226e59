// Resolves host names on background threads. One event loop; not thread-safe.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "model/web/address.hpp"

namespace heddle::net {

class Resolver {
 public:
  Resolver();
  ~Resolver();  // waits for running lookups
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  // All addresses of a name, IPv4 and IPv6. A literal (brackets allowed) is its own address.
  // Returns an error at the deadline; the lookup continues in the background.
  Async<Result<std::vector<IpAddress>>> resolve(std::string host, Deadline deadline);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::net
