#include "script/marshal/request.hpp"

#include <cmath>

#include <lua.hpp>

#include "base/text.hpp"
#include "script/marshal/fields.hpp"
#include "script/marshal/push.hpp"

namespace heddle::script {
namespace {

constexpr double kMegabyte = 1024.0 * 1024.0;
constexpr double kLongestSeconds = 24 * 3600;
constexpr double kMostMegabytes = 1024;

// Methods are case-sensitive; "put" is taken as PUT.
std::string usual_method(std::string method) {
  for (const std::string_view usual :
       {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"})
    if (equals_ignoring_case(method, usual)) return std::string(usual);
  return method;
}

void read_limits(lua_State* lua, const FieldReader& fields, const char* owner,
                 FetchRequest& request) {
  if (const auto seconds = fields.number("timeout")) {
    if (!(*seconds > 0 && *seconds <= kLongestSeconds))
      luaL_error(lua, "%s.timeout must be seconds, more than 0 and at most 86400", owner);
    request.timeout = std::chrono::milliseconds(std::max(1LL, std::llround(*seconds * 1000)));
  }
  if (const auto megabytes = fields.number("max_body_size")) {
    if (!(*megabytes > 0 && *megabytes <= kMostMegabytes))
      luaL_error(lua, "%s.max_body_size must be megabytes, more than 0 and at most 1024", owner);
    request.max_body_bytes = static_cast<std::size_t>(*megabytes * kMegabyte);
  }
}

}  // namespace

void push_request(lua_State* lua, const FetchRequest& request) {
  lua_createtable(lua, 0, 8);
  set_text(lua, "url", request.url);
  set_text(lua, "method", request.method);
  push_headers(lua, request.headers);
  lua_setfield(lua, -2, "headers");
  set_number(lua, "timeout", std::chrono::duration<double>(request.timeout).count());
  if (!request.proxy.empty()) set_text(lua, "proxy", request.proxy);
  set_number(lua, "max_body_size", static_cast<double>(request.max_body_bytes) / kMegabyte);
  if (!request.body.empty()) set_text(lua, "body", request.body);
}

FetchRequest read_request(lua_State* lua, int index, const char* owner, const FetchRequest& base) {
  const FieldReader fields(lua, index, owner);
  FetchRequest request = base;
  if (auto url = fields.text("url")) request.url = std::move(*url);
  if (request.url.empty()) luaL_error(lua, "%s.url is missing", owner);
  if (auto method = fields.text("method")) request.method = usual_method(std::move(*method));
  if (request.method.empty()) luaL_error(lua, "%s.method is empty", owner);
  request.headers = fields.request_headers("headers").value_or(Headers());
  request.proxy = fields.text("proxy").value_or("");
  request.body = fields.text("body").value_or("");
  read_limits(lua, fields, owner, request);
  return request;
}

}  // namespace heddle::script
