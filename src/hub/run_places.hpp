// The places for runs: so many jobs may be seen to at once, the others wait in the order in which
// they came. One event loop; the entries outlive it, and it outlives those who hold a place.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "base/async.hpp"
#include "base/doorbell.hpp"
#include "hub/driver_parts.hpp"

namespace heddle::hub {

class RunPlaces {
 public:
  // The job is busy while it lives.
  class Place;
  using HeldPlace = std::shared_ptr<Place>;
  // A place is free for the run that the job waits for.
  using Start = std::function<void(JobEntry&, std::string trigger, HeldPlace place)>;

  RunPlaces(std::size_t count, Start start) : count_(count), start_(std::move(start)) {}

  void set_count(std::size_t count);
  // For whoever sees to the job, whether or not there is room.
  HeldPlace take(JobEntry& entry);
  [[nodiscard]] bool is_full() const { return taken_ >= count_; }
  [[nodiscard]] std::size_t taken() const { return taken_; }

  // A run of the job starts when there is a place and its former run is over.
  void want(JobEntry& entry, std::string trigger, WallTime since);
  void forget_wish(JobEntry& entry);
  [[nodiscard]] WaitingRuns waiting() const;

  // Nothing starts from here on.
  void close();
  [[nodiscard]] bool is_closed() const { return is_closed_; }

  // Rings when a place was given back.
  [[nodiscard]] Doorbell& given_back() { return given_back_; }
  // Returns when no place is taken.
  Async<void> idle();

 private:
  void give_back(JobEntry& entry);
  void start_waiting();
  [[nodiscard]] bool is_listed(const JobEntry& entry) const;

  std::size_t count_;
  Start start_;
  std::deque<JobEntry*> waiting_;
  std::size_t taken_ = 0;
  bool is_closed_ = false;
  Doorbell given_back_;
};

}  // namespace heddle::hub
