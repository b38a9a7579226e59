// AlertManager keeps the raised alerts. It stores each one with its event and messages before it
// takes effect, and notifies once when an alert is raised, when its level rises and when it clears,
// also across restarts. Single event loop; everything passed in outlives it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/log/log.hpp"
#include "base/result.hpp"
#include "model/job/job.hpp"
#include "model/notify/system_alert.hpp"
#include "store/store.hpp"

namespace heddle::hub {

struct AlertReceivers {
  std::vector<std::string> to;                  // names of channels
  std::map<std::string, ChannelRule> channels;  // of the project
};

class AlertManager {
 public:
  AlertManager(store::Store& store, Log& log, AlertReceivers receivers,
               std::function<void()> on_notified = nullptr)
      : store_(store),
        log_(log),
        receivers_(std::move(receivers)),
        on_notified_(std::move(on_notified)) {}

  // Reads the alerts of the previous daemon. Call first.
  Async<Status> load();

  void set_receivers(AlertReceivers receivers) { receivers_ = std::move(receivers); }

  // An alert that is raised already at this level or a higher one only gets the new text.
  Async<Status> raise(SystemAlert alert);
  // Does nothing when the alert is not raised.
  Async<Status> clear(std::string key, WallTime now);

  // Ordered by key.
  [[nodiscard]] const std::map<std::string, SystemAlert>& raised() const { return raised_; }

 private:
  Async<Status> write(SystemAlert alert, bool is_over, WallTime now);

  store::Store& store_;
  Log& log_;
  AlertReceivers receivers_;
  std::function<void()> on_notified_;
  std::map<std::string, SystemAlert> raised_;
};

// Pure: one message for each usable channel.
std::vector<Delivery> alert_messages(const AlertReceivers& receivers, const SystemAlert& alert,
                                     bool is_over, WallTime now);

}  // namespace heddle::hub
