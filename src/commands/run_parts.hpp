// What those need who run the programs of a run. Everything outlives them.
#pragma once

#include <boost/asio/any_io_executor.hpp>

#include "base/log.hpp"
#include "base/time.hpp"
#include "commands/tended_program.hpp"
#include "store/run_journal.hpp"

namespace heddle::commands {

struct RunParts {
  boost::asio::any_io_executor loop;
  store::RunJournal& journal;
  ProgramHouse& house;
  const Clock& clock;
  Log& log;
};

}  // namespace heddle::commands
