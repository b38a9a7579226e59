// Calls the coordinator and decodes the typed reply.
#pragma once

#include <utility>

#include "base/async.hpp"
#include "base/result.hpp"
#include "ipc/rpc_peer.hpp"
#include "ipc/worker_messages.hpp"

namespace heddle::worker {

template <class T>
Async<Result<T>> call(ipc::RpcPeer& coordinator, ipc::Frame request) {
  auto reply = co_await coordinator.call(std::move(request));
  if (!reply) co_return std::move(reply).error();
  auto value = ipc::unpacked<Result<T>>(reply->body);
  if (!value) co_return std::move(value).error().during("answer of the coordinator");
  co_return std::move(*value);
}

}  // namespace heddle::worker
