#include "ipc/version.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <unistd.h>

#include "ipc/pack.hpp"
#include "ipc/values/generic.hpp"

namespace heddle::ipc {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kLongestWord = 100;
constexpr std::string_view kAdvice =
    ": the program was replaced while it ran; stop it and start it again";

Error corrupt(std::string message) {
  return {ErrorCode::corrupt, std::move(message)};
}

// It ends up in messages to people: short and printable.
std::string unpack_word(Unpacker& unpacker) {
  const std::string_view word = unpacker.text_view();
  const bool is_printable =
      std::all_of(word.begin(), word.end(), [](char c) { return c >= ' ' && c <= '~'; });
  if (word.size() > kLongestWord || !is_printable) unpacker.fail();
  return unpacker.is_fine() ? std::string(word) : std::string();
}

Result<Hello> read_hello(const Result<Frame>& frame) {
  if (!frame) return frame.error();
  if (frame->type != kHelloType) return corrupt("the other side does not say hello first");
  return unpacked_hello(frame->body);
}

}  // namespace

Hello make_hello(std::string role, std::string build) {
  return {.build = std::move(build), .pid = getpid(), .role = std::move(role)};
}

std::string packed_hello(const Hello& hello) {
  Packer packer;
  packer.number(hello.version);
  packer.text(hello.role);
  packer.text(hello.build);
  packer.signed_number(hello.pid);
  return packer.take();
}

Result<Hello> unpacked_hello(std::string_view bytes) {
  Unpacker unpacker(bytes);
  Hello hello;
  unpack(unpacker, hello.version);
  hello.role = unpack_word(unpacker);
  if (!unpacker.is_fine()) return corrupt("the other side's hello cannot be understood");
  if (hello.version != kProtocolVersion) return hello;
  hello.build = unpack_word(unpacker);
  hello.pid = unpacker.signed_number();
  if (!unpacker.is_complete()) return corrupt("the other side's hello cannot be understood");
  return hello;
}

Status check_hello(const Hello& theirs, const Hello& ours) {
  if (theirs.version != ours.version)
    return Error{ErrorCode::conflict,
                 theirs.role + " speaks protocol " + std::to_string(theirs.version) + ", this " +
                     ours.role + " " + std::to_string(ours.version) + std::string(kAdvice)};
  if (theirs.build != ours.build)
    return Error{ErrorCode::conflict, theirs.role + " is build " + theirs.build + ", this " +
                                          ours.role + " " + ours.build + std::string(kAdvice)};
  return Done{};
}

Async<Result<Hello>> exchange_hello(Channel& channel, Hello ours, Deadline deadline) {
  using namespace asio::experimental::awaitable_operators;
  if (!channel.post({kHelloType, 0, packed_hello(ours)}))
    co_return Error{ErrorCode::unavailable, "the channel is closed"};
  asio::steady_timer alarm(co_await asio::this_coro::executor, deadline);
  auto winner =
      co_await (channel.receive() || alarm.async_wait(asio::as_tuple(asio::use_awaitable)));
  if (winner.index() == 1)
    co_return Error{ErrorCode::timeout, "the other side did not say hello in time"};
  auto theirs = read_hello(std::get<0>(winner));
  if (!theirs) co_return theirs;
  if (auto status = check_hello(*theirs, ours); !status) co_return std::move(status).error();
  co_return theirs;
}

}  // namespace heddle::ipc
