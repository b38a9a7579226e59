// A data processing job with hooks around it: download and validate before, a note to the team
// beside, upload and clean up after.
#include <chrono>
#include <iostream>
#include <mutex>
#include <thread>

#include <heddle/jobs.hpp>

namespace {

using namespace std::chrono_literals;
using heddle::jobs::FailureMode;
using heddle::jobs::Hook;
using heddle::jobs::RunMode;

Hook hook(const std::string& name, const std::string& command, FailureMode failure,
          RunMode mode = RunMode::blocking) {
  Hook out;
  out.name = name;
  out.command = command;
  out.failure = failure;
  out.mode = mode;
  return out;
}

// Lines come from the runner's thread and from ours.
class Screen {
 public:
  void line(std::string_view text) {
    const std::lock_guard lock(mutex_);
    std::cout << text << std::endl;
  }

 private:
  std::mutex mutex_;
};

heddle::jobs::Spec data_processor(Screen& screen) {
  heddle::jobs::Spec job;
  job.name = "data-processor";
  job.command = "echo Processing data...; sleep 3; echo Data processing completed";
  job.hooks.pre_start = {
      hook("download-data", "echo Downloading input data...", FailureMode::fail),
      hook("validate-input", "echo Validating input data...", FailureMode::fail),
  };
  job.hooks.post_start = {
      hook("notify-start", "sleep 0.5; echo Notifying team that job started...",
           FailureMode::ignore, RunMode::async),
  };
  job.hooks.post_stop = {
      hook("upload-results", "echo Uploading results...", FailureMode::retry),
      hook("cleanup-workspace", "echo Cleaning up workspace...", FailureMode::ignore),
      hook("notify-completion", "echo Notifying team that job completed...", FailureMode::ignore,
           RunMode::async),
  };
  job.on_output = [&screen](const heddle::jobs::OutputLine& line) { screen.line(line.text); };
  return job;
}

bool has_notified(const heddle::jobs::Status& status) {
  for (const heddle::jobs::HookStatus& hook : status.hooks)
    if (hook.name == "notify-start" && hook.state == "succeeded") return true;
  return false;
}

}  // namespace

int main() {
  Screen screen;
  screen.line("=== Heddle Job Lifecycle Hooks Example ===\n");
  const auto runner = heddle::jobs::Runner::create();

  screen.line("--- Starting data processing job ---");
  const heddle::jobs::Handle job = runner->start(data_processor(screen));
  job.wait_until(has_notified);
  std::this_thread::sleep_for(200ms);  // its line is on the screen by then

  screen.line("\n--- Monitoring job progress ---");
  for (int look = 0; look < 2; ++look) {
    screen.line("Job status: " + to_text(job.status()));
    std::this_thread::sleep_for(500ms);
  }
  const heddle::jobs::Status end = job.wait();
  screen.line("Job status: " + to_text(end));

  screen.line("\n=== Job Example completed ===");
  return end.phase == heddle::jobs::Phase::succeeded ? 0 : 1;
}
