#include "script/marshal/response.hpp"

#include <lua.hpp>

#include "base/text.hpp"
#include "script/marshal/fields.hpp"
#include "script/marshal/push.hpp"
#include "script/marshal/request.hpp"

namespace heddle::script {
namespace {

constexpr char kHeadersMetatable = 'h';  // its address is the registry key

// Pushes the key at index 2 in lower case.
void push_lower_key(lua_State* lua) {
  push_text(lua, to_lower_ascii(bytes_at(lua, 2)));
}

int find_header_in_any_case(lua_State* lua) {
  if (lua_type(lua, 2) != LUA_TSTRING || lua_type(lua, 1) != LUA_TTABLE) return 0;
  push_lower_key(lua);
  lua_rawget(lua, 1);
  return 1;
}

int set_header_in_lower_case(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  if (lua_type(lua, 2) == LUA_TSTRING) {
    push_lower_key(lua);
    lua_replace(lua, 2);
  }
  lua_settop(lua, 3);
  lua_rawset(lua, 1);
  return 0;
}

void push_headers_metatable(lua_State* lua) {
  if (lua_rawgetp(lua, LUA_REGISTRYINDEX, &kHeadersMetatable) == LUA_TTABLE) return;
  lua_pop(lua, 1);
  lua_createtable(lua, 0, 3);
  lua_pushcfunction(lua, find_header_in_any_case);
  lua_setfield(lua, -2, "__index");
  lua_pushcfunction(lua, set_header_in_lower_case);
  lua_setfield(lua, -2, "__newindex");
  set_flag(lua, "__metatable", false);
  lua_pushvalue(lua, -1);
  lua_rawsetp(lua, LUA_REGISTRYINDEX, &kHeadersMetatable);
}

// Repeated headers are joined into one value, as HTTP allows.
void push_response_headers(lua_State* lua, const Headers& headers) {
  lua_createtable(lua, 0, static_cast<int>(headers.size()));
  for (const auto& [name, value] : headers) {
    push_text(lua, to_lower_ascii(name));
    lua_pushvalue(lua, -1);
    if (lua_rawget(lua, -3) == LUA_TNIL) {
      lua_pop(lua, 1);
      push_text(lua, value);
    } else {
      lua_pushliteral(lua, ", ");
      push_text(lua, value);
      lua_concat(lua, 3);
    }
    lua_rawset(lua, -3);
  }
  push_headers_metatable(lua);
  lua_setmetatable(lua, -2);
}

FetchResponse without_body(const FetchResponse& response) {
  FetchResponse copy;
  copy.status = response.status;
  copy.url = response.url;
  copy.headers = response.headers;
  copy.proxy = response.proxy;
  copy.time = response.time;
  copy.wire_bytes = response.wire_bytes;
  return copy;
}

}  // namespace

void push_response(lua_State* lua, const FetchResponse& response) {
  lua_createtable(lua, 0, 8);
  lua_pushinteger(lua, response.status);
  lua_setfield(lua, -2, "status");
  set_text(lua, "url", response.url);
  push_response_headers(lua, response.headers);
  lua_setfield(lua, -2, "headers");
  set_text(lua, "body", response.body);
  if (!response.proxy.empty()) set_text(lua, "proxy", response.proxy);
  lua_pushinteger(lua, std::chrono::floor<std::chrono::milliseconds>(response.time).count());
  lua_setfield(lua, -2, "time_ms");
  lua_pushinteger(lua, static_cast<lua_Integer>(response.body.size()));
  lua_setfield(lua, -2, "size");
}

void push_fetch_failure(lua_State* lua, const FetchError& error) {
  lua_createtable(lua, 0, 3);
  set_text(lua, "error", error.message);
  set_text(lua, "kind", to_text(error.kind));
  if (!error.proxy.empty()) set_text(lua, "proxy", error.proxy);
}

void push_fetch_result(lua_State* lua, const FetchResult& result) {
  lua_createtable(lua, 0, 5);
  set_flag(lua, "ok", !result.error);
  push_request(lua, result.request);
  lua_setfield(lua, -2, "request");
  if (result.response) {
    push_response(lua, *result.response);
    lua_setfield(lua, -2, "response");
  }
  if (result.page_class) set_text(lua, "class", *result.page_class);
  if (!result.error) return;
  lua_createtable(lua, 0, 3);
  set_text(lua, "message", result.error->message);
  set_text(lua, "kind", to_text(result.error->kind));
  if (!result.error->proxy.empty()) set_text(lua, "proxy", result.error->proxy);
  lua_setfield(lua, -2, "error");
}

FetchResponse read_response(lua_State* lua, int index, const char* owner, FetchResponse base) {
  const FieldReader fields(lua, index, owner);
  if (const auto status = fields.number("status")) {
    if (!(*status >= 100 && *status <= 999))
      luaL_error(lua, "%s.status must be an HTTP status (100 to 999)", owner);
    base.status = static_cast<int>(*status);
  }
  if (auto url = fields.text("url")) base.url = std::move(*url);
  if (auto headers = fields.headers("headers")) {
    for (auto& [name, value] : *headers) name = to_lower_ascii(name);
    base.headers = std::move(*headers);
  }
  if (auto body = fields.text("body")) base.body = std::move(*body);
  return base;
}

OverrideFetchResult read_override(lua_State* lua, int index, const std::string& url) {
  if (lua_type(lua, index) != LUA_TTABLE)
    luaL_error(lua, "override_fetch must return a response table (got %s)",
               luaL_typename(lua, index));
  const FieldReader fields(lua, index, "override_fetch: response");
  if (auto error = fields.text("error")) {
    FetchError failure;
    failure.message = std::move(*error);
    return failure;
  }
  FetchResponse base;
  base.url = url;
  FetchResponse response = read_response(lua, index, "override_fetch: response", std::move(base));
  if (response.status == 0) luaL_error(lua, "override_fetch: response.status is missing");
  response.wire_bytes = response.body.size();
  return response;
}

namespace {

// After a failure: whether the script has provided a page: a successful response, a cleared error
// or a result marked ok. Returning the 404 it was given is not enough.
bool is_page_provided(lua_State* lua, int result, const FetchResponse& response) {
  if (response.status >= 200 && response.status < 300) return true;
  const bool has_cleared_error = push_field(lua, result, "error") == LUA_TNIL;
  push_field(lua, result, "ok");
  const bool is_called_ok = lua_toboolean(lua, -1) != 0;
  lua_pop(lua, 2);
  return response.status != 0 && (has_cleared_error || is_called_ok);
}

// The response is on top.
FetchResponse read_new_body(lua_State* lua, const FetchResponse& sent) {
  FetchResponse response = without_body(sent);
  const FieldReader fields(lua, -1, "after_fetch: result.response");
  response.body = fields.text("body").value_or("");
  return response;
}

constexpr int kOk = 200;

// A page without a status is a page: only a response that came with one keeps it.
FetchResponse read_supplied(lua_State* lua, int index, const char* owner, FetchResponse base) {
  const FieldReader fields(lua, index, owner);
  const bool has_body = fields.text("body").has_value();
  FetchResponse response = read_response(lua, index, owner, std::move(base));
  if (response.status == 0 && has_body) response.status = kOk;
  return response;
}

// {status, body, url} in place of a result with a response.
bool is_flat_response(lua_State* lua, int index) {
  const bool has_status = push_field(lua, index, "status") != LUA_TNIL;
  const bool has_body = push_field(lua, index, "body") != LUA_TNIL;
  lua_pop(lua, 2);
  return has_status || has_body;
}

// What the script supplied for a failed fetch; the result's response is on top.
std::optional<FetchResponse> read_recovery(lua_State* lua, int index, const FetchResult& sent) {
  FetchResponse base;
  base.url = sent.request.url;
  if (lua_isnil(lua, -1)) {
    if (!is_flat_response(lua, index)) return std::nullopt;
    FetchResponse response = read_supplied(lua, index, "after_fetch: response", std::move(base));
    return is_page_provided(lua, index, response) ? std::optional(std::move(response))
                                                  : std::nullopt;
  }
  if (sent.response) {
    base = *sent.response;
    if (base.url.empty()) base.url = sent.request.url;
  }
  FetchResponse response =
      read_supplied(lua, lua_gettop(lua), "after_fetch: result.response", std::move(base));
  return is_page_provided(lua, index, response) ? std::optional(std::move(response)) : std::nullopt;
}

}  // namespace

AfterFetchResult read_after_fetch(lua_State* lua, int index, const FetchResult& sent) {
  if (lua_type(lua, index) != LUA_TTABLE)
    luaL_error(lua, "after_fetch must return a result table (got %s)", luaL_typename(lua, index));
  AfterFetchResult after;
  const bool is_same_table = push_field(lua, index, "request") != LUA_TNIL;
  if (push_field(lua, index, "class") == LUA_TSTRING) after.page_class = bytes_at(lua, -1);
  after.has_class = is_same_table || after.page_class;
  lua_pop(lua, 2);
  const int type = push_field(lua, index, "response");
  const bool is_recovery = sent.error || !sent.response;
  if (type != LUA_TTABLE && !(is_recovery && type == LUA_TNIL))
    luaL_error(lua, "after_fetch: result.response must be a table (got %s)",
               lua_typename(lua, type));
  if (is_recovery)
    after.response = read_recovery(lua, index, sent);
  else
    after.response = read_new_body(lua, *sent.response);
  lua_pop(lua, 1);
  return after;
}

}  // namespace heddle::script
