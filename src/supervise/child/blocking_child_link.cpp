#include "supervise/child/blocking_child_link.hpp"

#include <cerrno>
#include <system_error>

#include <sys/socket.h>

#include "ipc/frame.hpp"

namespace heddle::supervise {

namespace {

Error closed() {
  return {ErrorCode::unavailable, "the supervisor is gone"};
}

Status read_all(int socket, char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t got = recv(socket, bytes, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return closed();
    bytes += got;
    size -= static_cast<std::size_t>(got);
  }
  return Done{};
}

constexpr std::size_t kLongestAssignment = 64UL * 1024;

}  // namespace

Result<BlockingChildLink> BlockingChildLink::attach(StopMethod stop_method) {
  auto end = take_child_endpoint();
  if (!end) return std::move(end.error());
  BlockingChildLink link(std::move(*end));
  link.heartbeat();
  link.end_.page.set(ChildFlag::attached);
  if (Status sent = link.send(make_frame(ChildHello{kControlVersion, stop_method})); !sent)
    return std::move(sent.error());
  if (!link.end_.is_spare) return link;
  if (Status assigned = link.wait_for_assignment(); !assigned) return std::move(assigned.error());
  return link;
}

void BlockingChildLink::ready() {
  heartbeat();
  end_.page.set(ChildFlag::ready);
  // Without a supervisor the report is pointless: this process dies with it.
  (void)send(make_control(ControlFrameType::ready));
}

void BlockingChildLink::begin_draining() {
  end_.page.set(ChildFlag::draining);
  (void)send(make_control(ControlFrameType::draining));
}

// One send() per frame, so that frames of several threads do not mix; a few bytes always fit.
Status BlockingChildLink::send(const ipc::Frame& frame) {
  char bytes[ipc::kFrameHeaderBytes + 32];
  if (frame.body.size() > 32) return Error{ErrorCode::bug, "too long for a control frame"};
  ipc::write_header({frame.type, frame.number, static_cast<std::uint32_t>(frame.body.size())},
                    bytes);
  frame.body.copy(bytes + ipc::kFrameHeaderBytes, frame.body.size());
  const std::size_t size = ipc::kFrameHeaderBytes + frame.body.size();
  ssize_t sent = 0;
  do {
    sent = ::send(end_.socket.get(), bytes, size, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(size) ? Status(Done{}) : Status(closed());
}

Status BlockingChildLink::wait_for_assignment() {
  char head[ipc::kFrameHeaderBytes];
  if (Status got = read_all(end_.socket.get(), head, sizeof head); !got) return got;
  const auto header = ipc::read_header(head);
  if (!header || header->type != static_cast<std::uint16_t>(ControlFrameType::assignment) ||
      header->length > kLongestAssignment)
    return Error{ErrorCode::corrupt, "not an assignment"};
  ipc::Frame frame{header->type, header->number, std::string(header->length, '\0')};
  if (Status got = read_all(end_.socket.get(), frame.body.data(), frame.body.size()); !got)
    return got;
  auto assignment = read_assignment(frame);
  if (!assignment) return std::move(assignment.error());
  end_.assignment = std::move(*assignment);
  return Done{};
}

}  // namespace heddle::supervise
