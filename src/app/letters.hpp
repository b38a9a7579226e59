// What people ask of dead letters besides a run of their pages.
#pragma once

#include "base/async.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "ipc/messages/control_messages.hpp"
#include "model/job.hpp"
#include "store/store.hpp"

namespace heddle::app {

Async<Result<ipc::LettersDone>> carry_out(store::Store& store, const Clock& clock,
                                          ipc::ActOnLetters wanted);

// The same while no daemon runs for the project: `conflict` when another heddle works on it.
// Messages wait for the next daemon or run.
Result<ipc::LettersDone> act_on_stored_letters(const Project& project, ipc::ActOnLetters wanted,
                                               Log& log);

}  // namespace heddle::app
