// Converts items to and from Lua. All functions may raise.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "model/run/item.hpp"

struct lua_State;

namespace heddle::script {

using Items = std::vector<Item>;

void push_item(lua_State* lua, const Item& item);  // {fields = {…}, matches = {…}}

enum class ItemOrigin {
  engine,  // the script was given it: without `fields` it is unchanged
  script,  // the script made it: without `fields` the table itself holds the fields
};

// Reads the item at the index. Fields of `old` come first in their order, then new ones by name.
// Messages call the item `owner`.
Item read_item(lua_State* lua, int index, const Item& old, ItemOrigin origin,
               const std::string& owner);

// Passes a list to a script and reads it back, with items changed, dropped or reordered.
class ItemList {
 public:
  explicit ItemList(Items items) : items_(std::move(items)) {}

  // Pushes the list, and below it a table that keeps the items' tables alive.
  void push(lua_State* lua);
  // The list at the index, as `hook` returned it.
  Items read(lua_State* lua, int index, const std::string& hook);

 private:
  Item read_one(lua_State* lua, const std::string& owner) const;  // on top of the stack

  Items items_;
  std::unordered_map<const void*, std::size_t> positions_;  // by the address of the item's table
  Item model_;  // the first item's field names: the order for items created by the script
};

}  // namespace heddle::script
