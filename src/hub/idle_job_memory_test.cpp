// What a job that waits for its time costs in memory, over all that a daemon keeps of it: counted
// where C++ allocates, in every thread.
#include <atomic>
#include <cstdlib>
#include <new>

#include <malloc.h>

#include "hub/driver_for_test.hpp"

namespace {

std::atomic<std::int64_t> held_bytes{0};  // of this whole test program

void* allocate(std::size_t size) {
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  held_bytes += static_cast<std::int64_t>(malloc_usable_size(memory));
  return memory;
}

void release(void* memory) noexcept {
  if (memory == nullptr) return;
  held_bytes -= static_cast<std::int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) {
  return allocate(size);
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}

namespace heddle::hub {
namespace {

constexpr int kJobs = 10'000;
// Beside what it is configured to do. Most of it is the job's life, which is kept whole, and its id
// once more in every table that finds it by that.
constexpr std::int64_t kMostBytesEach = 1200;

class IdleJobs : public DriverFixture {
 protected:
  static std::vector<Job> idle_jobs(int count) {
    std::vector<Job> jobs;
    jobs.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      jobs.push_back(job("job-" + std::to_string(i), "0 3 * * *"));
    }
    return jobs;
  }

  static std::int64_t bytes_of_jobs(int count) {
    const std::int64_t before = held_bytes;
    const std::vector<Job> jobs = idle_jobs(count);
    return held_bytes - before;
  }

  // By what so many more jobs make the driver and its store grow.
  std::int64_t growth(int count) {
    adopt(idle_jobs(100));  // what is there once
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(drive(store_->remember_job({{"z"}, "z", "web", ""})));
    loop_->poll();
    const std::int64_t before = held_bytes;
    adopt(idle_jobs(count));
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(drive(store_->remember_job({{"z"}, "z", "web", ""})));
    loop_->poll();
    return held_bytes - before;
  }
};

TEST_F(IdleJobs, CostNoMoreMemoryThanIsKnown) {
  const std::int64_t each = (growth(kJobs) - bytes_of_jobs(kJobs - 100)) / (kJobs - 100);
  RecordProperty("bytes_per_idle_job", static_cast<int>(each));
  EXPECT_LT(each, kMostBytesEach);
  EXPECT_GT(each, 0) << "nothing was counted";
}

}  // namespace
}  // namespace heddle::hub
