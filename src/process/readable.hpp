// Waits on the loop until a descriptor is readable. The caller owns the descriptor and keeps it
// open until stop() or the destruction of this object.
#pragma once

#include <memory>

#include "base/async.hpp"

namespace heddle::process {

class Readable {
 public:
  Readable(const boost::asio::any_io_executor& loop, int descriptor);
  ~Readable();
  Readable(const Readable&) = delete;
  Readable& operator=(const Readable&) = delete;

  // True when there are bytes or an end of file to read; false when cancelled or stopped.
  Async<bool> wait();

  void stop();  // detaches the descriptor from the loop

 private:
  struct Watch;
  std::unique_ptr<Watch> watch_;
};

}  // namespace heddle::process
