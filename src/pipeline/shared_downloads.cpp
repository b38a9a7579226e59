#include "pipeline/shared_downloads.hpp"

#include <utility>

namespace heddle::pipeline {

namespace {

using std::chrono::steady_clock;

}  // namespace

struct SharedDownloads::Download {
  std::set<JobId> served{};  // the job that downloads, and those that were given its answer
  std::optional<FetchResponse> response{};
  steady_clock::time_point finished_at{};
  bool is_over = false;
  Doorbell over;
};

SharedDownloads::SharedDownloads() = default;
SharedDownloads::~SharedDownloads() = default;

SharedDownloads::Turn::Turn(SharedDownloads& owner, std::string request,
                            std::shared_ptr<Download> download)
    : owner_(owner), request_(std::move(request)), download_(std::move(download)) {}

SharedDownloads::Turn::~Turn() {
  download_->is_over = true;
  if (!download_->response) owner_.drop(request_, *download_);
  download_->over.ring_for_good();
}

void SharedDownloads::Turn::share(const FetchResponse& response) {
  if (response.body.size() > kMaxKeptBytes) return;
  download_->response = response;
  download_->response->wire_bytes = 0;  // they were transferred once
  download_->finished_at = steady_clock::now();
  owner_.keep(request_, download_);
}

Async<SharedDownloads::Answer> SharedDownloads::ask(std::string request, JobId job) {
  drop_old();
  Answer answer;
  const auto found = downloads_.find(request);
  std::shared_ptr<Download> download = found == downloads_.end() ? nullptr : found->second;
  if (download && !download->is_over && download->served.contains(job)) co_return answer;
  while (download && !download->is_over) co_await download->over.wait();
  if (download && !download->response) co_return answer;  // it failed: each for itself
  if (download && download->served.insert(job).second) {
    answer.response = download->response;
    co_return answer;
  }
  if (downloads_.contains(request) && downloads_[request] != download) co_return answer;
  download = std::make_shared<Download>();
  download->served.insert(std::move(job));
  downloads_[request] = download;
  answer.turn = std::make_unique<Turn>(*this, std::move(request), std::move(download));
  co_return answer;
}

void SharedDownloads::keep(const std::string& request, const std::shared_ptr<Download>& download) {
  kept_bytes_ += download->response->body.size();
  kept_.emplace_back(request, download);
  drop_old();
}

// Those who are waiting for a dropped one still hold it.
void SharedDownloads::drop_old() {
  const auto now = steady_clock::now();
  while (!kept_.empty()) {
    const auto& [request, download] = kept_.front();
    if (kept_bytes_ <= kMaxKeptBytes && now - download->finished_at < kKept) return;
    kept_bytes_ -= download->response->body.size();
    drop(request, *download);
    kept_.pop_front();
  }
}

void SharedDownloads::drop(const std::string& request, const Download& download) {
  const auto found = downloads_.find(request);
  if (found != downloads_.end() && found->second.get() == &download) downloads_.erase(found);
}

}  // namespace heddle::pipeline
