// Looks names up in DNS off the loop's thread. Lives on one loop; not thread-safe.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "model/address.hpp"

namespace heddle::net {

class Resolver {
 public:
  Resolver();
  ~Resolver();  // waits for lookups under way
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  // All addresses of a name, IPv4 and IPv6. A literal (brackets allowed) is its own address.
  // Gives up at the deadline; the lookup itself goes on unheard.
  Async<Result<std::vector<IpAddress>>> resolve(std::string host, Deadline deadline);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::net
