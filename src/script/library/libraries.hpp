// Opens the libraries of the sandbox, one function each. Each adds to the globals of a new state;
// call them in protected mode.
#pragma once

struct lua_State;

namespace heddle::script {

void open_base(lua_State* lua);       // pcall, load, setmetatable, select, …: only safe ones
void open_coroutine(lua_State* lua);  // resume and wrap let the engine's own yields through
void open_string(lua_State* lua);     // patterns count their steps; no dump
void open_table(lua_State* lua);      // every loop counts its steps; also the global `unpack`
void open_math(lua_State* lua);
void open_utf8(lua_State* lua);
void open_os(lua_State* lua);        // time date clock difftime
void open_bit(lua_State* lua);       // bit32 and bit for older scripts
void open_json(lua_State* lua);      // json_encode, json_decode, json_array, json_null
void open_dump(lua_State* lua);      // dump, copy, deep_copy
void open_html(lua_State* lua);      // html.parse
void open_bindings(lua_State* lua);  // http_*, store_*, db_*, fs_*, sleep, notify, tls_probe: wants
void open_defer(lua_State* lua);
void open_require(lua_State* lua);
void open_engine(lua_State* lua);  // engine, env_get, log, print
void open_test(lua_State* lua);    // heddle.assert_*, heddle.run_cycle

}  // namespace heddle::script
