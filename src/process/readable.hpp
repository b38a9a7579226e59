// Lends a descriptor to the loop, to be told when it can be read. The descriptor stays the caller's
// and must be open until stop() or the end of this object.
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

  // True when there is something to read, or an end of file; false when cancelled or stopped.
  Async<bool> wait();

  void stop();  // takes the descriptor back from the loop

 private:
  struct Watch;
  std::unique_ptr<Watch> watch_;
};

}  // namespace heddle::process
