// ShopServer serves the demo's shop on loopback on its own thread.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"

namespace heddle::app::demo {

class ShopServer {
 public:
  // Port 0: any free one. Fails when the port is in use.
  static Result<std::unique_ptr<ShopServer>> start(int port);

  virtual ~ShopServer() = default;
  [[nodiscard]] virtual int port() const = 0;
  virtual void show(std::string page) = 0;  // replaces the page; thread-safe
};

}  // namespace heddle::app::demo
