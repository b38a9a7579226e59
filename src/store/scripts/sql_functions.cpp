#include "store/scripts/sql_functions.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/text.hpp"
#include "store/scripts/built_in_function.hpp"
#include "store/scripts/sql_format.hpp"

namespace heddle::store {

namespace {

bool any_null(int count, sqlite3_value** values) {
  return std::any_of(values, values + count,
                     [](sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_NULL; });
}

bool is_blob(sqlite3_value* value) {
  return sqlite3_value_type(value) == SQLITE_BLOB;
}

std::string_view bytes_of(sqlite3_value* value) {
  const void* bytes = is_blob(value) ? sqlite3_value_blob(value) : sqlite3_value_text(value);
  if (bytes == nullptr) return {};
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

std::string_view text_of(sqlite3_value* value) {
  const void* bytes = sqlite3_value_text(value);
  if (bytes == nullptr) return {};
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

std::size_t position_of(std::string_view text, std::string_view wanted, std::size_t from) {
  if (from > text.size()) return std::string_view::npos;
  const void* found = memmem(text.data() + from, text.size() - from, wanted.data(), wanted.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

bool starts_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

// Characters are counted for texts, bytes for BLOBs.
void instr(sqlite3_context* context, int count, sqlite3_value** values) {
  if (any_null(count, values)) return;
  const bool counts_bytes = is_blob(values[0]) && is_blob(values[1]);
  const std::string_view text = counts_bytes ? bytes_of(values[0]) : text_of(values[0]);
  const std::string_view wanted = counts_bytes ? bytes_of(values[1]) : text_of(values[1]);
  if (wanted.empty()) return sqlite3_result_int64(context, 1);
  const std::size_t position = position_of(text, wanted, 0);
  if (position == std::string_view::npos) return sqlite3_result_int64(context, 0);
  const auto before =
      counts_bytes
          ? static_cast<std::ptrdiff_t>(position)
          : std::count_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(position),
                          starts_character);
  sqlite3_result_int64(context, before + 1);
}

void replace(sqlite3_context* context, int count, sqlite3_value** values) {
  if (any_null(count, values)) return;
  const std::string_view text = text_of(values[0]);
  const std::string_view wanted = text_of(values[1]);
  if (wanted.empty()) return sqlite3_result_value(context, values[0]);
  const std::string_view other = text_of(values[2]);
  const auto limit = static_cast<std::size_t>(
      sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1));
  std::string result;
  std::size_t from = 0;
  for (std::size_t at = position_of(text, wanted, 0); at != std::string_view::npos;
       at = position_of(text, wanted, from)) {
    result.append(text.substr(from, at - from)).append(other);
    from = at + wanted.size();
    if (result.size() > limit) return sqlite3_result_error_toobig(context);
  }
  result.append(text.substr(from));
  sqlite3_result_text64(context, result.data(), result.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

enum Side : int { left = 1, right = 2 };

// One character in SQLite's sense: a byte and its continuation bytes.
std::size_t first_length(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && !starts_character(text[length])) ++length;
  return length;
}

std::size_t last_length(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && !starts_character(text[text.size() - length])) ++length;
  return length;
}

class Characters {
 public:
  explicit Characters(std::string_view text) {
    while (!text.empty()) {
      const std::string_view one = text.substr(0, first_length(text));
      if (one.size() == 1)
        short_[static_cast<unsigned char>(one[0])] = true;
      else
        long_.insert(one);
      text.remove_prefix(one.size());
    }
  }
  [[nodiscard]] bool contain(std::string_view one) const {
    return one.size() == 1 ? short_[static_cast<unsigned char>(one[0])] : long_.contains(one);
  }

 private:
  std::array<bool, 256> short_{};
  std::unordered_set<std::string_view> long_;
};

void trim_both(sqlite3_context* context, int count, sqlite3_value** values) {
  if (any_null(count, values)) return;
  std::string_view text = text_of(values[0]);
  const Characters unwanted(text_of(values[1]));
  const auto side = static_cast<int>(reinterpret_cast<std::intptr_t>(sqlite3_user_data(context)));
  while ((side & left) != 0 && !text.empty()) {
    const std::size_t length = first_length(text);
    if (!unwanted.contain(text.substr(0, length))) break;
    text.remove_prefix(length);
  }
  while ((side & right) != 0 && !text.empty()) {
    const std::size_t length = last_length(text);
    if (!unwanted.contain(text.substr(text.size() - length))) break;
    text.remove_suffix(length);
  }
  sqlite3_result_text64(context, text.data() != nullptr ? text.data() : "", text.size(),
                        SQLITE_TRANSIENT, SQLITE_UTF8);
}

BuiltInFunction& built_in(sqlite3_context* context) {
  return *static_cast<BuiltInFunction*>(sqlite3_user_data(context));
}

void format(sqlite3_context* context, int count, sqlite3_value** values) {
  if (count == 0 || any_null(1, values)) return;
  const auto number_of = [&](int argument) -> std::int64_t {
    return argument + 1 < count ? sqlite3_value_int64(values[argument + 1]) : 0;
  };
  auto plain = plain_format(text_of(values[0]), number_of);
  if (!plain) return sqlite3_result_error(context, plain.error().message.c_str(), -1);
  std::vector<sqlite3_value*> used;
  for (const int argument : plain->arguments)
    if (argument + 1 < count) used.push_back(values[argument + 1]);
  built_in(context).call(context, plain->text, used);
}

// Searches each name of one object in the other: ten thousand names each take about a second.
void json_patch(sqlite3_context* context, int count, sqlite3_value** values) {
  constexpr std::size_t kMaxBytes = 100'000;
  if (any_null(count, values)) return;
  const std::string_view target = text_of(values[0]);
  if (target.size() > kMaxBytes || text_of(values[1]).size() > kMaxBytes)
    return sqlite3_result_error(context, "json_patch: an object is larger than 100 KB", -1);
  built_in(context).call(context, target, {values[1]});
  sqlite3_result_subtype(context, 'J');  // marks the result as JSON for SQLite's JSON functions
}

struct Function {
  const char* name;
  int arguments;
  int side;
  void (*call)(sqlite3_context*, int, sqlite3_value**);
};

constexpr Function kFunctions[] = {
    {"instr", 2, 0, instr},
    {"replace", 3, 0, replace},
    {"trim", 2, left | right, trim_both},
    {"ltrim", 2, left, trim_both},
    {"rtrim", 2, right, trim_both},
};

// Called only after their arguments were checked.
constexpr Function kGuarded[] = {
    {"printf", -1, 0, format},
    {"format", -1, 0, format},
    {"json_patch", 2, 0, json_patch},
};

constexpr int kKind = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;

}  // namespace

Status add_linear_functions(sqlite3* db) {
  for (const Function& function : kFunctions) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): SQLite hands it back, nothing reads through it
    void* side = reinterpret_cast<void*>(static_cast<std::intptr_t>(function.side));
    const int code = sqlite3_create_function_v2(db, function.name, function.arguments, kKind, side,
                                                function.call, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return Error{ErrorCode::bug, sqlite3_errmsg(db)};
  }
  for (const Function& function : kGuarded) {
    // SQLite deletes it, also when it refuses the function.
    auto* original = new BuiltInFunction(function.name);
    const int code = sqlite3_create_function_v2(
        db, function.name, function.arguments, kKind, original, function.call, nullptr, nullptr,
        [](void* self) { delete static_cast<BuiltInFunction*>(self); });
    if (code != SQLITE_OK) return Error{ErrorCode::bug, sqlite3_errmsg(db)};
  }
  return Done{};
}

}  // namespace heddle::store
