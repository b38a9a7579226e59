// Shows the desktop notifications of a script's notify().
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "app/project/program_environment.hpp"
#include "base/async.hpp"
#include "base/log/log.hpp"
#include "notify/desktop.hpp"
#include "script/want.hpp"

namespace heddle::app {

// Returns whether a desktop is present.
inline Async<bool> show_notification(std::shared_ptr<notify::Desktop> desktop,
                                     script::NotifyWant want) {
  notify::DesktopMessage message;
  message.title = std::move(want.title);
  message.body = std::move(want.body);
  message.timeout = want.timeout;
  co_await desktop->show(std::move(message));
  co_return desktop->is_present();
}

// For WorkerContextParts. The log outlives the function and its calls.
inline std::function<Async<bool>(script::NotifyWant)> script_notifier(Log& log) {
  const auto desktop = std::make_shared<notify::Desktop>(program_environment(), log);
  return [desktop](script::NotifyWant want) { return show_notification(desktop, std::move(want)); };
}

}  // namespace heddle::app
