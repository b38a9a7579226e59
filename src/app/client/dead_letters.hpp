// Purges and resends dead letters.
#pragma once

#include "base/async.hpp"
#include "base/log/log.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "control/verbs.hpp"
#include "model/job/job.hpp"
#include "store/store.hpp"

namespace heddle::app {

Async<Result<control::DeadLettersDone>> apply_dead_letter_action(store::Store& store,
                                                                 const Clock& clock,
                                                                 control::ActOnDeadLetters request);

// The same without a daemon. Returns `conflict` when another heddle process holds the project. The
// next daemon or run sends the messages.
Result<control::DeadLettersDone> act_on_stored_dead_letters(const Project& project,
                                                            control::ActOnDeadLetters request,
                                                            Log& log);

}  // namespace heddle::app
