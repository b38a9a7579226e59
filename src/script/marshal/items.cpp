#include "script/marshal/items.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <lua.hpp>

#include "script/lua/frozen_table.hpp"
#include "script/marshal/fields.hpp"
#include "script/marshal/push.hpp"

namespace heddle::script {
namespace {

void push_strings(lua_State* lua, const std::vector<std::string>& texts) {
  lua_createtable(lua, static_cast<int>(texts.size()), 0);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    push_text(lua, texts[i]);
    lua_rawseti(lua, -2, static_cast<lua_Integer>(i) + 1);
  }
}

// A field's value at the index: numbers and booleans become text.
std::string field_text(lua_State* lua, int index, const std::string& owner) {
  switch (lua_type(lua, index)) {
    case LUA_TSTRING:
      return std::string(bytes_at(lua, index));
    case LUA_TBOOLEAN:
      return lua_toboolean(lua, index) != 0 ? "true" : "false";
    case LUA_TNUMBER: {
      lua_Integer whole = 0;
      const double number = lua_tonumber(lua, index);
      if (lua_isinteger(lua, index) == 0 && lua_numbertointeger(number, &whole) &&
          static_cast<double>(whole) == number)
        return fmt::format("{}", whole);
      return text_at(lua, index);
    }
    default: {
      const std::string_view name = bytes_at(lua, index - 1);
      luaL_error(lua, "%s: field \"%s\" must be a string, number or boolean (got %s)",
                 owner.c_str(), std::string(name).c_str(), luaL_typename(lua, index));
      return {};
    }
  }
}

constexpr std::size_t kNotFound = static_cast<std::size_t>(-1);

std::size_t position_of(const std::vector<Field>& fields, std::string_view name, std::size_t hint) {
  if (hint < fields.size() && fields[hint].first == name) return hint;
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i].first == name) return i;
  return kNotFound;
}

// Puts each field of the table on top at its old position, or among the new ones.
struct FieldSorter {
  const Item& old;
  std::vector<Field> kept;  // one per field of old; removed fields keep an empty name
  std::vector<Field> added{};
  bool is_changed = false;
  std::size_t seen = 0;

  void take(std::string_view name, std::string value) {
    const std::size_t at = position_of(old.fields, name, seen);
    if (at == kNotFound) {
      is_changed = true;
      added.emplace_back(name, std::move(value));
      return;
    }
    ++seen;
    is_changed = is_changed || old.fields[at].second != value;
    kept[at] = {std::string(name), std::move(value)};
  }

  Item finish() {
    Item item;
    item.matches = old.matches;
    if (!is_changed && seen == old.fields.size()) item.values_json = old.values_json;
    std::sort(added.begin(), added.end());
    if (seen != old.fields.size())
      std::erase_if(kept, [](const Field& field) { return field.first.empty(); });
    item.fields = std::move(kept);
    for (Field& field : added) item.fields.push_back(std::move(field));
    return item;
  }
};

// Of a flat item the table itself is read, without what the engine owns of an item.
Item read_fields(lua_State* lua, int table, bool is_flat, const Item& old,
                 const std::string& owner) {
  FieldSorter sorter{old, std::vector<Field>(old.fields.size())};
  for (lua_pushnil(lua); lua_next(lua, table) != 0; lua_pop(lua, 1)) {
    if (lua_type(lua, -2) != LUA_TSTRING)
      luaL_error(lua, "%s: names of fields must be strings (got a %s)", owner.c_str(),
                 luaL_typename(lua, -2));
    const std::string_view name = bytes_at(lua, -2);
    if (is_flat && (name == "matches" || name == "values")) continue;
    sorter.take(name, field_text(lua, -1, owner));
  }
  return sorter.finish();
}

}  // namespace

void push_item(lua_State* lua, const Item& item) {
  lua_createtable(lua, 0, 2);
  lua_createtable(lua, 0, static_cast<int>(item.fields.size()));
  for (const auto& [name, value] : item.fields) {
    push_text(lua, name);
    push_text(lua, value);
    lua_rawset(lua, -3);
  }
  lua_setfield(lua, -2, "fields");
  push_strings(lua, item.matches);
  lua_setfield(lua, -2, "matches");
}

Item read_item(lua_State* lua, int index, const Item& old, ItemOrigin origin,
               const std::string& owner) {
  if (lua_type(lua, index) != LUA_TTABLE)
    luaL_error(lua, "%s must be an item table (got %s)", owner.c_str(), luaL_typename(lua, index));
  const int type = push_field(lua, index, "fields");
  const bool is_flat = type == LUA_TNIL;
  if (is_flat && origin == ItemOrigin::engine) {
    lua_pop(lua, 1);
    return old;
  }
  if (!is_flat && type != LUA_TTABLE)
    luaL_error(lua, "%s: fields must be a table (got %s)", owner.c_str(), lua_typename(lua, type));
  Item item = read_fields(lua, is_flat ? index : lua_gettop(lua), is_flat, old, owner);
  lua_pop(lua, 1);
  return item;
}

void ItemList::push(lua_State* lua) {
  const int count = static_cast<int>(items_.size());
  lua_createtable(lua, count, 0);
  lua_createtable(lua, count, 0);
  positions_.reserve(items_.size());
  for (std::size_t i = 0; i < items_.size(); ++i) {
    push_item(lua, items_[i]);
    positions_.emplace(lua_topointer(lua, -1), i);
    lua_pushvalue(lua, -1);
    lua_rawseti(lua, -3, static_cast<lua_Integer>(i) + 1);
    lua_rawseti(lua, -3, static_cast<lua_Integer>(i) + 1);
  }
  if (items_.empty()) return;
  for (const Field& field : items_.front().fields) model_.fields.emplace_back(field.first, "");
}

Item ItemList::read_one(lua_State* lua, const std::string& owner) const {
  const int index = lua_gettop(lua);
  const auto found = positions_.find(lua_topointer(lua, index));
  if (found == positions_.end()) return read_item(lua, index, model_, ItemOrigin::script, owner);
  return read_item(lua, index, items_[found->second], ItemOrigin::engine, owner);
}

Items ItemList::read(lua_State* lua, int index, const std::string& hook) {
  if (lua_type(lua, index) != LUA_TTABLE)
    luaL_error(lua, "%s must return a list of items (got %s)", hook.c_str(),
               luaL_typename(lua, index));
  replace_by_contents(lua, index);
  const auto count = static_cast<lua_Integer>(lua_rawlen(lua, index));
  Items items;
  lua_pushnil(lua);
  if (count == 0 && lua_next(lua, index) != 0)
    luaL_error(lua, "%s must return a list of items (got a table with names)", hook.c_str());
  lua_settop(lua, index);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(lua, index, i);
    const std::string owner = fmt::format("{}: item {}", hook, i);
    items.push_back(read_one(lua, owner));
    lua_pop(lua, 1);
  }
  return items;
}

}  // namespace heddle::script
