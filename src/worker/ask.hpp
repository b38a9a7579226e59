// One question to the coordinator and its typed answer.
#pragma once

#include <utility>

#include "base/async.hpp"
#include "base/result.hpp"
#include "ipc/caller.hpp"
#include "ipc/messages/worker_message_values.hpp"

namespace heddle::worker {

template <class T>
Async<Result<T>> ask(ipc::Caller& coordinator, ipc::Frame question) {
  auto answer = co_await coordinator.ask(std::move(question));
  if (!answer) co_return std::move(answer).error();
  auto value = ipc::unpacked<Result<T>>(answer->body);
  if (!value) co_return std::move(value).error().during("answer of the coordinator");
  co_return std::move(*value);
}

}  // namespace heddle::worker
