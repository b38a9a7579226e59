// One download for jobs that ask for the same page within a few seconds of each other.
// One event loop; outlives those who ask.
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
#include "base/doorbell.hpp"
#include "base/ids.hpp"
#include "model/fetch.hpp"

namespace heddle::pipeline {

class SharedDownloads {
 private:
  struct Download;

 public:
  static constexpr std::chrono::seconds kKept{5};
  static constexpr std::size_t kMaxKeptBytes = 16'000'000;

  // Held while its job downloads what others may wait for. Without an answer to share they go and
  // ask for themselves.
  class Turn {
   public:
    Turn(SharedDownloads& owner, std::string request, std::shared_ptr<Download> download);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    void share(const FetchResponse& response);

   private:
    SharedDownloads& owner_;
    std::string request_;
    std::shared_ptr<Download> download_;
  };

  // At most one of the two; neither: the job downloads for itself alone.
  struct Answer {
    std::optional<FetchResponse> response{};  // that another job was given just now
    std::unique_ptr<Turn> turn{};
  };

  SharedDownloads();
  ~SharedDownloads();

  // `request`: all that makes a difference to the answer. Waits while another job downloads it. A
  // job is never given its own answer again, nor another one's twice: it wants the page anew.
  Async<Answer> ask(std::string request, JobId job);

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
