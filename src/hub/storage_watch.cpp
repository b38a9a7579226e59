#include "hub/storage_watch.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace heddle::hub {

namespace {

constexpr std::chrono::seconds kBetweenLooks{5};
constexpr const char* kLevelNote = "storage.level";
constexpr const char* kLimitNote = "storage.limit";

// The store's log may take this part of the limit: it holds nothing that the database will not.
constexpr std::int64_t kLogShare = 10;

constexpr int kWarnPercent = 80;
constexpr int kWarnEndPercent = 75;
constexpr int kFullPercent = 100;
constexpr int kFullEndPercent = 95;

constexpr std::int64_t kLittleFree = 256 << 20;
constexpr std::int64_t kLittlePart = 20;
constexpr std::int64_t kHardlyAnyFree = 16 << 20;
constexpr std::int64_t kHardlyAnyPart = 100;
constexpr std::size_t kMostUnwritten = 32;

bool is_at_least(std::int64_t used, std::int64_t limit, int percent) {
  return static_cast<double>(used) * 100 >= static_cast<double>(limit) * percent;
}

StorageLevel level_from(std::string_view text) {
  if (text == to_text(StorageLevel::full)) return StorageLevel::full;
  return text == to_text(StorageLevel::warning) ? StorageLevel::warning : StorageLevel::fine;
}

std::string in_megabytes(std::int64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

// More room than that leads to a level ends it.
std::int64_t with_some_more(std::int64_t bytes, bool is_reached) {
  return is_reached ? bytes + bytes / 4 : bytes;
}

std::string figures_of(const StorageState& state) {
  if (!state.is_measured) return "how much is used is not known yet";
  if (state.is_of_disk) return in_megabytes(state.free) + " are free on the disk";
  return fmt::format("{} of {} are used (`limits.storage`)", in_megabytes(state.used),
                     in_megabytes(state.limit));
}

}  // namespace

std::string sentence_about(const StorageState& state) {
  const std::string figures = figures_of(state);
  if (state.level == StorageLevel::full && state.is_of_disk)
    return "the disk is full: " + figures + "; no run begins until there is room";
  if (state.level == StorageLevel::full)
    return "storage is full: " + figures +
           "; no run begins until there is room (shorten `[retention]`, or raise the limit)";
  if (state.level == StorageLevel::warning)
    return (state.is_of_disk ? "the disk runs out: " : "storage runs out: ") + figures;
  return "storage: there is room, " + figures;
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
  const auto hardly_any = std::min(kHardlyAnyFree, disk / kHardlyAnyPart);
  const auto little = std::min(kLittleFree, disk / kLittlePart);
  if (free <= with_some_more(hardly_any, before == StorageLevel::full)) return StorageLevel::full;
  return free <= with_some_more(little, before != StorageLevel::fine) ? StorageLevel::warning
                                                                      : StorageLevel::fine;
}

StorageWatch::StorageWatch(StorageParts parts, StorageRule rule)
    : parts_(std::move(parts)), rule_(rule) {}

Async<Status> StorageWatch::find_limit() {
  state_.limit = rule_.bytes;
  if (rule_.bytes == 0) {
    const auto limit = co_await limit_by_share();
    if (!limit) co_return limit.error();
    state_.limit = *limit;
  }
  parts_.history.keep_log_within(state_.limit / kLogShare);
  is_limit_known_ = true;
  co_return Done{};
}

Async<Status> StorageWatch::begin() {
  auto found = co_await find_limit();
  if (!found) co_return found;
  const auto level = co_await parts_.history.find_note(kLevelNote);
  if (!level) co_return level.error();
  state_.level = level_from(level->value_or(""));
  // For what is told now. A failure is told by the first look.
  const auto measured = co_await measure();
  if (measured) (void)judge();
  if (parts_.on_level) co_await parts_.on_level(state_);
  co_return Done{};
}

// Kept as "SHARE BYTES": another share is worked out anew.
Async<Result<std::int64_t>> StorageWatch::limit_by_share() {
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

Async<void> StorageWatch::watch() {
  while (!stopped_.rings_for_good()) {
    const auto looked = co_await look();
    warn(looked ? "" : "storage: " + looked.error().message);
    co_await stopped_.wait(std::chrono::steady_clock::now() + kBetweenLooks);
  }
}

// The same trouble once, however often it is met.
void StorageWatch::warn(std::string trouble) {
  if (!trouble.empty() && trouble != last_warning_) parts_.log.warn(trouble);
  last_warning_ = std::move(trouble);
}

Async<Status> StorageWatch::look() {
  if (!is_limit_known_) {
    auto found = co_await find_limit();
    if (!found) co_return found;
  }
  auto measured = co_await measure();
  if (!measured) co_return measured;
  if (judge() != StorageLevel::fine) {
    auto cut = co_await parts_.history.cut_log();
    if (!cut) co_return cut;
    measured = co_await measure();
    if (!measured) co_return measured;
  }
  const StorageLevel level = judge();
  if (level != state_.level) co_await change_level(level);
  co_return co_await write_notes();
}

Async<Status> StorageWatch::measure() {
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

// The worse of the two.
StorageLevel StorageWatch::judge() {
  const StorageLevel by_limit = level_after(state_.level, state_.used, state_.limit);
  const StorageLevel by_disk = level_by_free(state_.level, state_.free, disk_);
  state_.is_of_disk = by_disk > by_limit;
  return std::max(by_limit, by_disk);
}

// Acts at once: a disk that is full takes no note of it.
Async<void> StorageWatch::change_level(StorageLevel level) {
  store::Note note;
  note.name = kLevelNote;
  note.value = to_text(level);
  note.event = "storage." + note.value;
  note.event_data = {{"used_bytes", std::to_string(state_.used)},
                     {"limit_bytes", std::to_string(state_.limit)},
                     {"free_bytes", std::to_string(state_.free)},
                     {"before", std::string(to_text(state_.level))}};
  unwritten_.push_back({std::move(note), parts_.clock.now()});
  if (unwritten_.size() > kMostUnwritten) unwritten_.pop_front();
  state_.level = level;
  if (level == StorageLevel::fine)
    parts_.log.info(sentence_about(state_));
  else
    parts_.log.warn(sentence_about(state_));
  if (parts_.on_level) co_await parts_.on_level(state_);
}

Async<Status> StorageWatch::write_notes() {
  while (!unwritten_.empty()) {
    store::Note note = unwritten_.front().note;
    auto put = co_await parts_.history.put_note(std::move(note), unwritten_.front().at);
    if (!put) co_return put;
    unwritten_.pop_front();
  }
  co_return Done{};
}

}  // namespace heddle::hub
