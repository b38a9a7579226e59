// What a script's notify() shows on the desktop.
#pragma once

#include "base/async.hpp"
#include "notify/desktop.hpp"
#include "script/want.hpp"

namespace heddle::app {

// Whether it could reach a screen. The desktop outlives the call.
inline Async<bool> show_note(notify::Desktop& desktop, script::NotifyWant want) {
  notify::DesktopMessage message;
  message.title = std::move(want.title);
  message.body = std::move(want.body);
  message.timeout = want.timeout;
  co_await desktop.show(std::move(message));
  co_return desktop.is_present();
}

}  // namespace heddle::app
