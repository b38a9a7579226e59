// Helpers for the module's tests: fetch from a TestSite and check the outcome.
#pragma once

#include <string>
#include <utility>

#include <boost/asio/this_coro.hpp>
#include <gtest/gtest.h>

#include "net/client.hpp"
#include "tests/support/run_async.hpp"

namespace heddle::net {

inline ClientSettings allowing_loopback() {
  ClientSettings settings;
  settings.network.allow = {"127.0.0.1"};
  return settings;
}

inline Async<FetchOutcome> fetch_once(ClientSettings settings, FetchRequest request,
                                      FetchOptions options) {
  auto client = Client::make(co_await boost::asio::this_coro::executor, std::move(settings));
  co_return co_await (*client)->fetch(std::move(request), options);
}

inline FetchOutcome fetch(FetchRequest request, FetchOptions options = {},
                          ClientSettings settings = allowing_loopback()) {
  return heddle::testing::run_async(fetch_once(std::move(settings), std::move(request), options));
}

inline FetchRequest get(std::string url) {
  FetchRequest request;
  request.url = std::move(url);
  return request;
}

inline FetchOutcome fetch(std::string url) {
  return fetch(get(std::move(url)));
}

inline FetchResponse expect_response(FetchOutcome outcome) {
  if (const auto* error = std::get_if<FetchError>(&outcome)) {
    ADD_FAILURE() << to_text(error->kind) << ": " << error->message;
    return {};
  }
  return std::get<FetchResponse>(std::move(outcome));
}

inline FetchError expect_error(FetchOutcome outcome) {
  if (const auto* response = std::get_if<FetchResponse>(&outcome)) {
    ADD_FAILURE() << response->url << " answered with status " << response->status;
    return {};
  }
  return std::get<FetchError>(std::move(outcome));
}

}  // namespace heddle::net
