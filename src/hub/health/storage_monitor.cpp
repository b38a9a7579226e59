#include "hub/health/storage_monitor.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/quantity.hpp"

namespace heddle::hub {

namespace {

constexpr std::chrono::seconds kCheckInterval{5};
constexpr const char* kLevelNote = "storage.level";
constexpr const char* kLimitNote = "storage.limit";

// The WAL may take this part of the limit: its content also ends up in the database.
constexpr std::int64_t kLogShare = 10;

constexpr int kWarnPercent = 80;
constexpr int kWarnEndPercent = 75;
constexpr int kFullPercent = 100;
constexpr int kFullEndPercent = 95;

constexpr std::int64_t kLowFree = 256 << 20;
constexpr std::int64_t kLowFreeShare = 20;
constexpr std::int64_t kFullFree = 16 << 20;
constexpr std::int64_t kFullFreeShare = 100;
constexpr std::size_t kMaxPendingNotes = 32;

bool is_at_least(std::int64_t used, std::int64_t limit, int percent) {
  return static_cast<double>(used) * 100 >= static_cast<double>(limit) * percent;
}

StorageLevel level_from(std::string_view text) {
  if (text == to_text(StorageLevel::full)) return StorageLevel::full;
  return text == to_text(StorageLevel::warning) ? StorageLevel::warning : StorageLevel::fine;
}

// A reached level ends only with more free space than the line that leads to it.
std::int64_t with_hysteresis(std::int64_t bytes, bool is_reached) {
  return is_reached ? bytes + bytes / 4 : bytes;
}

std::string figures_of(const StorageState& state) {
  if (!state.is_measured) return "usage is not measured yet";
  if (state.is_caused_by_disk) return size_text(state.free) + " free on the disk";
  return fmt::format("{} of {} used (`limits.storage`)", size_text(state.used),
                     size_text(state.limit));
}

}  // namespace

std::string storage_summary(const StorageState& state) {
  const std::string figures = figures_of(state);
  if (state.level == StorageLevel::full && state.is_caused_by_disk)
    return "the disk is full: " + figures + "; no run starts until there is space";
  if (state.level == StorageLevel::full)
    return "storage is full: " + figures +
           "; no run starts until there is space (shorten `[retention]`, or raise the limit)";
  if (state.level == StorageLevel::warning)
    return (state.is_caused_by_disk ? "the disk is almost full: " : "storage is almost full: ") +
           figures;
  return "storage: there is space again, " + figures;
}

std::string_view to_text(StorageLevel level) {
  if (level == StorageLevel::full) return "full";
  return level == StorageLevel::warning ? "warning" : "fine";
}

StorageLevel level_after(StorageLevel before, std::int64_t used, std::int64_t limit) {
  const int full = before == StorageLevel::full ? kFullEndPercent : kFullPercent;
  const int warn = before == StorageLevel::fine ? kWarnPercent : kWarnEndPercent;
  if (is_at_least(used, limit, full)) return StorageLevel::full;
  return is_at_least(used, limit, warn) ? StorageLevel::warning : StorageLevel::fine;
}

StorageLevel level_by_free(StorageLevel before, std::int64_t free, std::int64_t disk) {
  const auto full_line = std::min(kFullFree, disk / kFullFreeShare);
  const auto low_line = std::min(kLowFree, disk / kLowFreeShare);
  if (free <= with_hysteresis(full_line, before == StorageLevel::full)) return StorageLevel::full;
  return free <= with_hysteresis(low_line, before != StorageLevel::fine) ? StorageLevel::warning
                                                                         : StorageLevel::fine;
}

Async<Status> StorageMonitor::find_limit() {
  state_.limit = rule_.bytes;
  if (rule_.bytes == 0) {
    const auto limit = co_await limit_by_share();
    if (!limit) co_return limit.error();
    state_.limit = *limit;
  }
  parts_.history.set_wal_limit(state_.limit / kLogShare);
  is_limit_known_ = true;
  co_return Done{};
}

Async<Status> StorageMonitor::begin() {
  auto found = co_await find_limit();
  if (!found) co_return found;
  const auto level = co_await parts_.history.find_note(kLevelNote);
  if (!level) co_return level.error();
  state_.level = level_from(level->value_or(""));
  // For the first report. The first check reports a failure.
  const auto measured = co_await measure();
  if (measured) (void)evaluate();
  if (parts_.on_level) co_await parts_.on_level(state_);
  co_return Done{};
}

// Stored as "SHARE BYTES"; another share is computed again.
Async<Result<std::int64_t>> StorageMonitor::limit_by_share() {
  const std::string share = fmt::format("{:.6g} ", rule_.share);
  const auto kept = co_await parts_.history.find_note(kLimitNote);
  if (!kept) co_return kept.error();
  std::int64_t bytes = 0;
  if (*kept && (*kept)->starts_with(share))
    std::from_chars((*kept)->data() + share.size(), (*kept)->data() + (*kept)->size(), bytes);
  if (bytes > 0) co_return bytes;
  auto disk = parts_.disk_size();
  if (!disk) co_return std::move(disk).error();
  bytes = static_cast<std::int64_t>(static_cast<double>(*disk) * rule_.share);
  store::Note note;
  note.name = kLimitNote;
  note.value = share + std::to_string(bytes);
  const auto put = co_await parts_.history.put_note(std::move(note), parts_.clock.now());
  if (!put) co_return put.error();
  co_return bytes;
}

Async<void> StorageMonitor::watch() {
  while (!stopped_.is_closed()) {
    const auto checked = co_await check();
    warn(checked ? "" : "storage: " + checked.error().message);
    co_await stopped_.wait(std::chrono::steady_clock::now() + kCheckInterval);
  }
}

// Logs each problem once while it lasts.
void StorageMonitor::warn(std::string problem) {
  if (!problem.empty() && problem != last_warning_) parts_.log.warn(problem);
  last_warning_ = std::move(problem);
}

Async<Status> StorageMonitor::check() {
  if (!is_limit_known_) {
    auto found = co_await find_limit();
    if (!found) co_return found;
  }
  auto measured = co_await measure();
  if (!measured) co_return measured;
  if (evaluate() != StorageLevel::fine) {
    auto cut = co_await parts_.history.truncate_wal();
    if (!cut) co_return cut;
    measured = co_await measure();
    if (!measured) co_return measured;
  }
  const StorageLevel level = evaluate();
  if (level != state_.level) co_await change_level(level);
  co_return co_await write_notes();
}

Async<Status> StorageMonitor::measure() {
  const auto used = co_await parts_.measure();
  if (!used) co_return used.error();
  state_.used = *used;
  const auto free = parts_.disk_free();
  if (!free) co_return free.error();
  const auto disk = parts_.disk_size();
  if (!disk) co_return disk.error();
  state_.free = *free;
  disk_ = *disk;
  state_.is_measured = true;
  co_return Done{};
}

// The worse of limit and disk.
StorageLevel StorageMonitor::evaluate() {
  const StorageLevel by_limit = level_after(state_.level, state_.used, state_.limit);
  const StorageLevel by_disk = level_by_free(state_.level, state_.free, disk_);
  state_.is_caused_by_disk = by_disk > by_limit;
  return std::max(by_limit, by_disk);
}

// Takes effect before it is stored: a full disk accepts no notes.
Async<void> StorageMonitor::change_level(StorageLevel level) {
  store::Note note;
  note.name = kLevelNote;
  note.value = to_text(level);
  note.event = "storage." + note.value;
  note.event_data = {{"used_bytes", std::to_string(state_.used)},
                     {"limit_bytes", std::to_string(state_.limit)},
                     {"free_bytes", std::to_string(state_.free)},
                     {"before", std::string(to_text(state_.level))}};
  pending_notes_.push_back({std::move(note), parts_.clock.now()});
  if (pending_notes_.size() > kMaxPendingNotes) pending_notes_.pop_front();
  state_.level = level;
  if (level == StorageLevel::fine)
    parts_.log.info(storage_summary(state_));
  else
    parts_.log.warn(storage_summary(state_));
  if (parts_.on_level) co_await parts_.on_level(state_);
}

Async<Status> StorageMonitor::write_notes() {
  while (!pending_notes_.empty()) {
    const auto& [note, at] = pending_notes_.front();
    auto put = co_await parts_.history.put_note(note, at);
    if (!put) co_return put;
    pending_notes_.pop_front();
  }
  co_return Done{};
}

}  // namespace heddle::hub
