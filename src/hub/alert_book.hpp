// The alerts that are raised. Each is stored with its event and its messages before it counts, is
// told once, once more when it gets worse, and once when it is over; over a restart, too.
// One event loop; what it is given outlives it.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "model/job.hpp"
#include "model/system_alert.hpp"
#include "store/store.hpp"

namespace heddle::hub {

struct AlertReceivers {
  std::vector<std::string> to;                  // names of channels
  std::map<std::string, ChannelRule> channels;  // of the project
};

class AlertBook {
 public:
  AlertBook(store::Store& store, Log& log, AlertReceivers receivers,
            std::function<void()> on_told = nullptr);

  // What a former daemon left; to be called first.
  Async<Status> load();

  void set_receivers(AlertReceivers receivers) { receivers_ = std::move(receivers); }

  // Nobody is told when it is raised already and no worse: only its words are kept current.
  Async<Status> raise(SystemAlert alert);
  // Nothing happens when it is not raised.
  Async<Status> over(std::string key, WallTime now);

  // Ordered by key.
  [[nodiscard]] const std::map<std::string, SystemAlert>& raised() const { return raised_; }

 private:
  Async<Status> reword(SystemAlert alert, std::string text);
  Async<Status> write(SystemAlert alert, bool is_over, WallTime now);

  store::Store& store_;
  Log& log_;
  AlertReceivers receivers_;
  std::function<void()> on_told_;
  std::map<std::string, SystemAlert> raised_;
};

// Pure: the messages about an alert, one for each channel that can be used.
std::vector<Delivery> alert_messages(const AlertReceivers& receivers, const SystemAlert& alert,
                                     bool is_over, WallTime now);

}  // namespace heddle::hub
