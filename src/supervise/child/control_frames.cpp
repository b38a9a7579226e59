#include "supervise/child/control_frames.hpp"

#include <fmt/format.h>

#include "ipc/pack.hpp"

namespace heddle::supervise {

ipc::Frame make_control(ControlFrameType type) {
  return {static_cast<std::uint16_t>(type), 0, {}};
}

ipc::Frame make_frame(const ChildHello& hello) {
  ipc::Packer body;
  body.number(hello.version);
  body.number(static_cast<std::uint64_t>(hello.stop_method));
  return {static_cast<std::uint16_t>(ControlFrameType::hello), 0, body.take()};
}

ipc::Frame make_frame(const ChildAssignment& assignment) {
  ipc::Packer body;
  body.number(assignment.slot.slot);
  body.number(assignment.slot.occurrence);
  body.text(assignment.name);
  body.signed_number(assignment.number);
  return {static_cast<std::uint16_t>(ControlFrameType::assignment), 0, body.take()};
}

Result<ChildHello> read_hello(const ipc::Frame& frame) {
  ipc::Unpacker body(frame.body);
  ChildHello hello;
  hello.version = body.number();
  // The version comes first: only the same version can read the rest.
  if (body.is_ok() && hello.version != kControlVersion)
    return Error{ErrorCode::conflict,
                 fmt::format("it speaks version {}, not {}", hello.version, kControlVersion)};
  const std::uint64_t stop_method = body.number();
  if (!body.is_complete() || stop_method > static_cast<std::uint64_t>(StopMethod::request))
    return Error{ErrorCode::corrupt, "its hello message is invalid"};
  hello.stop_method = static_cast<StopMethod>(stop_method);
  return hello;
}

Result<ChildAssignment> read_assignment(const ipc::Frame& frame) {
  ipc::Unpacker body(frame.body);
  ChildAssignment assignment;
  assignment.slot.slot = static_cast<SlotId>(body.number());
  assignment.slot.occurrence = static_cast<std::uint32_t>(body.number());
  assignment.name = body.text_view();
  assignment.number = static_cast<int>(body.signed_number());
  if (!body.is_complete()) return Error{ErrorCode::corrupt, "the assignment makes no sense"};
  return assignment;
}

}  // namespace heddle::supervise
