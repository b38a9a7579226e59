#include "net/cookie_jar.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "base/files/private_files.hpp"
#include "base/text.hpp"
#include "net/curl_handles.hpp"

namespace heddle::net {

namespace {

constexpr std::size_t kMaxCookies = 1000;
constexpr std::size_t kCountEvery = 256;  // set cookies, most of which replace older ones

}  // namespace

// libcurl's own cookie engine, shared between all handles of the job: it knows the public suffix
// list, the __Host- prefixes and all date formats.
struct CookieJar::Impl {
  Impl() {
    curl_share_setopt(share.get(), CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
    curl_easy_setopt(reader.get(), CURLOPT_SHARE, share.get());
    curl_easy_setopt(reader.get(), CURLOPT_COOKIEFILE, "");  // switches the engine on
  }

  CurlShare share{curl_share_init()};
  CurlEasy reader{curl_easy_init()};  // only for reading the jar; freed before the share
  std::size_t set_since_count = 0;
};

CookieJar::CookieJar() : impl_(std::make_unique<Impl>()) {}
CookieJar::~CookieJar() = default;
CookieJar::CookieJar(CookieJar&&) noexcept = default;
CookieJar& CookieJar::operator=(CookieJar&&) noexcept = default;

Status CookieJar::load(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return Done{};
    return Error{ErrorCode::unavailable, fmt::format("cannot read cookie_file {}", file.string())};
  }
  std::string line;
  while (std::getline(in, line)) {
    const std::string_view text = trim(line);
    const bool is_comment = text.starts_with('#') && !text.starts_with("#HttpOnly_");
    if (text.empty() || is_comment) continue;
    if (std::count(text.begin(), text.end(), '\t') < 5)
      return Error{ErrorCode::bad_input,
                   fmt::format("cookie_file {} is not in the Netscape format", file.string())};
    curl_easy_setopt(impl_->reader.get(), CURLOPT_COOKIELIST, line.c_str());
  }
  return Done{};
}

Status CookieJar::save(const std::filesystem::path& file) const {
  const std::filesystem::path fresh = file.string() + ".new";
  {
    make_private_file(fresh);
    std::ofstream out(fresh, std::ios::binary | std::ios::trunc);
    out << "# Netscape HTTP Cookie File\n";
    for (const std::string& line : lines()) out << line << '\n';
    out.flush();
    if (!out)
      return Error{ErrorCode::unavailable,
                   fmt::format("cannot write cookie_file {}", file.string())};
  }
  std::error_code failure;
  std::filesystem::permissions(
      fresh, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, failure);
  std::filesystem::rename(fresh, file, failure);
  if (failure)
    return Error{ErrorCode::unavailable,
                 fmt::format("cannot write cookie_file {}: {}", file.string(), failure.message())};
  return Done{};
}

std::vector<std::string> CookieJar::lines() const {
  curl_slist* first = nullptr;
  curl_easy_getinfo(impl_->reader.get(), CURLINFO_COOKIELIST, &first);
  const CurlList owner(first);
  std::vector<std::string> lines;
  for (const curl_slist* node = first; node != nullptr; node = node->next)
    lines.emplace_back(node->data);
  return lines;
}

void CookieJar::clear() {
  curl_easy_setopt(impl_->reader.get(), CURLOPT_COOKIELIST, "ALL");
}

void CookieJar::count_set(std::size_t cookies) {
  impl_->set_since_count += cookies;
  if (impl_->set_since_count < kCountEvery) return;
  impl_->set_since_count = 0;
  std::vector<std::string> kept = lines();
  if (kept.size() <= kMaxCookies) return;
  kept.resize(kMaxCookies);
  clear();
  for (const std::string& line : kept)
    curl_easy_setopt(impl_->reader.get(), CURLOPT_COOKIELIST, line.c_str());
}

void* CookieJar::native_handle() const {
  return impl_->share.get();
}

}  // namespace heddle::net
