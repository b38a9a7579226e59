#include "app/letters.hpp"

#include <utility>

#include <boost/asio/io_context.hpp>

#include "app/drive.hpp"
#include "app/owned_store.hpp"

namespace heddle::app {

Async<Result<ipc::LettersDone>> carry_out(store::Store& store, const Clock& clock,
                                          ipc::ActOnLetters wanted) {
  ipc::LettersDone done;
  if (wanted.action == ipc::LetterAction::purge) {
    auto purged = co_await store.purge_letters(std::move(wanted.letters), clock.now());
    if (!purged) co_return std::move(purged).error();
    done.count = *purged;
    co_return done;
  }
  done.count = static_cast<std::int64_t>(wanted.letters.size());
  auto resent = co_await store.resend_letters(std::move(wanted.letters), clock.now());
  if (!resent) co_return std::move(resent).error();
  co_return done;
}

Result<ipc::LettersDone> act_on_stored_letters(const Project& project, ipc::ActOnLetters wanted,
                                               Log& log) {
  auto owned = own_store(project, log);
  if (!owned) return std::move(owned).error();
  const SystemClock clock;
  boost::asio::io_context loop(1);
  return drive(loop, carry_out(*owned->store, clock, std::move(wanted)));
}

}  // namespace heddle::app
