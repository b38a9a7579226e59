// Want is what a waiting script requests from the engine, Answer what it gets. The script module
// does no I/O: the driver of a ScriptCall answers its wants.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/web/fetch.hpp"
#include "script/script_value.hpp"

namespace heddle::script {

struct HttpWant {  // http_get, http_post, http_request, http_multipart
  FetchRequest request;
  bool has_own_proxy = false;  // false: use the job's proxies, if any
};
struct TlsWant {  // tls_probe
  std::string host;
  int port = 443;
};
struct SleepWant {
  std::chrono::milliseconds duration{0};
};
struct KeyValueWant {  // store_* and global_store_*
  enum class Action { get, set, remove, increment };
  Action action = Action::get;
  bool is_global = false;
  std::string key;
  std::string value;    // set
  ScriptValue initial;  // increment: the number when the key is absent
  ScriptValue delta;    // increment
};
struct SqlWant {  // db_query, db_exec
  bool is_query = false;
  std::string sql;
  std::vector<ScriptValue> params;  // positional; nil, boolean, integer, number or string
  Map named_params;                 // instead of positional ones
};
struct FileWant {  // fs_*
  enum class Action { read, read_binary, append, overwrite };
  Action action = Action::read;
  std::string path;
  std::string content;
};
struct NotifyWant {
  std::string title;
  std::string body;
  std::chrono::milliseconds timeout{5000};
};
struct CycleWant {  // heddle.run_cycle in script tests
  ScriptValue options;
};

using Want = std::variant<HttpWant, TlsWant, SleepWant, KeyValueWant, SqlWant, FileWant, NotifyWant,
                          CycleWant>;

// Raised in the script as an ordinary error, prefixed with the binding's name and the line.
struct Raise {
  std::string message;
};
// The binding's return values.
using Values = std::vector<ScriptValue>;
// A response table, or nil and an error table.
using FetchAnswer = std::variant<FetchResponse, FetchError>;

using Answer = std::variant<Values, FetchAnswer, Raise>;

}  // namespace heddle::script
