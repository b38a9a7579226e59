#include "app/letters.hpp"

#include <utility>

#include <boost/asio/io_context.hpp>

#include "app/drive.hpp"
#include "app/engine.hpp"
#include "app/project_lock.hpp"
#include "store/sqlite/sqlite_store.hpp"

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
  auto lock = ProjectLock::try_acquire(project.data_dir);
  if (!lock) return std::move(lock).error();
  store::SqliteOptions options;
  options.log = &log;
  auto store = store::SqliteStore::open(database_file(project), options);
  if (!store) return std::move(store).error();
  const SystemClock clock;
  boost::asio::io_context loop(1);
  return drive(loop, carry_out(**store, clock, std::move(wanted)));
}

}  // namespace heddle::app
