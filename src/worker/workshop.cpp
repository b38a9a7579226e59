#include "worker/workshop.hpp"

#include <utility>

#include "html/parse.hpp"
#include "net/client.hpp"
#include "net/robots_cache.hpp"
#include "pipeline/scripts/script_services.hpp"

namespace heddle::worker {

namespace {

pipeline::ScriptServicesSettings script_settings(const WorkshopParts& parts) {
  pipeline::ScriptServicesSettings settings;
  settings.database = parts.project.data_dir / "scripts.db";
  settings.engine_file = parts.engine_file;
  settings.notify = parts.notify;
  return settings;
}

}  // namespace

struct Workshop::Tools {
  Tools(std::unique_ptr<net::Client> client_in, WorkshopParts parts)
      : client(std::move(client_in)),
        robots(*client, parts.clock, &parts.gate),
        scripts(script_settings(parts)),
        services{*client,       parts.gate,  robots,    parts.store, parser,
                 parts.project, parts.clock, parts.log, share,       downloads},
        jobs(services, scripts) {}

  std::unique_ptr<net::Client> client;
  net::RobotsCache robots;
  html::Parser parser;
  pipeline::LoopShare share;
  pipeline::SharedDownloads downloads;
  pipeline::ScriptServices scripts;
  pipeline::Services services;
  JobLoader jobs;
};

Workshop::Workshop(std::unique_ptr<Tools> tools) : tools_(std::move(tools)) {}
Workshop::~Workshop() = default;

Result<std::unique_ptr<Workshop>> Workshop::make(boost::asio::any_io_executor loop,
                                                 WorkshopParts parts) {
  net::ClientSettings settings;
  settings.network = parts.project.network;
  settings.hosts = parts.project.hosts;
  auto client = net::Client::make(std::move(loop), std::move(settings));
  if (!client) return std::move(client).error();
  auto tools = std::make_unique<Tools>(std::move(*client), std::move(parts));
  return std::unique_ptr<Workshop>(new Workshop(std::move(tools)));
}

const pipeline::Services& Workshop::services() const {
  return tools_->services;
}

JobLoader& Workshop::jobs() {
  return tools_->jobs;
}

net::Client& Workshop::client() {
  return *tools_->client;
}

Async<bool> Workshop::wind_up(Deadline deadline) {
  return tools_->scripts.late_work().idle(deadline);
}

pipeline::LoopShare& Workshop::share() {
  return tools_->share;
}

}  // namespace heddle::worker
