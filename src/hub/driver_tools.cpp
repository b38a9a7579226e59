#include "hub/driver_tools.hpp"

#include <utility>

#include <boost/asio/co_spawn.hpp>

#include "base/rethrow_bug.hpp"

namespace heddle::hub {

void DriverTools::spawn(Async<void> work) const {
  boost::asio::co_spawn(loop, std::move(work), rethrow_bug);
}

}  // namespace heddle::hub
