// Measures the memory of a job that waits for its next run, over everything a daemon keeps of it:
// counted by the C library, in all threads.
#include <malloc.h>

#include "hub/jobs/scheduler_tests/job_scheduler_for_test.hpp"

namespace heddle::hub {
namespace {

constexpr int kJobs = 10'000;
// Besides its configuration. Most of it is the job's status, its id in every index and the growth
// of the database cache.
constexpr std::int64_t kMostBytesEach = 1500;

// Of the whole test program.
std::int64_t held_bytes() {
  const auto facts = mallinfo2();
  return static_cast<std::int64_t>(facts.uordblks + facts.hblkhd);
}

class IdleJobs : public JobSchedulerFixture {
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
    const std::int64_t before = held_bytes();
    const std::vector<Job> jobs = idle_jobs(count);
    return held_bytes() - before;
  }

  // How much the scheduler and its store grow with that many more jobs.
  std::int64_t growth(int count) {
    configure(idle_jobs(100));  // one-time allocations
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(drive(store_->put_job_name({{"z"}, "z", "web", ""})));
    loop_->poll();
    const std::int64_t before = held_bytes();
    configure(idle_jobs(count));
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(drive(store_->put_job_name({{"z"}, "z", "web", ""})));
    loop_->poll();
    return held_bytes() - before;
  }
};

TEST_F(IdleJobs, StayWithinTheMemoryLimit) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers allocate otherwise and count nothing";
#endif
  const std::int64_t each = (growth(kJobs) - bytes_of_jobs(kJobs - 100)) / (kJobs - 100);
  RecordProperty("bytes_per_idle_job", static_cast<int>(each));
  EXPECT_LT(each, kMostBytesEach);
  EXPECT_GT(each, 0) << "nothing was counted";
}

}  // namespace
}  // namespace heddle::hub
