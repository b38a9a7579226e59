#include "store/sqlite/tables/outbox_table.hpp"

#include <algorithm>

namespace heddle::store {

OutboxRows::OutboxRows(Connection& db)
    : select_due_(
          db,
          "SELECT o.id, j.id, o.run, o.kind, o.payload, o.attempts, o.created_at, o.due_at,"
          " o.waited_ms, o.channel FROM outbox o INDEXED BY outbox_waiting LEFT JOIN jobs j ON "
          "j.number = o.job"
          " WHERE o.state = 0 AND o.due_at <= ? AND o.job NOT IN (SELECT job FROM deletions)"
          " ORDER BY o.due_at, o.number LIMIT ?"),
      count_(db, "SELECT state, count(*) FROM outbox WHERE job = ? GROUP BY state") {}

Result<OutboxCounts> OutboxRows::counts(std::int64_t job) {
  OutboxCounts counts;
  auto rows = count_.query(job);
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return counts;
    const auto state = static_cast<OutboxState>(rows.integer(0));
    if (state == OutboxState::waiting) counts.waiting = rows.integer(1);
    if (state == OutboxState::sent) counts.sent = rows.integer(1);
    if (state == OutboxState::dead) counts.dead = rows.integer(1);
  }
}

Result<std::vector<Delivery>> OutboxRows::due(WallTime now, std::size_t max) {
  std::vector<Delivery> deliveries;
  auto rows =
      select_due_.query(now, static_cast<std::int64_t>(std::min<std::size_t>(max, INT32_MAX)));
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return deliveries;
    deliveries.push_back({.id = {std::string(rows.text(0))},
                          .job = {std::string(rows.text(1))},
                          .run = {std::string(rows.text(2))},
                          .kind = delivery_kind_from(rows.text(3)).value_or(DeliveryKind::webhook),
                          .payload = std::string(rows.text(4)),
                          .attempts = static_cast<int>(rows.integer(5)),
                          .created_at = rows.time(6),
                          .due_at = rows.time(7),
                          .waited = std::chrono::milliseconds(rows.integer(8)),
                          .channel = std::string(rows.text(9))});
  }
}

OutboxTable::OutboxTable(Connection& db, JobNumbers& jobs, JournalTable& journal)
    : jobs_(jobs),
      journal_(journal),
      insert_(db,
              "INSERT OR IGNORE INTO outbox (id, job, run, kind, payload, state, attempts,"
              " created_at, due_at, channel) VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?, ?)"),
      select_(db,
              "SELECT number, state, job, run, payload, attempts, created_at FROM outbox"
              " WHERE id = ?"),
      end_(db,
           "UPDATE outbox SET state = ?, attempts = attempts + 1, ended_at = ?, error = ?"
           " WHERE number = ?"),
      postpone_(db,
                "UPDATE outbox SET attempts = attempts + 1, due_at = ?1 + ?2, wait_ms = ?2,"
                " waited_ms = waited_ms + ?2, error = ?3 WHERE number = ?4"),
      requeue_(db,
               "UPDATE outbox SET state = 0, attempts = 0, created_at = ?2, due_at = ?2,"
               " wait_ms = 0, waited_ms = 0, ended_at = NULL, error = NULL WHERE number = ?1"),
      shift_waits_(db, "UPDATE outbox SET due_at = due_at + ? WHERE state = 0"),
      restart_waits_(db,
                     "UPDATE outbox SET due_at = ?1 + wait_ms WHERE state = 0"
                     " AND due_at - wait_ms > ?1") {}

Status OutboxTable::add(const Delivery& delivery) {
  // 0: the whole project.
  auto job = delivery.job.text.empty() ? Result<std::int64_t>(0) : jobs_.number_of(delivery.job);
  if (!job) return std::move(job).error();
  const auto channel =
      delivery.channel.empty() ? std::nullopt : std::optional<std::string_view>(delivery.channel);
  return insert_.run(delivery.id.text, *job, delivery.run.text, to_text(delivery.kind),
                     delivery.payload, delivery.attempts, delivery.created_at, delivery.due_at,
                     channel);
}

Result<OutboxTable::Row> OutboxTable::find(const DeliveryId& id) {
  auto rows = select_.query(id.text);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return Error{ErrorCode::not_found, "no delivery '" + id.text + "' is stored"};
  return Row{.number = rows.integer(0),
             .state = static_cast<OutboxState>(rows.integer(1)),
             .job = rows.integer(2),
             .run = std::string(rows.text(3)),
             .payload = std::string(rows.text(4)),
             .attempts = rows.integer(5),
             .created_at = rows.time(6)};
}

Result<bool> OutboxTable::is_already(const Row& row, const DeliveryId& id,
                                     OutboxState target) const {
  if (row.state == OutboxState::waiting) return false;
  if (row.state == target) return true;
  return Error{ErrorCode::conflict,
               "delivery '" + id.text + "' has ended: " +
                   (row.state == OutboxState::sent ? "it was sent" : "it failed for good")};
}

Status OutboxTable::delivered(const DeliveryId& id, WallTime now) {
  auto row = find(id);
  if (!row) return std::move(row).error();
  auto already = is_already(*row, id, OutboxState::sent);
  if (!already) return std::move(already).error();
  if (*already) return Done{};
  return end_.run(static_cast<std::int64_t>(OutboxState::sent), now, std::nullopt, row->number);
}

Status OutboxTable::postpone(const DeliveryId& id, DeliveryWait wait, const std::string& error) {
  auto row = find(id);
  if (!row) return std::move(row).error();
  auto waiting = is_already(*row, id, OutboxState::waiting);
  if (!waiting) return std::move(waiting).error();
  return postpone_.run(wait.from, wait.time.count(), error, row->number);
}

Status OutboxTable::dead_letter(const DeliveryId& id, WallTime now, const std::string& error) {
  auto row = find(id);
  if (!row) return std::move(row).error();
  auto already = is_already(*row, id, OutboxState::dead);
  if (!already) return std::move(already).error();
  if (*already) return Done{};
  auto ended = end_.run(static_cast<std::int64_t>(OutboxState::dead), now, error, row->number);
  if (!ended) return ended;
  const DeadLetterEntry entry{.origin = "delivery",
                              .job = row->job,
                              .run = row->run,
                              .task = {},
                              .delivery = id.text,
                              .payload = row->payload,
                              .error_kind = "delivery",
                              .error = error,
                              .attempts = row->attempts + 1,
                              .first_failed_at = row->created_at,
                              .last_failed_at = now};
  if (auto added = journal_.add(entry); !added) return added;
  const EventRow event{.at = now,
                       .kind = "delivery.dead",
                       .job = row->job,
                       .run = row->run,
                       .data = {{"delivery", id.text}, {"error", error}}};
  return journal_.add(event);
}

Status OutboxTable::requeue(const DeliveryId& id, WallTime now) {
  auto row = find(id);
  if (!row) return std::move(row).error();
  auto dead = is_already(*row, id, OutboxState::dead);
  if (!dead) return std::move(dead).error();
  if (!*dead) return Error{ErrorCode::conflict, "delivery '" + id.text + "' is already waiting"};
  return requeue_.run(row->number, now);
}

}  // namespace heddle::store
