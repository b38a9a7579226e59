// Items to and from Lua. All of these may raise.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "model/item.hpp"

struct lua_State;

namespace heddle::script {

using Items = std::vector<Item>;

void push_item(lua_State* lua, const Item& item);  // {fields = {…}, matches = {…}}

// What a script made of an item: the fields of the table at the index. Those of `old` come first,
// in their order, then new ones by name; a table without `fields` is taken as the fields
// themselves. The item is called `owner` in messages.
Item read_item(lua_State* lua, int index, const Item& old, const std::string& owner);

// A list handed to a script and taken back, however the script has changed, dropped or reordered
// its items.
class ItemList {
 public:
  explicit ItemList(Items items) : items_(std::move(items)) {}

  // Pushes the list, and below it a table that keeps the items' tables alive.
  void push(lua_State* lua);
  // The list at the index, as `hook` returned it.
  Items read(lua_State* lua, int index, const std::string& hook);

 private:
  const Item& original(const void* table);

  Items items_;
  std::unordered_map<const void*, std::size_t> positions_;  // by the address of the item's table
  Item model_;  // the names of the first item's fields: the order for items the script made
};

}  // namespace heddle::script
