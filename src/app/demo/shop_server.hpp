// Serves the demo's shop on loopback, on a thread of its own.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"

namespace heddle::app::demo {

class ShopServer {
 public:
  // Port 0: any free one. Fails with a clear message when the port is taken.
  static Result<std::unique_ptr<ShopServer>> start(int port);

  virtual ~ShopServer() = default;
  [[nodiscard]] virtual int port() const = 0;
  virtual void show(std::string page) = 0;  // from now on; thread-safe
};

}  // namespace heddle::app::demo
