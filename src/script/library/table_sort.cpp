#include "script/library/table_sort.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include <lua.hpp>

#include "script/library/table_access.hpp"
#include "script/lua/step_counter.hpp"

namespace heddle::script {
namespace {

constexpr int kLess = 2;      // stack: the comparison function or nil
constexpr int kElements = 3;  // stack: a private copy of the elements, so that no callback can
                              // remove them during the sort

// Memory of the VM that the stack keeps alive until the function returns.
template <class T>
T* new_array(lua_State* lua, std::size_t count) {
  static_assert(std::is_trivially_destructible_v<T>);
  return static_cast<T*>(lua_newuserdatauv(lua, count * sizeof(T), 0));
}

// Sorts runs of `width` pairwise from `from` into `to`.
template <class Key, class Less>
void merge_runs(const Key* from, Key* to, std::size_t count, std::size_t width, const Less& less) {
  for (std::size_t begin = 0; begin < count; begin += 2 * width) {
    const std::size_t middle = std::min(begin + width, count);
    const std::size_t end = std::min(begin + 2 * width, count);
    std::size_t left = begin;
    std::size_t right = middle;
    for (std::size_t out = begin; out < end; ++out) {
      const bool takes_right = left == middle || (right < end && less(from[right], from[left]));
      to[out] = takes_right ? from[right++] : from[left++];
    }
  }
}

constexpr std::size_t kShortRun = 8;

template <class Key, class Less>
void sort_short_run(Key* keys, std::size_t count, const Less& less) {
  for (std::size_t i = 1; i < count; ++i) {
    const Key key = keys[i];
    std::size_t place = i;
    for (; place > 0 && less(key, keys[place - 1]); --place) keys[place] = keys[place - 1];
    keys[place] = key;
  }
}

// Returns whichever of the two arrays holds the result.
template <class Key, class Less>
Key* merge_sort(Key* keys, Key* spare, std::size_t count, const Less& less) {
  for (std::size_t begin = 0; begin < count; begin += kShortRun)
    sort_short_run(keys + begin, std::min(kShortRun, count - begin), less);
  for (std::size_t width = kShortRun; width < count; width *= 2) {
    merge_runs(keys, spare, count, width, less);
    std::swap(keys, spare);
  }
  return keys;
}

// A key and the index of its element in the copy.
template <class T>
struct Keyed {
  T key;
  std::uint32_t position;
};

class Sorter {
 public:
  Sorter(lua_State* lua, const TableAccess& table, std::size_t count)
      : lua_(lua), table_(table), count_(count), steps_(lua) {}

  void copy_elements() {
    lua_createtable(lua_, static_cast<int>(count_), 0);
    for (std::size_t i = 1; i <= count_; ++i) {
      steps_.add(2);
      table_.get(static_cast<lua_Integer>(i));
      note_type(lua_type(lua_, -1));
      lua_rawseti(lua_, kElements, static_cast<lua_Integer>(i));
    }
  }

  void sort() {
    if (lua_type(lua_, kLess) == LUA_TFUNCTION)
      return sort_by<NoKey>([this](const auto& a, const auto& b) { return ask_script(a, b); });
    if (only_type_ == LUA_TNUMBER) return sort_numbers();
    if (only_type_ == LUA_TSTRING)
      return sort_by<std::string_view>(
          [this](const auto& a, const auto& b) { return compare_keys(a, b); });
    sort_by<NoKey>([this](const auto& a, const auto& b) { return ask_lua(a, b); });
  }

 private:
  struct NoKey {};

  void note_type(int type) {
    if (only_type_ == LUA_TNONE) only_type_ = type;
    if (only_type_ != type) only_type_ = LUA_TNIL;
  }

  // Integers and floats compare exactly in Lua, not as doubles; NaN has no order.
  void sort_numbers() {
    bool are_integers = true;
    bool are_floats = true;
    for (std::size_t i = 1; i <= count_; ++i) {
      steps_.add(1);
      lua_rawgeti(lua_, kElements, static_cast<lua_Integer>(i));
      const bool is_integer = lua_isinteger(lua_, -1) != 0;
      are_integers = are_integers && is_integer;
      are_floats = are_floats && !is_integer && !std::isnan(lua_tonumber(lua_, -1));
      lua_pop(lua_, 1);
    }
    const auto compares = [this](const auto& a, const auto& b) { return compare_keys(a, b); };
    if (are_integers) return sort_by<lua_Integer>(compares);
    if (are_floats) return sort_by<lua_Number>(compares);
    sort_by<NoKey>([this](const auto& a, const auto& b) { return ask_lua(a, b); });
  }

  template <class Key, class Less>
  void sort_by(const Less& less) {
    auto* keys = new_array<Keyed<Key>>(lua_, count_);
    auto* spare = new_array<Keyed<Key>>(lua_, count_);
    for (std::size_t i = 0; i < count_; ++i) {
      steps_.add(1);
      keys[i] = {read_key(i + 1, Key{}), static_cast<std::uint32_t>(i + 1)};
    }
    const Keyed<Key>* sorted = merge_sort(keys, spare, count_, less);
    lua_Integer place = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      steps_.add(1);
      lua_rawgeti(lua_, kElements, sorted[i].position);
      table_.set(++place);
    }
  }

  template <class Key>
  Key read_key(std::size_t position, Key kind) {
    if constexpr (std::is_same_v<Key, NoKey>) return kind;
    lua_rawgeti(lua_, kElements, static_cast<lua_Integer>(position));
    if constexpr (std::is_same_v<Key, lua_Integer>) kind = lua_tointeger(lua_, -1);
    if constexpr (std::is_same_v<Key, lua_Number>) kind = lua_tonumber(lua_, -1);
    if constexpr (std::is_same_v<Key, std::string_view>) {
      std::size_t size = 0;
      const char* data = lua_tolstring(lua_, -1, &size);
      kind = {data, size};  // stays valid: the copy of the elements holds the string
    }
    lua_pop(lua_, 1);
    return kind;
  }

  template <class Key>
  bool compare_keys(const Keyed<Key>& a, const Keyed<Key>& b) {
    if constexpr (std::is_same_v<Key, std::string_view>)
      steps_.add(1 + steps_for_bytes(std::min(a.key.size(), b.key.size())));
    else
      steps_.add(1);
    return a.key < b.key;
  }

  void push_pair(std::uint32_t a, std::uint32_t b) {
    steps_.add(2);
    lua_rawgeti(lua_, kElements, a);
    lua_rawgeti(lua_, kElements, b);
  }

  bool ask_lua(const Keyed<NoKey>& a, const Keyed<NoKey>& b) {
    push_pair(a.position, b.position);
    const bool is_less = lua_compare(lua_, -2, -1, LUA_OPLT) != 0;
    lua_pop(lua_, 2);
    return is_less;
  }

  bool ask_script(const Keyed<NoKey>& a, const Keyed<NoKey>& b) {
    lua_pushvalue(lua_, kLess);
    push_pair(a.position, b.position);
    lua_call(lua_, 2, 1);
    const bool is_less = lua_toboolean(lua_, -1) != 0;
    lua_pop(lua_, 1);
    return is_less;
  }

  lua_State* lua_;
  const TableAccess& table_;
  std::size_t count_;
  StepCounter steps_;
  int only_type_ = LUA_TNONE;  // of all elements; LUA_TNIL when they differ
};

}  // namespace

int table_sort(lua_State* lua) {
  const TableAccess table(lua, 1, kReads | kWrites | kMeasures);
  const lua_Integer count = table.length();
  if (count < 2) return 0;
  luaL_argcheck(lua, count < INT_MAX, 1, "array too big");
  if (!lua_isnoneornil(lua, kLess)) luaL_checktype(lua, kLess, LUA_TFUNCTION);
  lua_settop(lua, kLess);
  Sorter sorter(lua, table, static_cast<std::size_t>(count));
  sorter.copy_elements();
  sorter.sort();
  return 0;
}

}  // namespace heddle::script
