// Connects the store's coroutines to its threads: one call, its work, its answer.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "base/async.hpp"
#include "base/result.hpp"
#include "store/sqlite/core/group_writer.hpp"
#include "store/sqlite/core/read_thread.hpp"
#include "store/sqlite/core/waiting_call.hpp"

namespace heddle::store {

// The writer thread calls `Work` once inside the transaction; it returns Result<T>. An optional
// member committed(T) is called when the data is durable, before the answer.
template <class T, class Work>
class WriteCall final : public WriteCommand {
 public:
  WriteCall(Work work, std::shared_ptr<WaitingCall<Result<T>>> caller)
      : work_(std::move(work)), caller_(std::move(caller)) {}

  bool run() override {
    result_ = work_();
    return static_cast<bool>(result_);
  }

  void finish(const Error* lost) override {
    if (lost != nullptr && (result_ || !has_run())) result_ = *lost;
    if constexpr (requires(Work & work, const T& answer) { work.committed(answer); })
      if (result_) work_.committed(*result_);
    caller_->answer(std::move(result_));
  }

 private:
  [[nodiscard]] bool has_run() const { return result_ || result_.error().code != kNotRun; }

  static constexpr ErrorCode kNotRun = ErrorCode::timeout;  // no work returns this code

  Work work_;
  std::shared_ptr<WaitingCall<Result<T>>> caller_;
  Result<T> result_ = Error{kNotRun, "the store did not come to this"};
};

template <class T, class Work>
Async<Result<T>> write_through(GroupWriter& writer, Work work) {
  auto start = [&writer,
                work = std::move(work)](std::shared_ptr<WaitingCall<Result<T>>> caller) mutable {
    writer.submit(std::make_unique<WriteCall<T, Work>>(std::move(work), std::move(caller)));
  };
  return wait_for_answer<Result<T>>(std::move(start));
}

template <class T, class Work>
class ReadCall final : public ReadCommand {
 public:
  ReadCall(Work work, std::shared_ptr<WaitingCall<Result<T>>> caller)
      : work_(std::move(work)), caller_(std::move(caller)) {}

  void run(const Error* refused) override {
    caller_->answer(refused != nullptr ? Result<T>(*refused) : work_());
  }

 private:
  Work work_;
  std::shared_ptr<WaitingCall<Result<T>>> caller_;
};

template <class T, class Work>
Async<Result<T>> read_through(ReadThread& reader, Work work) {
  auto start = [&reader,
                work = std::move(work)](std::shared_ptr<WaitingCall<Result<T>>> caller) mutable {
    reader.submit(std::make_unique<ReadCall<T, Work>>(std::move(work), std::move(caller)));
  };
  return wait_for_answer<Result<T>>(std::move(start));
}

}  // namespace heddle::store
