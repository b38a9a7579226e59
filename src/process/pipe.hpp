// Creates pipes between this process and a program. Both ends are closed on exec.
#pragma once

#include "base/file_descriptor.hpp"
#include "base/result.hpp"

namespace heddle::process {

struct Pipe {
  FileDescriptor ours = FileDescriptor();  // non-blocking
  FileDescriptor theirs = FileDescriptor();
};

Result<Pipe> make_output_pipe();

// A socket, because writing to a program that closed its input must not raise SIGPIPE here.
Result<Pipe> make_input_pipe();

}  // namespace heddle::process
