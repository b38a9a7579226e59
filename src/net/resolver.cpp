#include "net/resolver.hpp"

#include <cstring>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>

#include "base/free_with.hpp"
#include "model/address_guard.hpp"

namespace heddle::net {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kThreads = 4;  // so that a few dead name servers do not hold up the others

using AddressList = std::unique_ptr<addrinfo, FreeWith<freeaddrinfo>>;

IpAddress address_of(const addrinfo& entry) {
  if (entry.ai_family == AF_INET) {
    sockaddr_in small{};
    std::memcpy(&small, entry.ai_addr, sizeof small);
    return IpAddress::v4(ntohl(small.sin_addr.s_addr));
  }
  sockaddr_in6 large{};
  std::memcpy(&large, entry.ai_addr, sizeof large);
  IpAddress::Bytes bytes{};
  std::memcpy(bytes.data(), &large.sin6_addr, bytes.size());
  return IpAddress::v6(bytes);
}

Async<Result<std::vector<IpAddress>>> look_up(std::string host) {  // blocks its thread
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* first = nullptr;
  const int failure = getaddrinfo(host.c_str(), nullptr, &hints, &first);
  if (failure != 0)
    co_return Error{ErrorCode::unavailable, fmt::format("the name {} could not be resolved ({})",
                                                        host, gai_strerror(failure))};
  const AddressList owner(first);
  std::vector<IpAddress> addresses;
  for (const addrinfo* entry = first; entry != nullptr; entry = entry->ai_next)
    if (entry->ai_family == AF_INET || entry->ai_family == AF_INET6)
      addresses.push_back(address_of(*entry));
  co_return addresses;
}

}  // namespace

struct Resolver::Impl {
  asio::thread_pool threads{kThreads};
};

Resolver::Resolver() = default;
Resolver::~Resolver() = default;

Async<Result<std::vector<IpAddress>>> Resolver::resolve(std::string host) {
  if (const auto literal = literal_address(host)) co_return std::vector{*literal};
  if (!impl_) impl_ = std::make_unique<Impl>();  // most projects use no proxy: no threads then
  co_return co_await asio::co_spawn(impl_->threads, look_up(std::move(host)), asio::use_awaitable);
}

}  // namespace heddle::net
