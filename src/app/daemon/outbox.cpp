#include "app/daemon/outbox.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/project/program_environment.hpp"

namespace heddle::app {

namespace {

// Deliveries may also use the addresses of [network] allow_delivery.
class ClientPoster final : public notify::HttpPoster {
 public:
  explicit ClientPoster(Outbox::FindClient client) : client_(std::move(client)) {}

  Async<notify::PostOutcome> post(FetchRequest request) override {
    net::FetchOptions options;
    options.traffic = TrafficClass::delivery;
    const std::shared_ptr<net::Client> client = client_();
    co_return co_await client->fetch(std::move(request), options);
  }

 private:
  Outbox::FindClient client_;
};

// By id only: messages of a removed job must not go to another job of the same name.
const Job* job_with_id(const Project& project, const JobId& id) {
  const auto found = std::find_if(project.jobs.begin(), project.jobs.end(),
                                  [&id](const Job& job) { return job.id == id; });
  return found == project.jobs.end() ? nullptr : &*found;
}

const ChannelRule* channel_named(const Project& project, const std::string& name) {
  const auto found = project.channels.find(name);
  return found == project.channels.end() ? nullptr : &found->second;
}

}  // namespace

struct Outbox::Parts {
  Parts(store::Store& store_in, FindClient client, const Project& project, const Clock& wall_clock,
        Log& log_in)
      : poster(std::move(client)),
        desktop(program_environment(), log_in),
        sender(poster, desktop, wall_clock),
        outbox({store_in, sender, wall_clock, log_in,
                [&project](const JobId& id) { return job_with_id(project, id); },
                [&project](const std::string& name) { return channel_named(project, name); }}),
        store(store_in),
        log(log_in) {}

  ClientPoster poster;
  notify::Desktop desktop;
  notify::Sender sender;
  hub::OutboxSender outbox;
  store::Store& store;
  Log& log;
};

Outbox::Outbox(store::Store& store, FindClient client, const Project& project, const Clock& clock,
               Log& log)
    : parts_(std::make_unique<Parts>(store, std::move(client), project, clock, log)) {}

Outbox::~Outbox() = default;

Async<Status> Outbox::begin_due() {
  co_return co_await parts_->outbox.begin_due();
}

Async<DeliveryReport> Outbox::deliver_after_run(JobId job, Await awaited) {
  DeliveryReport delivered;
  std::optional<JobId> of;
  if (awaited == Await::of_the_job) of = job;
  auto sending = parts_->outbox.send_due(std::move(of));
  auto report = co_await std::move(sending);
  if (report)
    delivered.errors = std::move(report->errors);
  else
    parts_->log.warn("messages: " + report.error().message);
  const auto counts = co_await parts_->store.outbox_counts(std::move(job));
  if (counts) delivered.messages = *counts;
  co_return delivered;
}

}  // namespace heddle::app
