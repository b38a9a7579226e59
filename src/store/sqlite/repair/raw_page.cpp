#include "store/sqlite/repair/raw_page.hpp"

#include <algorithm>
#include <array>

namespace heddle::store {

namespace {

constexpr std::uint32_t kTableLeaf = 13;
constexpr std::uint32_t kTableInterior = 5;
constexpr std::size_t kLeafHead = 8;
constexpr std::size_t kInteriorHead = 12;
constexpr std::uint64_t kFirstText = 13;  // serial types: odd ones from here on are texts
constexpr std::array<std::string_view, 4> kKinds{"table", "index", "view", "trigger"};

std::string as_varint(std::uint64_t value) {
  std::string bytes(1, static_cast<char>(value & 0x7F));
  while ((value >>= 7) != 0) bytes.insert(bytes.begin(), static_cast<char>((value & 0x7F) | 0x80));
  return bytes;
}

}  // namespace

std::uint32_t RawPage::number(std::size_t at, std::size_t width) const {
  std::uint32_t value = 0;
  for (std::size_t i = at; i < at + width && i < bytes_.size(); ++i)
    value = (value << 8) | static_cast<unsigned char>(bytes_[i]);
  return value;
}

void RawPage::put(std::size_t at, std::size_t width, std::uint32_t value) {
  for (std::size_t i = width; i-- > 0; value >>= 8) bytes_.at(at + i) = static_cast<char>(value);
}

void RawPage::put_bytes(std::size_t at, std::string_view bytes) {
  bytes_.replace(at, bytes.size(), bytes);
}

// At most eight bytes: longer varints are not row numbers of Heddle.
RawPage::Varint RawPage::varint(std::size_t at) const {
  Varint result;
  for (std::size_t i = at; i < at + 8 && i < bytes_.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes_[i]);
    result.value = (result.value << 7) | (byte & 0x7F);
    result.end = i + 1;
    if ((byte & 0x80) == 0) return result;
  }
  return {.value = 0, .end = kPageBytes};
}

std::optional<std::vector<std::int64_t>> RawPage::schema_rows() const {
  if (number(0, 1) != kTableLeaf) return std::nullopt;
  const std::size_t count = number(3, 2);
  if (count == 0 || kLeafHead + 2 * count > kPageBytes) return std::nullopt;
  std::vector<std::int64_t> rows;
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = schema_row(number(kLeafHead + 2 * i, 2));
    if (!row || (!rows.empty() && *row <= rows.back())) return std::nullopt;
    rows.push_back(*row);
  }
  return rows;
}

// A schema row is (type TEXT, name TEXT, tbl_name TEXT, rootpage INTEGER, sql TEXT); the type is
// one of four words.
std::optional<std::int64_t> RawPage::schema_row(std::size_t cell) const {
  const Varint payload = varint(cell);
  const Varint row = varint(payload.end);
  const Varint head = varint(row.end);
  const std::size_t head_end = row.end + head.value;
  if (head.value > payload.value || head_end >= kPageBytes) return std::nullopt;
  std::vector<std::uint64_t> types;
  std::size_t at = head.end;
  while (at < head_end && types.size() <= 5) {
    const Varint type = varint(at);
    types.push_back(type.value);
    at = type.end;
  }
  if (types.size() != 5 || at != head_end) return std::nullopt;
  for (const std::size_t text : {0u, 1u, 2u})
    if (types[text] < kFirstText || types[text] % 2 == 0) return std::nullopt;
  const std::string_view kind =
      std::string_view(bytes_).substr(head_end, (types[0] - kFirstText) / 2);
  if (std::find(kKinds.begin(), kKinds.end(), kind) == kKinds.end()) return std::nullopt;
  return static_cast<std::int64_t>(row.value);
}

std::optional<RawPage> schema_root(std::string_view header, const std::vector<SchemaLeaf>& leaves) {
  RawPage root{std::string(header)};
  std::size_t content = kPageBytes;
  std::size_t slot = kHeaderBytes + kInteriorHead;
  for (std::size_t i = 0; i + 1 < leaves.size(); ++i) {
    const std::string key = as_varint(static_cast<std::uint64_t>(leaves[i].last_row));
    content -= 4 + key.size();
    if (content < slot + 2) return std::nullopt;
    root.put(content, 4, leaves[i].page);
    root.put_bytes(content + 4, key);
    root.put(slot, 2, static_cast<std::uint32_t>(content));
    slot += 2;
  }
  root.put(kHeaderBytes, 1, kTableInterior);
  root.put(kHeaderBytes + 3, 2, static_cast<std::uint32_t>(leaves.size() - 1));
  root.put(kHeaderBytes + 5, 2, static_cast<std::uint32_t>(content));
  root.put(kHeaderBytes + 8, 4, leaves.back().page);
  return root;
}

}  // namespace heddle::store
