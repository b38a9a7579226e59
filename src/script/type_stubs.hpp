// Describes the Lua API once: for editors (lua-language-server), for the reference, and for the
// test that compares it with a real VM. Constant data.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heddle::script {

// A function of the engine.
struct BindingDoc {
  std::string_view name;       // "http_get", "html.parse"
  std::string_view signature;  // "(url: string, headers?: Headers): Response?, FetchFailure?"
  bool is_async;               // waits; other cycles run in the meantime
  std::string_view summary;
};

// A function a script may define.
struct HookDoc {
  std::string_view name;
  std::string_view signature;
  std::string_view summary;
};

// A field of a table; `owner` is its class.
struct FieldDoc {
  std::string_view owner;
  std::string_view name;
  std::string_view type;
  std::string_view summary;
};

struct ClassDoc {
  std::string_view name;
  std::string_view summary;
};

// A global that is not a function.
struct GlobalDoc {
  std::string_view name;
  std::string_view type;
  std::string_view summary;
};

std::span<const BindingDoc> binding_docs();
std::span<const HookDoc> hook_docs();  // in the order of a cycle
std::span<const ClassDoc> class_docs();
std::span<const FieldDoc> field_docs();
std::span<const GlobalDoc> global_docs();

// The annotation file that `heddle types` writes.
std::string lua_type_stubs();

}  // namespace heddle::script
