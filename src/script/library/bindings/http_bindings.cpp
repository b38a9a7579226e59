// http_get, http_post, http_request, http_multipart, tls_probe.
#include "script/library/bindings/http_bindings.hpp"

#include "base/text.hpp"
#include "script/library/binding_arguments.hpp"
#include "script/library/bindings/multipart.hpp"
#include "script/lua/wait.hpp"
#include "script/marshal/fields.hpp"
#include "script/marshal/request.hpp"

namespace heddle::script {
namespace {

Headers optional_headers(lua_State* lua, const BindingArguments& arguments, int index) {
  if (!arguments.has(index)) return {};
  arguments.check_table(index, "headers");
  return read_request_headers(lua, index, std::string(arguments.binding()) + ": headers");
}

int http_get(lua_State* lua) {
  const BindingArguments arguments(lua, "http_get");
  HttpWant want;
  want.request.url = arguments.text(1, "url");
  want.request.headers = optional_headers(lua, arguments, 2);
  return wait_for(lua, "http_get", std::move(want));
}

int http_post(lua_State* lua) {
  const BindingArguments arguments(lua, "http_post");
  HttpWant want;
  want.request.method = "POST";
  want.request.url = arguments.text(1, "url");
  if (arguments.has(2)) want.request.body = arguments.content(2, "body");
  want.request.headers = optional_headers(lua, arguments, 3);
  return wait_for(lua, "http_post", std::move(want));
}

int http_request(lua_State* lua) {
  const BindingArguments arguments(lua, "http_request");
  arguments.check_table(1, "options");
  HttpWant want;
  want.request = read_request(lua, 1, "http_request: options", FetchRequest{});
  want.has_own_proxy = push_field(lua, 1, "proxy") != LUA_TNIL;
  return wait_for(lua, "http_request", std::move(want));
}

int http_multipart(lua_State* lua) {
  const BindingArguments arguments(lua, "http_multipart");
  HttpWant want;
  want.request.method = "POST";
  want.request.url = arguments.text(1, "url");
  arguments.check_table(2, "fields");
  want.request.headers = optional_headers(lua, arguments, 3);
  const MultipartBody multipart = make_multipart(read_parts(lua, 2, "http_multipart"));
  std::erase_if(want.request.headers, [](const Header& header) {
    return equals_ignoring_case(header.first, "content-type");  // it must name the boundary
  });
  want.request.headers.emplace_back("Content-Type", multipart.content_type);
  want.request.body = multipart.body;
  return wait_for(lua, "http_multipart", std::move(want));
}

int tls_probe(lua_State* lua) {
  const BindingArguments arguments(lua, "tls_probe");
  TlsWant want;
  want.host = arguments.text(1, "host");
  if (arguments.has(2)) want.port = static_cast<int>(arguments.number(2, "port", 1, 65535));
  return wait_for(lua, "tls_probe", std::move(want));
}

}  // namespace

void open_http_bindings(lua_State* lua) {
  lua_register(lua, "http_get", http_get);
  lua_register(lua, "http_post", http_post);
  lua_register(lua, "http_request", http_request);
  lua_register(lua, "http_multipart", http_multipart);
  lua_register(lua, "tls_probe", tls_probe);
}

}  // namespace heddle::script
