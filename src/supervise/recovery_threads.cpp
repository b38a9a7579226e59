#include "supervise/recovery_threads.hpp"

#include <exception>
#include <system_error>

#include <pthread.h>
#include <signal.h>

namespace heddle::supervise {

namespace {

// The host's signal handlers run on the host's threads, not on ours.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

std::string error_of_running(const RecoveryThreads::Work& work) {
  try {
    work.runner(work.info, RecoveryControl(work.ticket));
    return "";
  } catch (const std::exception& error) {
    return std::string("the recovery runner failed: ") + error.what();
  } catch (...) {
    return "the recovery runner failed";
  }
}

}  // namespace

void RecoveryThreads::run(Work work) {
  join_returned();
  auto entry = std::make_unique<Thread>();
  // Owns all it touches: it may be the last one to know that there was a supervisor.
  auto body = [work, gate = gate_, has_returned = entry->has_returned] {
    const std::string error = error_of_running(work);
    work.ticket->release();
    gate->post([on_return = work.on_return, error] { on_return(error); });
    *has_returned = true;
  };
  try {
    const SignalsBlocked blocked;
    entry->thread = std::thread(std::move(body));
    threads_.push_back(std::move(entry));
  } catch (const std::system_error& error) {
    gate_->post([on_return = work.on_return, text = std::string(error.what())] {
      on_return("no thread for the recovery runner: " + text);
    });
  }
}

void RecoveryThreads::join_returned() {
  threads_.remove_if([](const std::unique_ptr<Thread>& entry) {
    if (!*entry->has_returned) return false;
    entry->thread.join();
    return true;
  });
}

RecoveryThreads::~RecoveryThreads() {
  join_returned();
  for (const auto& entry : threads_) entry->thread.detach();
}

}  // namespace heddle::supervise
