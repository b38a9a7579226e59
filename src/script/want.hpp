// What a script asks of the engine while it waits, and what it is told. The script room does no
// I/O: whoever drives a Call answers its wants.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/fetch.hpp"
#include "script/value.hpp"

namespace heddle::script {

struct HttpWant {  // http_get, http_post, http_request, http_multipart
  FetchRequest request;
  bool has_own_proxy = false;  // false: the job's proxies, if any
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
  std::string value;  // set
  Value initial;      // increment: the number when there is none yet
  Value delta;        // increment
};
struct SqlWant {  // db_query, db_exec
  bool is_query = false;
  std::string sql;
  std::vector<Value> params;  // positional; nil, boolean, integer, number or string
  Map named_params;           // instead of positional ones
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
  Value options;
};

using Want = std::variant<HttpWant, TlsWant, SleepWant, KeyValueWant, SqlWant, FileWant, NotifyWant,
                          CycleWant>;

// Raised in the script as an ordinary error; the binding's name and the line are put before it.
struct Raise {
  std::string message;
};
// The script gets these as the binding's return values.
using Values = std::vector<Value>;
// A response table, or nil and an error table.
using FetchAnswer = std::variant<FetchResponse, FetchError>;

using Answer = std::variant<Values, FetchAnswer, Raise>;

}  // namespace heddle::script
