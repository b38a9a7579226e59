// The dependencies of the classes that run the programs of a run. All references outlive them.
#pragma once

#include <boost/asio/any_io_executor.hpp>

#include "base/log/log.hpp"
#include "base/time.hpp"
#include "commands/supervised_process.hpp"
#include "store/run_journal.hpp"

namespace heddle::commands {

struct RunParts {
  boost::asio::any_io_executor loop;
  store::RunJournal& journal;
  LaunchContext& launch_context;
  const Clock& clock;
  Log& log;
};

}  // namespace heddle::commands
