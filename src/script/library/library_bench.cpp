// Compares the sandbox's library functions with stock Lua: each pair runs the same script.
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include <benchmark/benchmark.h>
#include <lua.hpp>

#include "base/free_with.hpp"
#include "script/lua/vm.hpp"
#include "script/silent_host.hpp"

namespace heddle::script {
namespace {

// The input of every script.
constexpr const char* kPrepare = R"(
  local line = '<li class="item sale"><a href="/shop/thing-%d?ref=list">Thing number %d</a> EUR %d.99</li>\n'
  local parts = {}
  for i = 1, 2000 do parts[i] = line:format(i, i, i % 900) end
  page = table.concat(parts)
  words = {}
  for w in page:gmatch('%w+') do words[#words + 1] = w end
  numbers = {}
  for i = 1, 20000 do numbers[i] = (i * 7919) % 20011 end
)";

// Calls one chunk repeatedly.
void run(benchmark::State& state, lua_State* lua, const char* code) {
  if (luaL_dostring(lua, kPrepare) || luaL_loadstring(lua, code)) std::abort();
  for (auto _ : state) {
    lua_pushvalue(lua, -1);
    if (lua_pcall(lua, 0, 0, 0) != LUA_OK) std::abort();
  }
}

void ours(benchmark::State& state, const char* code) {
  SilentHost host;
  const auto vm = std::move(*Vm::make({}, host));
  lua_sethook(vm->main(), nullptr, 0, 0);  // it slows all of Lua; this measures the library only
  run(state, vm->main(), code);
}

void stock(benchmark::State& state, const char* code) {
  const std::unique_ptr<lua_State, FreeWith<lua_close>> lua(luaL_newstate());
  luaL_openlibs(lua.get());
  run(state, lua.get(), code);
}

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): registers a pair under one name
#define HEDDLE_BENCH_PAIR(name, code)   \
  BENCHMARK_CAPTURE(stock, name, code); \
  BENCHMARK_CAPTURE(ours, name, code)

HEDDLE_BENCH_PAIR(find_plain, "return page:find('thing-1999', 1, true)");
HEDDLE_BENCH_PAIR(find_class, "return page:find('%d%d%d%d%.%d')");
HEDDLE_BENCH_PAIR(find_short, "for i = 1, 1000 do (words[i]):find('^%a+$') end");
HEDDLE_BENCH_PAIR(match_captures,
                  "for i = 1, 1000 do ('key' .. i .. ' = value'):match('^(%w+)%s*=%s*(%w+)$') end");
HEDDLE_BENCH_PAIR(match_lazy, "return page:match('<a href=\"(.-)\">Thing number 1900</a>')");
HEDDLE_BENCH_PAIR(gmatch_links,
                  "for href, text in page:gmatch('<a href=\"([^\"]*)\">(.-)</a>') do end");
HEDDLE_BENCH_PAIR(gsub_tags, "return page:gsub('<[^>]+>', '')");
HEDDLE_BENCH_PAIR(gsub_spaces, "return page:gsub('%s+', ' ')");
HEDDLE_BENCH_PAIR(gsub_function, "return page:gsub('%d+', function(d) return d + 1 end)");
HEDDLE_BENCH_PAIR(gsub_escape, "return page:gsub('[<>&]', {['<'] = '&lt;', ['>'] = '&gt;'})");
HEDDLE_BENCH_PAIR(format, "for i = 1, 1000 do ('%s: %d'):format(words[i], i) end");
HEDDLE_BENCH_PAIR(rep, "for i = 1, 100 do (' '):rep(1000) end");
HEDDLE_BENCH_PAIR(upper, "for i = 1, 1000 do (words[i]):upper() end");
HEDDLE_BENCH_PAIR(concat, "return table.concat(words, ',')");
HEDDLE_BENCH_PAIR(insert_append, "local t = {} for i = 1, 10000 do table.insert(t, i) end");
HEDDLE_BENCH_PAIR(insert_front, "local t = {} for i = 1, 500 do table.insert(t, 1, i) end");
HEDDLE_BENCH_PAIR(
    remove, "local t = {table.unpack(words, 1, 5000)} for i = 1, 5000 do table.remove(t) end");
HEDDLE_BENCH_PAIR(sort_numbers, "local t = {table.unpack(numbers)} table.sort(t)");
HEDDLE_BENCH_PAIR(sort_words, "local t = {table.unpack(words, 1, 20000)} table.sort(t)");
HEDDLE_BENCH_PAIR(
    sort_by_function,
    "local t = {table.unpack(numbers)} table.sort(t, function(a, b) return a > b end)");

#undef HEDDLE_BENCH_PAIR

constexpr const char* kJson = R"(
  local items = {}
  for i = 1, 5000 do
    items[i] = {id = i, title = 'Thing number ' .. i, price = i + 0.99, tags = {'a', 'b'}, ok = true}
  end
  json = json_encode(items)
  value = items
)";

void json(benchmark::State& state, const char* code) {
  SilentHost host;
  const auto vm = std::move(*Vm::make({}, host));
  lua_State* lua = vm->main();
  if (luaL_dostring(lua, kJson) || luaL_loadstring(lua, code)) std::abort();
  lua_getglobal(lua, "json");
  const auto bytes = static_cast<std::int64_t>(lua_rawlen(lua, -1));
  lua_pop(lua, 1);
  for (auto _ : state) {
    lua_pushvalue(lua, -1);
    if (lua_pcall(lua, 0, 0, 0) != LUA_OK) std::abort();
  }
  state.SetBytesProcessed(state.iterations() * bytes);
}
BENCHMARK_CAPTURE(json, decode, "return json_decode(json)");
BENCHMARK_CAPTURE(json, encode, "return json_encode(value)");

}  // namespace
}  // namespace heddle::script
