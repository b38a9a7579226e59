#include "supervise/child/child_page.hpp"

#include <atomic>
#include <cerrno>
#include <new>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace heddle::supervise {

namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::uint64_t kMagic = 0x31'65'67'61'70'64'64'68;  // "hddpage1"

Error system_failure(const char* call) {
  return {ErrorCode::unavailable,
          std::string(call) + ": " + std::generic_category().message(errno)};
}

}  // namespace

// Both sides have the same version, checked by the hello frame.
struct ChildPage::Layout {
  std::atomic<std::uint64_t> magic;
  std::atomic<std::uint64_t> working_on;
  std::atomic<std::uint64_t> beats;
  std::atomic<std::uint32_t> flags;  // of ChildFlag
  std::atomic<std::uint32_t> stop_requested;
};

void ChildPage::Unmap::operator()(Layout* layout) const noexcept {
  munmap(layout, kPageBytes);
}

ChildPage::ChildPage(Mapping layout, FileDescriptor file)
    : layout_(std::move(layout)), file_(std::move(file)) {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "shared between processes");
  static_assert(sizeof(Layout) <= kPageBytes);
}

Result<ChildPage::Mapping> ChildPage::map(int file) {
  void* memory = mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) return system_failure("mmap");
  return Mapping(static_cast<Layout*>(
      memory));  // zeroes or written by the other side: both are a valid Layout
}

Result<ChildPage> ChildPage::create() {
  FileDescriptor file(memfd_create("heddle-child", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file) return system_failure("memfd_create");
  if (ftruncate(file.get(), kPageBytes) != 0) return system_failure("ftruncate");
  if (fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return system_failure("F_ADD_SEALS");
  auto layout = map(file.get());
  if (!layout) return std::move(layout.error());
  (*layout)->magic.store(kMagic);
  return ChildPage(std::move(*layout), std::move(file));
}

Result<ChildPage> ChildPage::open(const FileDescriptor& file) {
  struct stat info {};
  if (fstat(file.get(), &info) != 0) return system_failure("fstat");
  if (info.st_size != kPageBytes) return Error{ErrorCode::corrupt, "not a coordinator's page"};
  auto layout = map(file.get());
  if (!layout) return std::move(layout.error());
  if ((*layout)->magic.load() != kMagic)
    return Error{ErrorCode::corrupt, "not a coordinator's page"};
  return ChildPage(std::move(*layout), FileDescriptor());
}

void ChildPage::beat() {
  layout_->beats.fetch_add(1, std::memory_order_relaxed);
}

std::uint64_t ChildPage::beats() const {
  return layout_->beats.load(std::memory_order_relaxed);
}

void ChildPage::set_working_on(std::uint64_t what) {
  layout_->working_on.store(what, std::memory_order_relaxed);
}

std::atomic<std::uint64_t>& ChildPage::work_word() {
  return layout_->working_on;
}

std::uint64_t ChildPage::working_on() const {
  return layout_->working_on.load(std::memory_order_relaxed);
}

void ChildPage::set(ChildFlag flag) {
  layout_->flags.fetch_or(static_cast<std::uint32_t>(flag));
}

bool ChildPage::has(ChildFlag flag) const {
  return (layout_->flags.load() & static_cast<std::uint32_t>(flag)) != 0;
}

void ChildPage::request_stop() {
  layout_->stop_requested.store(1);
}

bool ChildPage::is_stop_requested() const {
  return layout_->stop_requested.load() != 0;
}

}  // namespace heddle::supervise
