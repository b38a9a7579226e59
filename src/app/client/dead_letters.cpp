#include "app/client/dead_letters.hpp"

#include <utility>

#include <boost/asio/io_context.hpp>

#include "app/daemon/locked_store.hpp"
#include "base/drive.hpp"

namespace heddle::app {

Async<Result<control::DeadLettersDone>> apply_dead_letter_action(
    store::Store& store, const Clock& clock, control::ActOnDeadLetters request) {
  control::DeadLettersDone done;
  if (request.action == control::DeadLetterAction::purge) {
    auto purged = co_await store.purge_dead_letters(std::move(request.dead_letters), clock.now());
    if (!purged) co_return std::move(purged).error();
    done.count = *purged;
    co_return done;
  }
  done.count = static_cast<std::int64_t>(request.dead_letters.size());
  auto resent = co_await store.resend_dead_letters(std::move(request.dead_letters), clock.now());
  if (!resent) co_return std::move(resent).error();
  co_return done;
}

Result<control::DeadLettersDone> act_on_stored_dead_letters(const Project& project,
                                                            control::ActOnDeadLetters request,
                                                            Log& log) {
  auto locked = open_locked_store(project, log);
  if (!locked) return std::move(locked).error();
  const SystemClock clock;
  boost::asio::io_context loop(1);
  return drive(loop, apply_dead_letter_action(*locked->store, clock, std::move(request)));
}

}  // namespace heddle::app
