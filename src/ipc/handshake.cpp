#include "ipc/handshake.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "ipc/pack.hpp"
#include "ipc/values/generic.hpp"

namespace heddle::ipc {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kMaxWordLength = 100;
constexpr std::string_view kAdvice =
    ": the program was replaced while the daemon was running; restart the daemon: `heddle down`, "
    "then `heddle up` (under systemd: `systemctl restart`)";

Error corrupt(std::string message) {
  return {ErrorCode::corrupt, std::move(message)};
}

// Shown in messages to users: short and printable.
std::string unpack_word(Unpacker& unpacker) {
  const std::string_view word = unpacker.text_view();
  const bool is_printable =
      std::all_of(word.begin(), word.end(), [](char c) { return c >= ' ' && c <= '~'; });
  if (word.size() > kMaxWordLength || !is_printable) unpacker.fail();
  return unpacker.is_ok() ? std::string(word) : std::string();
}

std::string pid_text(const Handshake& handshake) {
  return handshake.pid == 0 ? "" : fmt::format(" (pid {})", handshake.pid);
}

Result<Handshake> read_handshake(const Result<Frame>& frame) {
  if (!frame) return frame.error();
  if (frame->type != kHandshakeType)
    return corrupt("the other side did not begin with a handshake");
  return unpacked_handshake(frame->body);
}

}  // namespace

Handshake make_handshake(std::string role, std::string build) {
  return {.build = std::move(build), .pid = getpid(), .role = std::move(role)};
}

std::string packed_handshake(const Handshake& handshake) {
  Packer packer;
  packer.number(handshake.version);
  packer.text(handshake.role);
  packer.text(handshake.build);
  packer.signed_number(handshake.pid);
  return packer.take();
}

Result<Handshake> unpacked_handshake(std::string_view bytes) {
  Unpacker unpacker(bytes);
  Handshake handshake;
  unpack(unpacker, handshake.version);
  handshake.role = unpack_word(unpacker);
  if (!unpacker.is_ok()) return corrupt("the other side's handshake is invalid");
  if (handshake.version != kProtocolVersion) return handshake;
  handshake.build = unpack_word(unpacker);
  handshake.pid = unpacker.signed_number();
  if (!unpacker.is_complete()) return corrupt("the other side's handshake is invalid");
  return handshake;
}

Status check_handshake(const Handshake& theirs, const Handshake& ours) {
  if (theirs.version != ours.version)
    return Error{ErrorCode::conflict,
                 fmt::format("the {} speaks protocol {}, this {} protocol {}{}", theirs.role,
                             theirs.version, ours.role, ours.version, kAdvice)};
  if (theirs.build != ours.build)
    return Error{ErrorCode::conflict,
                 fmt::format("the {}{} is version {}, this {} is version {}{}", theirs.role,
                             pid_text(theirs), theirs.build, ours.role, ours.build, kAdvice)};
  return Done{};
}

Async<Result<Handshake>> exchange_handshake(Channel& channel, Handshake ours, Deadline deadline) {
  using namespace asio::experimental::awaitable_operators;
  if (!channel.post({kHandshakeType, 0, packed_handshake(ours)}))
    co_return Error{ErrorCode::unavailable, "the channel is closed"};
  asio::steady_timer alarm(co_await asio::this_coro::executor, deadline);
  auto winner =
      co_await (channel.receive() || alarm.async_wait(asio::as_tuple(asio::use_awaitable)));
  if (winner.index() == 1)
    co_return Error{ErrorCode::timeout, "the other side did not complete the handshake in time"};
  auto theirs = read_handshake(std::get<0>(winner));
  if (!theirs) co_return theirs;
  if (auto status = check_handshake(*theirs, ours); !status) co_return std::move(status).error();
  co_return theirs;
}

}  // namespace heddle::ipc
