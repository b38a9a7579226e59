// One page of a database file as bytes, and what of its format is needed to find lost tables
// (https://www.sqlite.org/fileformat2.html). Nothing in it is trusted. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::store {

inline constexpr std::size_t kPageBytes = 4096;  // of all files of ours
inline constexpr std::size_t kHeaderBytes = 100;

class RawPage {
 public:
  explicit RawPage(std::string bytes) : bytes_(std::move(bytes)) { bytes_.resize(kPageBytes); }

  [[nodiscard]] std::uint32_t number(std::size_t at, std::size_t width) const;
  void put(std::size_t at, std::size_t width, std::uint32_t value);
  void put_bytes(std::size_t at, std::string_view bytes);
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  // Holds rows of a table, and all of them look like lines of the list of tables: the numbers of
  // these rows, which grow. nullopt: it is something else.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> schema_rows() const;

 private:
  struct Varint {
    std::uint64_t value = 0;
    std::size_t end = 0;  // behind it
  };
  [[nodiscard]] Varint varint(std::size_t at) const;
  [[nodiscard]] std::optional<std::int64_t> schema_row(std::size_t cell) const;

  std::string bytes_;
};

// A page with a stretch of the list of tables.
struct SchemaLeaf {
  std::uint32_t page = 0;
  std::int64_t first_row = 0;
  std::int64_t last_row = 0;
};

// The root of the list of tables, behind the file's header, with these pages below it. nullopt:
// they are too many for one page.
std::optional<RawPage> schema_root(std::string_view header, const std::vector<SchemaLeaf>& leaves);

}  // namespace heddle::store
