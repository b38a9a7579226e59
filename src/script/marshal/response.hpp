// Responses, failures and results of fetches to and from Lua. All of these may raise.
#pragma once

#include "script/job_script.hpp"

struct lua_State;

namespace heddle::script {

// headers has lower-case keys and is looked up without regard to case.
void push_response(lua_State* lua, const FetchResponse& response);
void push_fetch_failure(lua_State* lua, const FetchError& error);  // {error, kind, proxy?}
void push_fetch_result(lua_State* lua, const FetchResult& result);

// A table at the index; absent fields are those of `base`, headers are replaced as a whole.
FetchResponse read_response(lua_State* lua, int index, const char* owner, FetchResponse base);

// What override_fetch returned: a response or {error = "…"}.
OverrideFetch read_override(lua_State* lua, int index, const std::string& url);
// What after_fetch returned; `sent` is what it was given, without the body.
AfterFetch read_after_fetch(lua_State* lua, int index, const FetchResult& sent);

}  // namespace heddle::script
