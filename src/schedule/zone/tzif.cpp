#include "schedule/zone/tzif.hpp"

#include <cstdint>
#include <string>

namespace heddle::schedule {

namespace {

using std::chrono::seconds;
using std::chrono::sys_seconds;

constexpr std::size_t kMostChanges = 2000;  // real zones have less than 300
constexpr std::size_t kMostTypes = 256;
constexpr std::size_t kHeaderSize = 44;
constexpr std::size_t kCountsAt = 20;
constexpr std::size_t kTypeSize = 6;

Error damaged(std::string_view what) {
  return {ErrorCode::corrupt, "the time zone file is damaged: " + std::string(what)};
}

struct Header {
  char version;
  std::uint32_t utc_marks;
  std::uint32_t standard_marks;
  std::uint32_t leaps;
  std::uint32_t changes;
  std::uint32_t types;
  std::uint32_t name_bytes;

  // 64-bit sums of 32-bit counts cannot wrap.
  [[nodiscard]] std::uint64_t body_size(std::uint64_t time_size) const {
    return changes * (time_size + 1) + std::uint64_t{types} * kTypeSize + name_bytes +
           leaps * (time_size + 4) + standard_marks + utc_marks;
  }
};

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

// Sign-extends what is shorter than eight bytes.
std::int64_t signed_big_endian(std::string_view bytes) {
  const auto unused = static_cast<unsigned>(64 - bytes.size() * 8);
  return static_cast<std::int64_t>(big_endian(bytes) << unused) >> unused;
}

Result<Header> header_in(std::string_view bytes) {
  if (bytes.size() < kHeaderSize || !bytes.starts_with("TZif")) return damaged("no header");
  const auto count = [&](std::size_t index) {
    return static_cast<std::uint32_t>(big_endian(bytes.substr(kCountsAt + index * 4, 4)));
  };
  const Header header{.version = bytes[4],
                      .utc_marks = count(0),
                      .standard_marks = count(1),
                      .leaps = count(2),
                      .changes = count(3),
                      .types = count(4),
                      .name_bytes = count(5)};
  if (header.changes > kMostChanges) return damaged("too many changes");
  if (header.types < 1 || header.types > kMostTypes) return damaged("no or too many kinds of time");
  return header;
}

Result<std::vector<seconds>> offsets_in(std::string_view types) {
  std::vector<seconds> offsets;
  for (std::size_t at = 0; at < types.size(); at += kTypeSize) {
    const seconds offset(signed_big_endian(types.substr(at, 4)));
    if (offset >= kFarthestOffset || offset <= -kFarthestOffset) return damaged("a wild offset");
    offsets.push_back(offset);
  }
  return offsets;
}

// The block after a header; `time_size` is 4 in the first and 8 in the second one.
Result<ZoneHistory> history_in(const Header& header, std::string_view body, std::size_t time_size) {
  if (header.leaps != 0)
    return Error{ErrorCode::bad_input, "the time zone counts leap seconds, which clocks do not"};
  const std::string_view times = body.substr(0, header.changes * time_size);
  const std::string_view kinds = body.substr(times.size(), header.changes);
  auto offsets = offsets_in(body.substr(times.size() + kinds.size(), header.types * kTypeSize));
  if (!offsets) return std::move(offsets).error();

  ZoneHistory history{.first_offset = offsets->front(), .changes = {}, .rule = {}};
  history.changes.reserve(header.changes);
  sys_seconds before = sys_seconds::min();
  for (std::size_t i = 0; i < header.changes; ++i) {
    const sys_seconds at(seconds(signed_big_endian(times.substr(i * time_size, time_size))));
    const auto kind = static_cast<unsigned char>(kinds[i]);
    if (kind >= offsets->size()) return damaged("an unknown kind of time");
    if (i > 0 && at <= before) return damaged("changes out of order");
    before = at;
    if (at <= kFirstZoneTime)
      history.first_offset = (*offsets)[kind];
    else if (at <= kLastZoneTime)
      history.changes.push_back({at, (*offsets)[kind]});
  }
  return history;
}

// "\nCET-1CEST,M3.5.0,M10.5.0/3\n"; nothing between the new lines: no rule is known.
Result<std::optional<PosixRule>> footer_in(std::string_view bytes) {
  if (!bytes.starts_with('\n')) return damaged("no rule at its end");
  bytes.remove_prefix(1);
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos) return damaged("no end of its rule");
  if (end == 0) return std::optional<PosixRule>();
  auto rule = parse_posix_rule(bytes.substr(0, end));
  if (!rule) return std::move(rule).error();
  return std::optional(*rule);
}

}  // namespace

Result<ZoneHistory> parse_tzif(std::string_view bytes) {
  if (bytes.size() > kLargestZoneFile) return damaged("too large");
  auto header = header_in(bytes);
  if (!header) return std::move(header).error();
  bytes.remove_prefix(kHeaderSize);
  if (bytes.size() < header->body_size(4)) return damaged("it ends too soon");
  if (header->version == '\0') return history_in(*header, bytes, 4);

  bytes.remove_prefix(header->body_size(4));
  header = header_in(bytes);
  if (!header) return std::move(header).error();
  bytes.remove_prefix(kHeaderSize);
  const std::uint64_t size = header->body_size(8);
  if (bytes.size() < size) return damaged("it ends too soon");
  auto history = history_in(*header, bytes, 8);
  if (!history) return history;
  auto rule = footer_in(bytes.substr(size));
  if (!rule) return std::move(rule).error();
  history->rule = *rule;
  return history;
}

}  // namespace heddle::schedule
