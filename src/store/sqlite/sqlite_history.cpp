// SqliteStore: keeping history within bounds.
#include <algorithm>
#include <memory>
#include <utility>

#include "store/sqlite/sqlite_calls.hpp"
#include "store/sqlite/sqlite_store_parts.hpp"

namespace heddle::store {

namespace {

template <class T, class Work>
Async<Result<T>> do_piece(GroupWriter& writer, UpkeepTables& upkeep, SqliteViews& views,
                          Work work) {
  UpkeepPiece<T, Work> piece{upkeep, views, std::move(work)};
  return write_through<T>(writer, std::move(piece));
}

}  // namespace

Async<Result<SweptPiece>> SqliteStore::sweep(SweepOrder order) {
  auto work = [&upkeep = parts_->upkeep, order = std::move(order)](const PieceTime& time) {
    return upkeep.sweeper.sweep(order, time);
  };
  return do_piece<SweptPiece>(parts_->writer, parts_->upkeep, *parts_->views, std::move(work));
}

Async<Result<MeasuredPiece>> SqliteStore::measure(HistoryClass what, std::int64_t after) {
  return parts_->views->measure(what, after);
}

Async<Result<bool>> SqliteStore::give_back_space() {
  auto work = [&upkeep = parts_->upkeep](const PieceTime& time) { return upkeep.space.give(time); };
  return do_piece<bool>(parts_->writer, parts_->upkeep, *parts_->views, std::move(work));
}

Async<Status> SqliteStore::cut_log() {
  auto start = [&checkpointer = parts_->checkpointer](std::shared_ptr<WaitingCall<Status>> caller) {
    checkpointer.cut([caller = std::move(caller)] { caller->answer(Done{}); });
  };
  return wait_for_answer<Status>(std::move(start));
}

void SqliteStore::keep_log_within(std::int64_t bytes) {
  parts_->checkpointer.keep_within(static_cast<std::size_t>(std::max<std::int64_t>(bytes, 0)));
}

Async<Status> SqliteStore::begin_deletion(JobId job, WallTime now) {
  auto mark = [&upkeep = parts_->upkeep, job, now] { return upkeep.jobs.begin(job, now); };
  auto marking = write_through<Done>(parts_->writer, std::move(mark));
  auto marked = co_await std::move(marking);
  if (!marked) co_return marked;
  co_return co_await parts_->views->look_up_anew(std::move(job));
}

Async<Result<bool>> SqliteStore::continue_deletions() {
  auto work = [&upkeep = parts_->upkeep](const PieceTime& time) { return upkeep.jobs.go_on(time); };
  return do_piece<bool>(parts_->writer, parts_->upkeep, *parts_->views, std::move(work));
}

Async<Result<std::optional<std::string>>> SqliteStore::find_note(std::string name) {
  return parts_->views->find_note(std::move(name));
}

Async<Status> SqliteStore::put_note(Note note, WallTime now) {
  return write_through<Done>(parts_->writer, [&upkeep = parts_->upkeep, note = std::move(note),
                                              now] { return upkeep.notes.put(note, now); });
}

PieceFigures SqliteStore::upkeep_figures() const {
  return parts_->upkeep.pacer.figures();
}

}  // namespace heddle::store
