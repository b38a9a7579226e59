// A job that starts every second, three times.
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <vector>

#include <heddle/jobs.hpp>

int main() {
  constexpr std::size_t kTimes = 3;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<heddle::jobs::Handle> jobs;

  heddle::jobs::Spec spec;
  spec.name = "report";
  spec.command = "echo report";
  heddle::jobs::Hook prepare;
  prepare.name = "prepare";
  prepare.command = "true";
  spec.hooks.pre_start = {prepare};

  const auto runner = heddle::jobs::Runner::create();
  const auto on_start = [&](const heddle::jobs::Handle& job) {
    const std::lock_guard lock(mutex);
    jobs.push_back(job);
    changed.notify_all();
  };
  const auto schedule = runner->schedule("* * * * * *", spec, on_start);
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return jobs.size() >= kTimes; });
  }
  runner->unschedule(schedule);
  for (std::size_t i = 0; i < kTimes; ++i)
    std::cout << "run " << i + 1 << ": " << to_text(jobs[i].wait()) << std::endl;
}
