#include <atomic>
#include <cstdlib>
#include <map>

#include <heddle/child.hpp>

#include "base/environment_variable.hpp"
#include "base/log/log.hpp"
#include "embed/supervise/debug_log.hpp"
#include "embed/supervise/process_environment.hpp"
#include "supervise/child/blocking_child_link.hpp"

namespace heddle {

namespace {

// Process-wide by contract, and never destroyed: threads and signal handlers may still use it while
// the process exits.
std::atomic<supervise::BlockingChildLink*> attached{nullptr};

std::map<std::string, std::function<int()>>& workers() {
  static auto* all = new std::map<std::string, std::function<int()>>;
  return *all;
}

}  // namespace

namespace child {

bool attach(StopBy stop_by) {
  if (attached.load()) return true;
  auto link = supervise::BlockingChildLink::attach(
      stop_by == StopBy::asking ? supervise::StopMethod::request : supervise::StopMethod::signal);
  if (!link) {
    embed::log_debug("attach: " + link.error().message);
    return false;
  }
  attached = new supervise::BlockingChildLink(std::move(*link));
  return true;
}

void ready() {
  if (auto* link = attached.load()) link->ready();
}

void heartbeat() {
  if (auto* link = attached.load()) link->heartbeat();
}

void begin_draining() {
  if (auto* link = attached.load()) link->begin_draining();
}

void enable_recovery() {
  if (auto* link = attached.load()) link->enable_recovery();
}

void set_working_on(std::uint64_t what) {
  if (auto* link = attached.load()) link->set_working_on(what);
}

bool is_stop_requested() {
  const auto* link = attached.load();
  return link && link->is_stop_requested();
}

std::uint32_t slot() {
  const auto* link = attached.load();
  return link ? link->assignment().slot.slot : 0;
}

std::uint32_t occurrence() {
  const auto* link = attached.load();
  return link ? link->assignment().slot.occurrence : 0;
}

}  // namespace child

void define_worker(std::string name, std::function<int()> worker) {
  workers()[std::move(name)] = std::move(worker);
}

std::optional<int> run_if_worker(int /*argc*/, char* const* /*argv*/) {
  const auto name = environment_variable(embed::kWorkerName);
  if (!name || !child::attach(child::StopBy::asking)) return std::nullopt;
  const auto worker = workers().find(*name);
  if (worker == workers().end()) {
    StderrLog().error("there is no worker \"" + *name + "\"");
    return EXIT_FAILURE;
  }
  const int status = worker->second();
  child::begin_draining();
  return status;
}

}  // namespace heddle
