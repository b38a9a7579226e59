#include "worker/worker_context.hpp"

#include <utility>

#include "html/parse.hpp"
#include "net/client.hpp"
#include "net/robots/robots_cache.hpp"
#include "pipeline/scripts/script_services.hpp"

namespace heddle::worker {

namespace {

pipeline::ScriptServicesSettings script_settings(const WorkerContextParts& parts) {
  pipeline::ScriptServicesSettings settings;
  settings.database = parts.project.data_dir / "scripts.db";
  settings.engine_file = parts.engine_file;
  settings.notify = parts.notify;
  return settings;
}

}  // namespace

struct WorkerContext::Tools {
  Tools(std::unique_ptr<net::Client> client_in, WorkerContextParts parts)
      : client(std::move(client_in)),
        robots(*client, parts.clock, &parts.gate),
        scripts(script_settings(parts)),
        services{*client,       parts.gate,  robots,    parts.store, parser,
                 parts.project, parts.clock, parts.log, activity,    downloads},
        jobs(services, scripts) {}

  std::unique_ptr<net::Client> client;
  net::RobotsCache robots;
  html::Parser parser;
  pipeline::LoopActivity activity;
  pipeline::SharedDownloads downloads;
  pipeline::ScriptServices scripts;
  pipeline::CycleServices services;
  JobLoader jobs;
};

WorkerContext::WorkerContext(std::unique_ptr<Tools> tools) : tools_(std::move(tools)) {}
WorkerContext::~WorkerContext() = default;

Result<std::unique_ptr<WorkerContext>> WorkerContext::make(boost::asio::any_io_executor loop,
                                                           WorkerContextParts parts) {
  net::ClientSettings settings;
  settings.network = parts.project.network;
  settings.hosts = parts.project.hosts;
  auto client = net::Client::make(std::move(loop), std::move(settings));
  if (!client) return std::move(client).error();
  auto tools = std::make_unique<Tools>(std::move(*client), std::move(parts));
  return std::unique_ptr<WorkerContext>(new WorkerContext(std::move(tools)));
}

const pipeline::CycleServices& WorkerContext::services() const {
  return tools_->services;
}

JobLoader& WorkerContext::jobs() {
  return tools_->jobs;
}

net::Client& WorkerContext::client() {
  return *tools_->client;
}

Async<bool> WorkerContext::finish_detached_work(Deadline deadline) {
  return tools_->scripts.detached_work().idle(deadline);
}

pipeline::LoopActivity& WorkerContext::activity() {
  return tools_->activity;
}

}  // namespace heddle::worker
