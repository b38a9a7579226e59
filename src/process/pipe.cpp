#include "process/pipe.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/socket.h>

namespace heddle::process {

namespace {

Error failed(const char* call) {
  return {ErrorCode::unavailable,
          std::string(call) + ": " + std::generic_category().message(errno)};
}

// Only our end is non-blocking: programs do not expect that of theirs.
Pipe take_ends(int ours, int theirs) {
  fcntl(ours, F_SETFL, O_NONBLOCK);
  return {FileDescriptor(ours), FileDescriptor(theirs)};
}

}  // namespace

Result<Pipe> make_output_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return failed("pipe");
  return take_ends(ends[0], ends[1]);
}

Result<Pipe> make_input_pipe() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return failed("socketpair");
  shutdown(ends[1], SHUT_WR);
  return take_ends(ends[0], ends[1]);
}

}  // namespace heddle::process
