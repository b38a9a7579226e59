// html.parse(text [, base_url]) and the methods of documents and nodes. Both are userdata whose
// metatables scripts cannot access; a node keeps its document alive as a user value.
#include <algorithm>
#include <climits>
#include <cmath>
#include <new>
#include <string>
#include <string_view>

#include <lua.hpp>

#include "html/links.hpp"
#include "html/parse.hpp"
#include "html/selector.hpp"
#include "html/serialize.hpp"
#include "html/text.hpp"
#include "html/xpath/xpath.hpp"
#include "script/library/bindings/html_documents.hpp"
#include "script/library/libraries.hpp"
#include "script/lua/stack.hpp"
#include "script/lua/step_counter.hpp"
#include "script/lua/vm.hpp"

namespace heddle::script {
namespace {

constexpr const char* kDocument = "html.document";
constexpr const char* kNode = "html.node";
constexpr char kStateKey = 's';  // its address is the registry key

constexpr std::size_t kMaxSelectorBytes = 10'000;
// Parsing and selecting take long enough to read the clock each time.
constexpr std::uint64_t kStepsOfLook = 20'000;

struct HtmlState {
  std::shared_ptr<HtmlMemory> memory = std::make_shared<HtmlMemory>();
  ExpressionCache<html::Selector> selectors;
  ExpressionCache<html::XPath> xpaths;
};

struct NodeData {
  html::NodeId id;
};

template <class T>
int destroy(lua_State* lua) {
  static_cast<T*>(lua_touserdata(lua, 1))->~T();
  return 0;
}

HtmlState& state_of(lua_State* lua) {
  lua_rawgetp(lua, LUA_REGISTRYINDEX, &kStateKey);
  auto& state = *static_cast<HtmlState*>(lua_touserdata(lua, -1));
  lua_pop(lua, 1);
  return state;
}

// The document itself or one of its nodes.
struct NodeRef {
  ScriptDocument& owner;
  html::NodeId id;
  [[nodiscard]] const html::Document& document() const { return owner.get(); }
};

// `self` of a method, and its document on top of the stack.
NodeRef check_node_ref(lua_State* lua) {
  if (void* document = luaL_testudata(lua, 1, kDocument)) {
    lua_pushvalue(lua, 1);
    return {*static_cast<ScriptDocument*>(document), html::Document::root()};
  }
  const auto& node = *static_cast<NodeData*>(luaL_checkudata(lua, 1, kNode));
  lua_getiuservalue(lua, 1, 1);
  return {*static_cast<ScriptDocument*>(lua_touserdata(lua, -1)), node.id};
}

int push_text(lua_State* lua, const std::string& text) {
  count_steps(lua, 1 + steps_for_bytes(8 * text.size()));
  lua_pushlstring(lua, text.data(), text.size());
  return 1;
}

// `owner` is the stack index of the document's userdata.
void push_node(lua_State* lua, int owner, html::NodeId id) {
  new (lua_newuserdatauv(lua, sizeof(NodeData), 1)) NodeData{id};
  lua_pushvalue(lua, owner);
  lua_setiuservalue(lua, -2, 1);
  luaL_setmetatable(lua, kNode);
}

// The second argument of a method, compiled.
template <class Expression>
Expression check_expression(lua_State* lua, ExpressionCache<Expression>& cache) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(lua, 2, &size);
  luaL_argcheck(lua, size <= kMaxSelectorBytes, 2, "selector longer than 10000 bytes");
  auto expression = cache.get({text, size});
  if (!expression) luaL_error(lua, "%s", expression.error().message.c_str());
  return *std::move(expression);
}

// node:select(css): all descendants that match, in document order.
int node_select(lua_State* lua) {
  const NodeRef self = check_node_ref(lua);
  const int owner = lua_gettop(lua);
  const html::Selector selector = check_expression(lua, state_of(lua).selectors);
  std::vector<html::NodeId> nodes;
  const auto status = html::select(self.document(), selector, self.id, nodes);
  if (!status) return luaL_error(lua, "%s", status.error().message.c_str());
  count_steps(lua, kStepsOfLook);
  StepCounter steps(lua);
  lua_createtable(lua, static_cast<int>(nodes.size()), 0);
  lua_Integer position = 0;
  for (const html::NodeId node : nodes) {
    steps.add(16);
    push_node(lua, owner, node);
    lua_rawseti(lua, -2, ++position);
  }
  return 1;
}

// node:select_one(css): the first of them, or nil.
int node_select_one(lua_State* lua) {
  const NodeRef self = check_node_ref(lua);
  const int owner = lua_gettop(lua);
  const html::Selector selector = check_expression(lua, state_of(lua).selectors);
  const auto found = html::select_first(self.document(), selector, self.id);
  if (!found) return luaL_error(lua, "%s", found.error().message.c_str());
  count_steps(lua, kStepsOfLook);
  if (*found)
    push_node(lua, owner, **found);
  else
    lua_pushnil(lua);
  return 1;
}

// The text of an attribute: an absolute URL for links when the page's URL was given.
std::string text_of_attribute(const NodeRef& self, const html::XPathNode& found) {
  const html::Document& document = self.document();
  const std::string_view name = document.name(html::attribute_of(document, found).name);
  if (self.owner.base() == nullptr) return std::string(html::string_value(document, found));
  return html::attribute_or_link(document, found.node, name, *self.owner.base());
}

// An element as a node; attributes, texts and comments as strings.
void push_found(lua_State* lua, const NodeRef& self, int owner, const html::XPathNode& found) {
  if (found.is_whole() && self.document().kind(found.node) == html::NodeKind::element)
    return push_node(lua, owner, found.node);
  if (found.is_whole() && self.document().kind(found.node) == html::NodeKind::document)
    return lua_pushvalue(lua, owner);
  if (found.is_attribute()) {
    push_text(lua, text_of_attribute(self, found));
  } else {
    push_text(lua, std::string(html::string_value(self.document(), found)));
  }
}

int push_found_nodes(lua_State* lua, const NodeRef& self, int owner,
                     const html::XPathNodes& nodes) {
  StepCounter steps(lua);
  lua_createtable(lua, static_cast<int>(nodes.size()), 0);
  lua_Integer position = 0;
  for (const html::XPathNode& found : nodes) {
    steps.add(16);
    push_found(lua, self, owner, found);
    lua_rawseti(lua, -2, ++position);
  }
  return 1;
}

// A whole number as an integer: count(//li) is 2, not 2.0.
int push_number(lua_State* lua, double number) {
  lua_Integer whole = 0;
  if (std::floor(number) == number && lua_numbertointeger(number, &whole))
    lua_pushinteger(lua, whole);
  else
    lua_pushnumber(lua, number);
  return 1;
}

// node:xpath(expression): a list of what it selects, or its number, text or boolean.
int node_xpath(lua_State* lua) {
  const NodeRef self = check_node_ref(lua);
  const int owner = lua_gettop(lua);
  const html::XPath xpath = check_expression(lua, state_of(lua).xpaths);
  html::SelectBudget budget{html::SelectLimits{}};
  const auto value = html::evaluate(self.document(), xpath, {self.id}, budget);
  if (!value) return luaL_error(lua, "%s", value.error().message.c_str());
  count_steps(lua, kStepsOfLook);
  if (const auto* nodes = std::get_if<html::XPathNodes>(&*value))
    return push_found_nodes(lua, self, owner, *nodes);
  if (const auto* number = std::get_if<double>(&*value)) return push_number(lua, *number);
  if (const auto* is_true = std::get_if<bool>(&*value)) {
    lua_pushboolean(lua, *is_true ? 1 : 0);
    return 1;
  }
  return push_text(lua, std::get<std::string>(*value));
}

int node_text(lua_State* lua) {
  const NodeRef self = check_node_ref(lua);
  return push_text(lua, html::readable_text(self.document(), self.id));
}

int node_html(lua_State* lua) {
  const NodeRef self = check_node_ref(lua);
  return push_text(lua, html::outer_html(self.document(), self.id));
}

// node:attr(name): nil when absent; a link is absolute when the page's URL was given.
int node_attr(lua_State* lua) {
  luaL_checkudata(lua, 1, kNode);
  const NodeRef self = check_node_ref(lua);
  std::size_t size = 0;
  const char* data = luaL_checklstring(lua, 2, &size);
  const std::string_view name(data, size);
  const auto value = self.document().attribute(self.id, name);
  if (!value) {
    lua_pushnil(lua);
    return 1;
  }
  if (self.owner.base() == nullptr) {
    lua_pushlstring(lua, value->data(), value->size());
    return 1;
  }
  return push_text(lua,
                   html::attribute_or_link(self.document(), self.id, name, *self.owner.base()));
}

int node_tag(lua_State* lua) {
  luaL_checkudata(lua, 1, kNode);
  const NodeRef self = check_node_ref(lua);
  const std::string_view tag = self.document().tag_name(self.id);
  lua_pushlstring(lua, tag.data(), tag.size());
  return 1;
}

int node_to_text(lua_State* lua) {
  node_tag(lua);
  lua_pushfstring(lua, "<%s>", lua_tostring(lua, -1));
  return 1;
}

// Each select creates new userdata, so nodes are compared by document and id.
int nodes_are_equal(lua_State* lua) {
  const auto* a = static_cast<NodeData*>(luaL_testudata(lua, 1, kNode));
  const auto* b = static_cast<NodeData*>(luaL_testudata(lua, 2, kNode));
  bool are_equal = a != nullptr && b != nullptr && a->id == b->id;
  if (are_equal) {
    lua_getiuservalue(lua, 1, 1);
    lua_getiuservalue(lua, 2, 1);
    are_equal = lua_rawequal(lua, -1, -2) != 0;
  }
  lua_pushboolean(lua, are_equal ? 1 : 0);
  return 1;
}

void make_room(lua_State* lua, std::size_t bytes) {
  const HtmlMemory& memory = *state_of(lua).memory;
  if (memory.used + bytes <= kMaxDocumentBytes) return;
  lua_gc(lua, LUA_GCCOLLECT);
  if (memory.used + bytes > kMaxDocumentBytes)
    luaL_error(lua, "the pages that html.parse made and that are still in use exceed 64 MB");
}

Result<html::Document> parse_page(lua_State* lua, std::string_view text) {
  html::Parser* parser = Vm::of(lua).settings().parser;
  return parser != nullptr ? parser->parse(text) : html::parse(text);
}

int html_parse(lua_State* lua) {
  std::size_t size = 0;
  const char* data = luaL_checklstring(lua, 1, &size);
  luaL_argcheck(lua, size <= kMaxHtmlBytes, 1, "page larger than 32 MB");
  const char* base_text = luaL_optstring(lua, 2, nullptr);
  std::optional<Url> page_url;
  if (base_text != nullptr) {
    auto parsed = Url::parse(base_text);
    if (!parsed) return luaL_error(lua, "%s", parsed.error().message.c_str());
    page_url = *std::move(parsed);
  }
  count_steps(lua, 1 + size / 4);
  auto document = parse_page(lua, {data, size});
  if (!document) return luaL_error(lua, "%s", document.error().message.c_str());
  count_steps(lua, kStepsOfLook);
  const std::size_t bytes = document->memory_bytes();
  make_room(lua, bytes);
  // Speeds the collector up as if Lua had allocated this much.
  lua_gc(lua, LUA_GCSTEP, static_cast<int>(std::min<std::size_t>(bytes / 1024, INT_MAX)));
  luaL_getmetatable(lua, kDocument);
  void* memory = lua_newuserdatauv(lua, sizeof(ScriptDocument), 0);
  auto* owner = new (memory) ScriptDocument(*std::move(document), state_of(lua).memory);
  lua_insert(lua, -2);
  lua_setmetatable(lua, -2);
  if (page_url) owner->set_base(html::document_base(owner->get(), *page_url));
  return 1;
}

void make_metatable(lua_State* lua, const char* name, const luaL_Reg* methods) {
  luaL_newmetatable(lua, name);
  lua_newtable(lua);
  luaL_setfuncs(lua, methods, 0);
  lua_setfield(lua, -2, "__index");
  lua_pushboolean(lua, 0);
  lua_setfield(lua, -2, "__metatable");
}

void set_function(lua_State* lua, const char* name, lua_CFunction function) {
  lua_pushcfunction(lua, function);
  lua_setfield(lua, -2, name);
}

void make_state(lua_State* lua) {
  void* memory = lua_newuserdatauv(lua, sizeof(HtmlState), 0);
  lua_createtable(lua, 0, 1);
  set_function(lua, "__gc", destroy<HtmlState>);
  new (memory) HtmlState;
  lua_setmetatable(lua, -2);
  lua_rawsetp(lua, LUA_REGISTRYINDEX, &kStateKey);
}

constexpr luaL_Reg kDocumentMethods[] = {
    {"select", node_select}, {"select_one", node_select_one},
    {"xpath", node_xpath},   {"text", node_text},
    {"html", node_html},     {nullptr, nullptr},
};
constexpr luaL_Reg kNodeMethods[] = {
    {"select", node_select}, {"select_one", node_select_one},
    {"xpath", node_xpath},   {"text", node_text},
    {"html", node_html},     {"attr", node_attr},
    {"tag", node_tag},       {nullptr, nullptr},
};
constexpr luaL_Reg kHtml[] = {{"parse", html_parse}, {nullptr, nullptr}};

}  // namespace

void open_html(lua_State* lua) {
  make_state(lua);
  make_metatable(lua, kDocument, kDocumentMethods);
  set_function(lua, "__gc", destroy<ScriptDocument>);
  make_metatable(lua, kNode, kNodeMethods);
  set_function(lua, "__tostring", node_to_text);
  set_function(lua, "__eq", nodes_are_equal);
  lua_pop(lua, 2);
  luaL_newlib(lua, kHtml);
  lua_setglobal(lua, "html");
}

}  // namespace heddle::script
