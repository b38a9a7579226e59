// ScriptServices owns what the scripts of all jobs share: database, file thread, desktop. Created
// at first use, so that jobs without scripts cost nothing.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "base/async.hpp"
#include "base/result.hpp"
#include "net/resolver.hpp"
#include "pipeline/scripts/detached_work.hpp"
#include "script/want.hpp"
#include "store/scripts/script_database.hpp"

namespace boost::asio {
class thread_pool;
}

namespace heddle::pipeline {

struct ScriptServicesSettings {
  std::filesystem::path database;     // data/scripts.db
  std::filesystem::path engine_file;  // data/heddle.db
  // Shows a desktop notification; false when there is no desktop.
  std::function<Async<bool>(script::NotifyWant)> notify;
};

// One event loop.
class ScriptServices {
 public:
  explicit ScriptServices(ScriptServicesSettings settings);
  ~ScriptServices();
  ScriptServices(const ScriptServices&) = delete;
  ScriptServices& operator=(const ScriptServices&) = delete;

  Result<store::ScriptDatabase*> database();
  net::Resolver& resolver() { return resolver_; }
  boost::asio::thread_pool& file_thread();
  Async<bool> notify(script::NotifyWant want);
  // Statements and file actions, which use the database and the file thread: wait for them, or stop
  // the loop, before destroying this object.
  DetachedWork& detached_work() { return detached_work_; }

 private:
  ScriptServicesSettings settings_;
  std::unique_ptr<store::ScriptDatabase> database_;
  std::unique_ptr<boost::asio::thread_pool> file_thread_;
  net::Resolver resolver_;
  DetachedWork detached_work_;
};

}  // namespace heddle::pipeline
