// The exit status of the program, part of the command line contract.
#pragma once

namespace heddle::cli {

enum class ExitCode {
  done = 0,
  failed = 1,  // the work failed: job, test or configuration
  wrong_usage = 2,
  no_daemon = 3,
};

}  // namespace heddle::cli
