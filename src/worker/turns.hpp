// How many pages of a run are worked on at a time. One event loop; outlives the turns it gives.
#pragma once

#include <memory>
#include <utility>

#include "base/async.hpp"

namespace heddle::worker {

class Turns {
 public:
  // Given back once: by hand, or when it goes.
  class Turn {
   public:
    explicit Turn(Turns* from) : from_(from) {}
    Turn(Turn&& other) noexcept : from_(std::exchange(other.from_, nullptr)) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn() { give_back(); }

    void give_back() {
      if (Turns* from = std::exchange(from_, nullptr)) from->take_back();
    }

   private:
    Turns* from_;
  };

  Turns(boost::asio::any_io_executor loop, int count);
  ~Turns();
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  // Those who wait are served in the order they came.
  Async<Turn> take();

 private:
  struct Waiting;
  void take_back();

  std::unique_ptr<Waiting> waiting_;
};

}  // namespace heddle::worker
