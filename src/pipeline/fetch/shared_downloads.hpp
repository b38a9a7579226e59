// SharedDownloads downloads a page once for jobs that request it within a few seconds.
// One event loop; outlives its callers.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/async.hpp"
#include "base/ids.hpp"
#include "base/wake_signal.hpp"
#include "model/web/fetch.hpp"

namespace heddle::pipeline {

class SharedDownloads {
 private:
  struct Download;

 public:
  static constexpr std::chrono::seconds kKeptFor{5};
  static constexpr std::size_t kMaxKeptBytes = 16'000'000;

  // Held by the job that downloads. Destroyed without fulfill(), waiting jobs download themselves.
  class Promise {
   public:
    Promise(SharedDownloads& owner, std::string request, std::shared_ptr<Download> download);
    ~Promise();
    Promise(const Promise&) = delete;
    Promise& operator=(const Promise&) = delete;
    void fulfill(const FetchResponse& response);

   private:
    SharedDownloads& owner_;
    std::string request_;
    std::shared_ptr<Download> download_;
  };

  // At most one of the two; neither: the job downloads without sharing.
  struct Lookup {
    std::optional<FetchResponse> response{};  // downloaded by another job
    std::unique_ptr<Promise> promise{};
  };

  SharedDownloads();
  ~SharedDownloads();

  // `request`: everything that affects the response. Waits while another job downloads it. A job
  // gets each response at most once: a second request wants a fresh page.
  Async<Lookup> get_or_start(std::string request, JobId job);

  [[nodiscard]] std::size_t kept_bytes() const { return kept_bytes_; }

 private:
  void keep(const std::string& request, const std::shared_ptr<Download>& download);
  void drop_old();
  void drop(const std::string& request, const Download& download);

  std::map<std::string, std::shared_ptr<Download>, std::less<>> downloads_;
  std::deque<std::pair<std::string, std::shared_ptr<Download>>> kept_;  // oldest first
  std::size_t kept_bytes_ = 0;
};

}  // namespace heddle::pipeline
