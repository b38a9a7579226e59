#include "pipeline/scripts/script_services.hpp"

#include <boost/asio/thread_pool.hpp>

namespace heddle::pipeline {

ScriptServices::ScriptServices(ScriptServicesSettings settings) : settings_(std::move(settings)) {}

ScriptServices::~ScriptServices() = default;

Result<store::ScriptDatabase*> ScriptServices::database() {
  if (!database_) {
    store::ScriptDatabaseOptions options;
    options.engine_file = settings_.engine_file;
    auto opened = store::ScriptDatabase::open(settings_.database, options);
    if (!opened) return std::move(opened).error();
    database_ = std::move(*opened);
  }
  return database_.get();
}

boost::asio::thread_pool& ScriptServices::file_thread() {
  if (!file_thread_) file_thread_ = std::make_unique<boost::asio::thread_pool>(1);
  return *file_thread_;
}

Async<bool> ScriptServices::notify(script::NotifyWant want) {
  if (!settings_.notify) co_return false;
  co_return co_await settings_.notify(std::move(want));
}

}  // namespace heddle::pipeline
