#include "net/resolver.hpp"

#include <cstring>
#include <optional>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>

#include "base/free_with.hpp"
#include "base/text.hpp"
#include "model/web/address_guard.hpp"

namespace heddle::net {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kThreads = 4;  // so that a few dead name servers do not block the others

struct Lookup {
  Lookup(const asio::any_io_executor& loop, Deadline deadline) : done(loop, deadline) {}
  asio::steady_timer done;  // fires at the deadline, cancelled when the answer is there
  std::optional<Result<std::vector<IpAddress>>> found;
};

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

constexpr std::string_view kThisMachine = "localhost";

// "localhost" and all below it mean this machine, whatever its files or a name server say (RFC
// 6761).
bool is_this_machine(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  if (host.size() < kThisMachine.size()) return false;
  const std::string_view rest = host.substr(0, host.size() - kThisMachine.size());
  return equals_ignoring_case(host.substr(rest.size()), kThisMachine) &&
         (rest.empty() || rest.ends_with('.'));
}

std::vector<IpAddress> loopback_addresses() {
  IpAddress::Bytes one{};
  one.back() = 1;
  return {IpAddress::v4(INADDR_LOOPBACK), IpAddress::v6(one)};
}

Result<std::vector<IpAddress>> look_up(const std::string& host) {  // blocks its thread
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* first = nullptr;
  const int failure = getaddrinfo(host.c_str(), nullptr, &hints, &first);
  if (failure != 0)
    return Error{ErrorCode::unavailable, fmt::format("the name {} could not be resolved ({})", host,
                                                     gai_strerror(failure))};
  const AddressList owner(first);
  std::vector<IpAddress> addresses;
  for (const addrinfo* entry = first; entry != nullptr; entry = entry->ai_next)
    if (entry->ai_family == AF_INET || entry->ai_family == AF_INET6)
      addresses.push_back(address_of(*entry));
  return addresses;
}

}  // namespace

struct Resolver::Impl {
  asio::thread_pool threads{kThreads};
};

Resolver::Resolver() = default;
Resolver::~Resolver() = default;

Async<Result<std::vector<IpAddress>>> Resolver::resolve(std::string host, Deadline deadline) {
  if (const auto literal = literal_address(host)) co_return std::vector{*literal};
  if (is_this_machine(host)) co_return loopback_addresses();
  if (!impl_) impl_ = std::make_unique<Impl>();  // most projects use no proxy: no threads then
  const asio::any_io_executor loop = co_await asio::this_coro::executor;
  const auto lookup = std::make_shared<Lookup>(loop, deadline);
  // The lookup is moved along with the answer: its timer must be destroyed on the loop's thread.
  asio::post(impl_->threads, [shared = lookup, loop, host]() mutable {
    asio::post(loop, [mine = std::move(shared), found = look_up(host)]() mutable {
      mine->found = std::move(found);
      mine->done.cancel();
    });
  });
  const auto [reason] = co_await lookup->done.async_wait(asio::as_tuple(asio::use_awaitable));
  if (lookup->found) co_return std::move(*lookup->found);
  if (reason) throw boost::system::system_error(asio::error::operation_aborted);
  co_return Error{ErrorCode::timeout, fmt::format("the name {} was not resolved in time", host)};
}

}  // namespace heddle::net
