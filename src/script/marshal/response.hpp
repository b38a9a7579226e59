// Converts responses, failures and results of fetches to and from Lua. All functions may raise.
#pragma once

#include "script/job_script.hpp"

struct lua_State;

namespace heddle::script {

// headers has lower-case keys and ignores case on lookup.
void push_response(lua_State* lua, const FetchResponse& response);
void push_fetch_failure(lua_State* lua, const FetchError& error);  // {error, kind, proxy?}
void push_fetch_result(lua_State* lua, const FetchResult& result);

// Reads the table at the index; absent fields are taken from `base`, all headers are replaced.
FetchResponse read_response(lua_State* lua, int index, const char* owner, FetchResponse base);

// Reads the result of override_fetch: a response or {error = "…"}.
OverrideFetchResult read_override(lua_State* lua, int index, const std::string& url);
// Reads the result of after_fetch; `sent` is its argument without the body.
AfterFetchResult read_after_fetch(lua_State* lua, int index, const FetchResult& sent);

}  // namespace heddle::script
