#include "config/write/job_folder.hpp"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_descriptor.hpp"
#include "base/files/access_text.hpp"
#include "config/read/files/read_file.hpp"

namespace heddle::config {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = 64 << 20;  // jobs.toml
constexpr int kMaxDrafts = 100;                 // that killed processes of this number have left
constexpr mode_t kFolderMode = 0755;
constexpr mode_t kFileMode = 0644;  // without secrets; never writable for others

Error cannot(const char* what, const fs::path& path, int error) {
  return {ErrorCode::unavailable,
          fmt::format("cannot {} {}: {}", what, path.string(), access_text(path, error))};
}

Status write_synced(const fs::path& path, const std::string& text) {
  const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kFileMode));
  if (!file) return cannot("write", path, errno);
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t size = write(file.get(), text.data() + written, text.size() - written);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return cannot("write", path, size < 0 ? errno : ENOSPC);
    written += static_cast<std::size_t>(size);
  }
  if (fsync(file.get()) != 0) return cannot("write", path, errno);
  return Done{};
}

// Some file systems have no renames that replace nothing.
int rename_new(const fs::path& from, const fs::path& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  struct stat present {};
  if (lstat(to.c_str(), &present) == 0) return EEXIST;
  return rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

void sync_folder(const fs::path& folder) {
  const FileDescriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened) (void)fsync(opened.get());
}

Status fill_and_rename(const fs::path& draft, const fs::path& folder, const fs::path& name,
                       const std::string& text) {
  if (auto written = write_synced(draft / name, text); !written) return written;
  const int failed = rename_new(draft, folder);
  if (failed == EEXIST || failed == ENOTEMPTY)
    return Error{ErrorCode::conflict,
                 fmt::format("{} already exists; nothing was written", folder.string())};
  if (failed != 0) return cannot("make the folder", folder, failed);
  sync_folder(folder.parent_path());
  return Done{};
}

// With the permissions that the user's umask allows. Hidden: the daemon does not read it.
Result<fs::path> make_draft_folder(const fs::path& folder) {
  for (int number = 0; number < kMaxDrafts; ++number) {
    fs::path draft = folder / fmt::format(".heddle-new-{}-{}", getpid(), number);
    if (mkdir(draft.c_str(), kFolderMode) == 0) return draft;
    if (errno != EEXIST) return cannot("make a folder in", folder, errno);
  }
  return cannot("make a folder in", folder, EEXIST);
}

}  // namespace

Status make_job_folder(const fs::path& root, const fs::path& file, const std::string& text) {
  const fs::path folder = root / file.parent_path();
  std::error_code failure;
  fs::create_directories(folder.parent_path(), failure);
  if (failure) return cannot("make the folder", folder.parent_path(), failure.value());
  auto draft = make_draft_folder(folder.parent_path());
  if (!draft) return std::move(draft).error();
  auto made = fill_and_rename(*draft, folder, file.filename(), text);
  if (!made) fs::remove_all(*draft, failure);
  return made;
}

Result<std::string> read_job_file(const fs::path& file) {
  auto text = read_file(file, kLargestFile);
  if (!text)
    return Error{text.error().code, fmt::format("{} {}", file.string(), text.error().message)};
  return text;
}

Status replace_job_file(const fs::path& file, const std::string& before, const std::string& after) {
  std::error_code failure;
  const fs::path target = fs::canonical(file, failure);  // through links
  if (failure) return cannot("read", file, failure.value());
  auto now = read_job_file(target);
  if (!now) return std::move(now).error();
  if (*now != before)
    return Error{ErrorCode::conflict,
                 fmt::format("{} was changed meanwhile; nothing was written", file.string())};
  const fs::path draft =
      target.parent_path() / fmt::format(".{}.heddle-new-{}", target.filename().string(), getpid());
  struct stat permissions {};
  if (stat(target.c_str(), &permissions) != 0) return cannot("read", file, errno);
  fs::remove(draft, failure);
  auto written = write_synced(draft, after);
  if (written && chmod(draft.c_str(), permissions.st_mode & 07777) != 0)
    written = cannot("write", draft, errno);
  if (written && rename(draft.c_str(), target.c_str()) != 0)
    written = cannot("write", target, errno);
  if (!written) fs::remove(draft, failure);
  if (written) sync_folder(target.parent_path());
  return written;
}

}  // namespace heddle::config
