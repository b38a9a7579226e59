#include "pipeline/fetch/shared_downloads.hpp"

#include <utility>

namespace heddle::pipeline {

namespace {

using std::chrono::steady_clock;

}  // namespace

struct SharedDownloads::Download {
  std::set<JobId> served{};  // the job that downloads, and those that got its response
  std::optional<FetchResponse> response{};
  steady_clock::time_point finished_at{};
  bool is_done = false;
  WakeSignal done;
};

SharedDownloads::SharedDownloads() = default;
SharedDownloads::~SharedDownloads() = default;

SharedDownloads::Promise::Promise(SharedDownloads& owner, std::string request,
                                  std::shared_ptr<Download> download)
    : owner_(owner), request_(std::move(request)), download_(std::move(download)) {}

SharedDownloads::Promise::~Promise() {
  download_->is_done = true;
  if (!download_->response) owner_.drop(request_, *download_);
  download_->done.close();
}

void SharedDownloads::Promise::fulfill(const FetchResponse& response) {
  if (response.body.size() > kMaxKeptBytes) return;
  download_->response = response;
  download_->response->wire_bytes = 0;  // counted for the first job
  download_->finished_at = steady_clock::now();
  owner_.keep(request_, download_);
}

Async<SharedDownloads::Lookup> SharedDownloads::get_or_start(std::string request, JobId job) {
  drop_old();
  Lookup lookup;
  const auto found = downloads_.find(request);
  std::shared_ptr<Download> download = found == downloads_.end() ? nullptr : found->second;
  if (download && !download->is_done && download->served.contains(job)) co_return lookup;
  while (download && !download->is_done) co_await download->done.wait();
  if (download && !download->response) co_return lookup;  // it failed: download without sharing
  if (download && download->served.insert(job).second) {
    lookup.response = download->response;
    co_return lookup;
  }
  if (downloads_.contains(request) && downloads_[request] != download) co_return lookup;
  download = std::make_shared<Download>();
  download->served.insert(std::move(job));
  downloads_[request] = download;
  lookup.promise = std::make_unique<Promise>(*this, std::move(request), std::move(download));
  co_return lookup;
}

void SharedDownloads::keep(const std::string& request, const std::shared_ptr<Download>& download) {
  kept_bytes_ += download->response->body.size();
  kept_.emplace_back(request, download);
  drop_old();
}

// Waiting jobs keep a dropped download alive.
void SharedDownloads::drop_old() {
  const auto now = steady_clock::now();
  while (!kept_.empty()) {
    const auto& [request, download] = kept_.front();
    if (kept_bytes_ <= kMaxKeptBytes && now - download->finished_at < kKeptFor) return;
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
