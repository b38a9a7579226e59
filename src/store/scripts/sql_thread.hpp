// Runs scripts' SQL on one thread and answers waiting coroutines. Thread-safe.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/async.hpp"
#include "base/result.hpp"
#include "store/scripts/script_database.hpp"
#include "store/scripts/sql_session.hpp"
#include "store/sqlite/core/waiting_call.hpp"
#include "store/sqlite/core/work_queue.hpp"

namespace heddle::store {

class SqlCommand {
 public:
  explicit SqlCommand(JobId job) : job_(std::move(job)) {}
  virtual ~SqlCommand() = default;
  SqlCommand(const SqlCommand&) = delete;
  SqlCommand& operator=(const SqlCommand&) = delete;

  // Runs and answers; nullptr: only answers that the database is closed.
  virtual void run(SqlSession* session) = 0;
  [[nodiscard]] const JobId& job() const { return job_; }

 private:
  JobId job_;
};

class SqlThread {
 public:
  explicit SqlThread(std::unique_ptr<SqlSession> session);
  ~SqlThread();  // runs and answers what is queued, then stops the thread
  SqlThread(const SqlThread&) = delete;
  SqlThread& operator=(const SqlThread&) = delete;

  void submit(std::unique_ptr<SqlCommand> command);
  [[nodiscard]] std::optional<ScriptDatabase::Running> running() const;

 private:
  void work();
  void set_running(std::optional<ScriptDatabase::Running> running);

  std::unique_ptr<SqlSession> session_;
  mutable std::mutex mutex_;
  std::optional<ScriptDatabase::Running> running_;
  WorkQueue<SqlCommand> queue_;
  std::thread thread_;  // last: it uses all of the above
};

template <class T, class Work>
class SqlCall final : public SqlCommand {
 public:
  SqlCall(JobId job, Work work, std::shared_ptr<WaitingCall<Result<T>>> caller)
      : SqlCommand(std::move(job)), work_(std::move(work)), caller_(std::move(caller)) {}

  void run(SqlSession* session) override {
    caller_->answer(session != nullptr
                        ? work_(*session, job())
                        : Result<T>(Error{ErrorCode::unavailable, "the database is closed"}));
  }

 private:
  Work work_;
  std::shared_ptr<WaitingCall<Result<T>>> caller_;
};

// The thread calls `work` with the session and the job; it returns Result<T>.
template <class T, class Work>
Async<Result<T>> run_on(SqlThread& thread, JobId job, Work work) {
  auto start = [&thread, job = std::move(job),
                work = std::move(work)](std::shared_ptr<WaitingCall<Result<T>>> caller) mutable {
    thread.submit(
        std::make_unique<SqlCall<T, Work>>(std::move(job), std::move(work), std::move(caller)));
  };
  return wait_for_answer<Result<T>>(std::move(start));
}

}  // namespace heddle::store
