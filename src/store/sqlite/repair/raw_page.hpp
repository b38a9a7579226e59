// Reads one page of a database file as bytes, as far as finding lost tables requires
// (https://www.sqlite.org/fileformat2.html). Its content is not trusted. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::store {

inline constexpr std::size_t kPageBytes = 4096;  // in all of Heddle's files
inline constexpr std::size_t kHeaderBytes = 100;

class RawPage {
 public:
  explicit RawPage(std::string bytes) : bytes_(std::move(bytes)) { bytes_.resize(kPageBytes); }

  [[nodiscard]] std::uint32_t number(std::size_t at, std::size_t width) const;
  void put(std::size_t at, std::size_t width, std::uint32_t value);
  void put_bytes(std::size_t at, std::string_view bytes);
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  // Returns the row numbers, in order, when the page is a leaf whose rows all look like schema
  // rows; nullopt otherwise.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> schema_rows() const;

 private:
  struct Varint {
    std::uint64_t value = 0;
    std::size_t end = 0;  // offset after it
  };
  [[nodiscard]] Varint varint(std::size_t at) const;
  [[nodiscard]] std::optional<std::int64_t> schema_row(std::size_t cell) const;

  std::string bytes_;
};

// A leaf page of the schema table.
struct SchemaLeaf {
  std::uint32_t page = 0;
  std::int64_t first_row = 0;
  std::int64_t last_row = 0;
};

// Builds the root page of the schema table, after the file header, with these leaves. nullopt when
// they do not fit on one page.
std::optional<RawPage> schema_root(std::string_view header, const std::vector<SchemaLeaf>& leaves);

}  // namespace heddle::store
