#include "app/daemon/outbox.hpp"

#include <optional>
#include <utility>

#include "app/project/program_environment.hpp"
#include "app/project/project_source.hpp"
#include "base/log/redact.hpp"

namespace heddle::app {

namespace {

const ChannelRule* channel_named(const Project& project, const std::string& name) {
  const auto found = project.channels.find(name);
  return found == project.channels.end() ? nullptr : &found->second;
}

}  // namespace

Outbox::Outbox(CoordinatorRuntime& coordinator, const Project& project, Log& log)
    : poster_(coordinator),
      desktop_(program_environment(), log),
      sender_(poster_, desktop_, coordinator.clock()),
      outbox_({coordinator.store(), sender_, coordinator.clock(), log,
               // By id only: messages of a removed job must not go to another one of that name.
               [&project](const JobId& id) { return job_with_id(project, id); },
               [&project](const std::string& name) { return channel_named(project, name); },
               [&project](const std::string& text) { return redact(text, project.secrets); }}),
      store_(coordinator.store()),
      log_(log) {}

Async<notify::PostOutcome> Outbox::ClientPoster::post(FetchRequest request) {
  net::FetchOptions options;
  options.traffic = TrafficClass::delivery;
  const std::shared_ptr<net::Client> client = coordinator_.client();
  co_return co_await client->fetch(std::move(request), options);
}

Async<control::FollowedRun> Outbox::deliver_after_run(ExecutionResult finished, Await awaited) {
  control::FollowedRun followed;
  followed.run = std::move(finished.run);
  followed.costs = finished.costs;
  followed.is_interrupted = finished.end == ExecutionEnd::interrupted;
  JobId job = followed.run.job;
  std::optional<JobId> of;
  if (awaited == Await::of_the_job) of = job;
  auto report = co_await outbox_.send_due(std::move(of));
  if (report)
    followed.message_errors = std::move(report->errors);
  else
    log_.warn("messages: " + report.error().message);
  const auto counts = co_await store_.outbox_counts(std::move(job));
  if (counts) {
    followed.messages_waiting = counts->waiting;
    followed.messages_sent = counts->sent;
    followed.messages_dead = counts->dead;
  }
  co_return followed;
}

}  // namespace heddle::app
