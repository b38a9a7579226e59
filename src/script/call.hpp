// One top-level call into a script: a file being loaded, a hook or a test, with its budget and its
// own defer queue. Driven from outside: resume, answer what it wants, resume again.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "base/time.hpp"
#include "script/want.hpp"

namespace heddle::script {

enum class Step {
  finished,  // and its defers have run; take the result
  wants,     // answer take_want(), then resume
  sliced,    // computed for a slice: let other jobs run, then resume. No other call of the same VM
             // may be resumed meanwhile.
};

// Lives on its VM's thread and ends before it. Destroying one that has not finished runs its defers
// and drops the rest.
class Call {
 public:
  virtual ~Call() = default;

  [[nodiscard]] virtual Step resume() = 0;
  [[nodiscard]] virtual Want take_want() = 0;
  virtual void answer(Answer answer) = 0;

  // By when a want must be answered: the wall budget ends then.
  [[nodiscard]] virtual Deadline deadline() const = 0;
};

// How a hook ended. `value` is empty when it returned nil or false, or failed.
template <class T>
struct HookEnd {
  std::optional<T> value;
  std::optional<Error>
      error;  // message with file, line and a short traceback; a wrong return type too
  // Parts of it failed and were warned about; the value stands all the same.
  std::optional<std::string> trouble{};
  bool was_cut = false;  // by the CPU or wall budget: the cycle fails whatever the hook was
};

// A call whose result is a T.
template <class T>
class HookCall : public Call {
 public:
  // After Step::finished, once.
  [[nodiscard]] virtual HookEnd<T> take() = 0;
};

}  // namespace heddle::script
