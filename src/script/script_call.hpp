// ScriptCall is one top-level call into a script (a file, a hook or a test) with its own budget and
// deferred callbacks. The caller drives it: resume, answer its want, resume again.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "base/time.hpp"
#include "script/want.hpp"

namespace heddle::script {

enum class ResumeResult {
  finished,     // the deferred callbacks have run too; take the result
  wants,        // answer take_want(), then resume
  slice_ended,  // let other jobs run, then resume. Resume no other call of the same VM before.
};

// Used on its VM's thread and destroyed before the VM. Destroying an unfinished call runs its
// deferred callbacks and drops the rest.
class ScriptCall {
 public:
  virtual ~ScriptCall() = default;

  [[nodiscard]] virtual ResumeResult resume() = 0;
  [[nodiscard]] virtual Want take_want() = 0;
  virtual void answer(Answer answer) = 0;

  // The end of the wall budget: answer wants before it.
  [[nodiscard]] virtual Deadline deadline() const = 0;
};

// The result of a hook. `value` is empty when it returned nil or false, or failed.
template <class T>
struct HookResult {
  std::optional<T> value;
  std::optional<Error>
      error;  // message with file, line and a short traceback; a wrong return type too
  // Set when parts of it failed, each with a warning; the value is still valid.
  std::optional<std::string> partial_failure{};
  bool exceeded_budget = false;  // CPU or wall: the cycle fails for any hook
};

// A call that returns a T.
template <class T>
class HookCall : public ScriptCall {
 public:
  // After ResumeResult::finished, once.
  [[nodiscard]] virtual HookResult<T> take() = 0;
};

}  // namespace heddle::script
