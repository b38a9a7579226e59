// Shows the desktop notification of a script's notify().
#pragma once

#include "base/async.hpp"
#include "notify/desktop.hpp"
#include "script/want.hpp"

namespace heddle::app {

// Returns whether a desktop is present. The desktop outlives the call.
inline Async<bool> show_notification(notify::Desktop& desktop, script::NotifyWant want) {
  notify::DesktopMessage message;
  message.title = std::move(want.title);
  message.body = std::move(want.body);
  message.timeout = want.timeout;
  co_await desktop.show(std::move(message));
  co_return desktop.is_present();
}

}  // namespace heddle::app
