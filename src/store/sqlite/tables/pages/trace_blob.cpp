#include "store/sqlite/tables/pages/trace_blob.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/text.hpp"

namespace heddle::store {

namespace {

// Format 1: this byte, then per stage: stage * 4 + status, microseconds, note length, note.
constexpr char kFormat = 1;

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>((value & 0x7F) | 0x80);
  out += static_cast<char>(value);
}

std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 63 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

bool take_stage(std::string_view& bytes, CycleTrace& trace) {
  if (bytes.empty()) return false;
  const auto head = static_cast<unsigned char>(bytes.front());
  bytes.remove_prefix(1);
  const auto duration = take_varint(bytes);
  const auto length = take_varint(bytes);
  if (!duration || !length || *length > bytes.size() || head / 4 >= kStageCount) return false;
  StageTrace& stage = trace.stages[head / 4];
  stage.status = static_cast<StageStatus>(head % 4);
  stage.duration = std::chrono::microseconds(static_cast<std::int64_t>(*duration));
  stage.note = bytes.substr(0, *length);
  bytes.remove_prefix(*length);
  return true;
}

}  // namespace

std::string encode_trace(const CycleTrace& trace) {
  static_assert(kStageCount * 4 <= 256 && static_cast<int>(StageStatus::skipped) == 3);
  std::string out;
  for (std::size_t i = 0; i < kStageCount; ++i) {
    const StageTrace& stage = trace.stages[i];
    if (stage.status == StageStatus::inactive) continue;
    if (out.empty()) out += kFormat;
    const std::string_view note = utf8_prefix(stage.note, kMaxTraceNote);
    out += static_cast<char>(i * 4 + static_cast<std::size_t>(stage.status));
    append_varint(out,
                  static_cast<std::uint64_t>(std::max<std::int64_t>(0, stage.duration.count())));
    append_varint(out, note.size());
    out += note;
  }
  return out;
}

CycleTrace decode_trace(std::string_view bytes) {
  CycleTrace trace;
  if (bytes.empty() || bytes.front() != kFormat) return trace;
  bytes.remove_prefix(1);
  while (take_stage(bytes, trace)) continue;
  return trace;
}

}  // namespace heddle::store
