#include "supervise/recovery/respawn_threads.hpp"

#include <exception>
#include <system_error>

#include <pthread.h>
#include <signal.h>

namespace heddle::supervise {

namespace {

// The host's signal handlers must run on the host's threads only.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_{};
};

std::string run_and_catch(const RespawnThreads::Work& work) {
  try {
    work.runner(work.crash, RespawnControl(work.permit));
    return "";
  } catch (const std::exception& error) {
    return std::string("the recovery runner failed: ") + error.what();
  } catch (...) {
    return "the recovery runner failed";
  }
}

}  // namespace

void RespawnThreads::run(Work work) {
  join_returned();
  auto entry = std::make_unique<Thread>();
  // Owns everything it uses, because it may outlive the supervisor.
  auto body = [work, gate = gate_, has_returned = entry->has_returned] {
    const std::string error = run_and_catch(work);
    work.permit->release();
    gate->post([on_return = work.on_return, error] { on_return(error); });
    *has_returned = true;
  };
  try {
    const BlockedSignals blocked;
    entry->thread = std::thread(std::move(body));
    threads_.push_back(std::move(entry));
  } catch (const std::system_error& error) {
    gate_->post([on_return = work.on_return, text = std::string(error.what())] {
      on_return("no thread for the recovery runner: " + text);
    });
  }
}

void RespawnThreads::join_returned() {
  threads_.remove_if([](const std::unique_ptr<Thread>& entry) {
    if (!*entry->has_returned) return false;
    entry->thread.join();
    return true;
  });
}

RespawnThreads::~RespawnThreads() {
  join_returned();
  for (const auto& entry : threads_) entry->thread.detach();
}

}  // namespace heddle::supervise
