#include "supervise/control_frames.hpp"

#include <fmt/format.h>

#include "ipc/pack.hpp"

namespace heddle::supervise {

ipc::Frame make_control(Control type) {
  return {static_cast<std::uint16_t>(type), 0, {}};
}

ipc::Frame make_frame(const Hello& hello) {
  ipc::Packer body;
  body.number(hello.version);
  body.number(static_cast<std::uint64_t>(hello.stop_by));
  return {static_cast<std::uint16_t>(Control::hello), 0, body.take()};
}

ipc::Frame make_frame(const Assignment& assignment) {
  ipc::Packer body;
  body.number(assignment.slot.slot);
  body.number(assignment.slot.occurrence);
  body.text(assignment.name);
  body.signed_number(assignment.number);
  return {static_cast<std::uint16_t>(Control::assignment), 0, body.take()};
}

Result<Hello> read_hello(const ipc::Frame& frame) {
  ipc::Unpacker body(frame.body);
  Hello hello;
  hello.version = body.number();
  // The version comes first and alone decides whether the rest can be understood.
  if (body.is_fine() && hello.version != kControlVersion)
    return Error{ErrorCode::conflict,
                 fmt::format("it speaks version {}, not {}", hello.version, kControlVersion)};
  const std::uint64_t stop_by = body.number();
  if (!body.is_complete() || stop_by > static_cast<std::uint64_t>(StopBy::asking))
    return Error{ErrorCode::corrupt, "its hello makes no sense"};
  hello.stop_by = static_cast<StopBy>(stop_by);
  return hello;
}

Result<Assignment> read_assignment(const ipc::Frame& frame) {
  ipc::Unpacker body(frame.body);
  Assignment assignment;
  assignment.slot.slot = static_cast<SlotId>(body.number());
  assignment.slot.occurrence = static_cast<std::uint32_t>(body.number());
  assignment.name = body.text();
  assignment.number = static_cast<int>(body.signed_number());
  if (!body.is_complete()) return Error{ErrorCode::corrupt, "the assignment makes no sense"};
  return assignment;
}

}  // namespace heddle::supervise
