// What scripts of all jobs share: their database, a thread for files, the desktop. Made at the
// first use, so that a process whose jobs have no scripts pays nothing.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "base/async.hpp"
#include "base/result.hpp"
#include "net/resolver.hpp"
#include "pipeline/scripts/late_work.hpp"
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
  // Statements and file actions; they use the two above. Whoever takes this down waits for them
  // first, or lets the loop rest for good.
  LateWork& late_work() { return late_work_; }

 private:
  ScriptServicesSettings settings_;
  std::unique_ptr<store::ScriptDatabase> database_;
  std::unique_ptr<boost::asio::thread_pool> file_thread_;
  net::Resolver resolver_;
  LateWork late_work_;
};

}  // namespace heddle::pipeline
