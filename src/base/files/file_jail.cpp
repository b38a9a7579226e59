#include "base/files/file_jail.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <mutex>
#include <random>
#include <span>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "base/files/open_beneath.hpp"
#include "base/files/private_files.hpp"
#include "base/text.hpp"

namespace heddle {

namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 7> kTextNames{"csv", "json", "jsonl", "txt",
                                                     "log", "md",   "html"};
constexpr std::array<std::string_view, 23> kBinaryNames{
    "csv", "json", "jsonl", "txt",  "log",  "md",  "html", "png",  "jpg",   "jpeg", "gif", "webp",
    "svg", "bmp",  "ico",   "avif", "tiff", "ttf", "otf",  "woff", "woff2", "pdf",  "zip"};

constexpr std::size_t kMaxModuleBytes = 4u << 20;
constexpr Rotation kRotation{};
constexpr mode_t kFileMode = kPrivateFile;
constexpr mode_t kFolderMode = kPrivateFolder;
constexpr std::string_view kShared = "shared/";

// Without O_NONBLOCK opening a named pipe would block.
constexpr int kSafeOpenFlags = O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

Error refused(std::string_view path, std::string_view reason) {
  return {ErrorCode::bad_input,
          fmt::format("\"{}\" is refused: {}", to_valid_utf8(std::string(path)), reason)};
}

constexpr std::string_view kWhere =
    "paths are relative to the job's folder, or begin with shared/ for the project's shared folder";

Error failed(std::string_view path, int error) {
  switch (error) {
    case EXDEV:
      return refused(path, fmt::format("it leads outside ({})", kWhere));
    case ELOOP:
      return refused(path, "it goes through a link that cannot be followed");
    case ENAMETOOLONG:
      return refused(path.substr(0, 60), "its name is too long");
    case EISDIR:
    case ENXIO:
      return refused(path, "it is not a regular file");
    default:
      return {ErrorCode::unavailable,
              fmt::format("\"{}\": {}", path, std::generic_category().message(error))};
  }
}

bool is_missing(int error) {
  return error == ENOENT || error == ENOTDIR;
}

// "png" of "a/B.PNG"; files that were rotated away ("x.log.3") keep their kind.
std::string kind_of(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.size() > 2 && name[name.size() - 2] == '.' && name.back() >= '1' &&
      name.back() <= '0' + kRotation.keep)
    name.remove_suffix(2);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? "" : to_lower_ascii(name.substr(dot + 1));
}

Status check_kind(std::string_view path, Names allowed, std::string_view action) {
  const std::string kind = kind_of(path);
  if (std::find(allowed.begin(), allowed.end(), kind) != allowed.end()) return Done{};
  std::string list;
  for (const std::string_view name : allowed) list.append(list.empty() ? "." : " .").append(name);
  return refused(path, fmt::format("scripts may {} only {}", action, list));
}

Status check_path(std::string_view path) {
  if (path.empty()) return refused(path, fmt::format("it is empty ({})", kWhere));
  if (path.find('\0') != std::string_view::npos) return refused(path, "it contains a NUL byte");
  if (path.size() > FileJail::kMaxPathBytes)
    return refused(path.substr(0, 60),
                   fmt::format("it is longer than {} bytes", FileJail::kMaxPathBytes));
  if (path.front() == '/') return refused(path, fmt::format("it is absolute ({})", kWhere));
  for (const std::string_view part : split(path, '/'))
    if (part == "..") return refused(path, fmt::format("it contains \"..\" ({})", kWhere));
  return Done{};
}

// "shared/x" of "./shared//x": the same file must have the same root, however it is written.
std::string without_empty_parts(std::string_view path) {
  std::string plain;
  for (const std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    plain.append(plain.empty() ? "" : "/").append(part);
  }
  return plain;
}

Result<struct stat> facts_of_regular(std::string_view path, int file) {
  struct stat facts {};
  if (fstat(file, &facts) != 0) return failed(path, errno);
  if (!S_ISREG(facts.st_mode)) return refused(path, "it is not a regular file");
  return facts;
}

Result<std::string> read_all(std::string_view path, int file, std::size_t max_bytes) {
  auto facts = facts_of_regular(path, file);
  if (!facts) return std::move(facts).error();
  const Error too_large{
      ErrorCode::bad_input,
      fmt::format("\"{}\" is larger than {} MB and cannot be read", path, max_bytes >> 20)};
  if (static_cast<std::uint64_t>(facts->st_size) > max_bytes) return too_large;
  std::string text(static_cast<std::size_t>(facts->st_size) + 1, '\0');
  std::size_t size = 0;
  while (true) {
    if (size == text.size()) text.resize(text.size() * 2);  // the file grows while it is read
    const ssize_t got = read(file, text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed(path, errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (size > max_bytes) return too_large;
  }
  text.resize(size);
  return text;
}

Status write_all(std::string_view path, int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed(path, errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return Done{};
}

// A folder below which paths are resolved. Opened once; a missing folder is tried again.
class Root {
 public:
  explicit Root(std::filesystem::path path) : path_(std::move(path)) { (void)folder(); }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  int folder() {  // -1 with errno
    const std::lock_guard lock(mutex_);
    if (!folder_) folder_ = FileDescriptor(open(path_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    return folder_.get();
  }

  int make_folder() {
    if (const int there = folder(); there >= 0) return there;
    make_private_folders(path_);
    return folder();
  }

 private:
  std::filesystem::path path_;
  std::mutex mutex_;
  FileDescriptor folder_;
};

// The folder a file is written to, and its name there.
struct WriteDestination {
  int root = -1;
  std::string path;  // below root
  FileDescriptor parent;
  std::string name;
};

Result<FileDescriptor> make_folders(std::string_view path, int root, std::string_view folders) {
  Opened at = open_beneath(root, ".", O_PATH | O_DIRECTORY);
  std::string so_far;
  for (const std::string_view part : split(folders, '/')) {
    if (part.empty() || part == ".") continue;
    so_far.append(so_far.empty() ? "" : "/").append(part);
    Opened next = open_beneath(root, so_far, O_PATH | O_DIRECTORY);
    if (next.error == ENOENT) {
      if (mkdirat(at.file.get(), std::string(part).c_str(), kFolderMode) != 0 && errno != EEXIST)
        return failed(path, errno);
      next = open_beneath(root, so_far, O_PATH | O_DIRECTORY);
    }
    if (!next.file) return failed(path, next.error);
    at = std::move(next);
  }
  if (!at.file) return failed(path, at.error);
  return std::move(at.file);
}

bool is_link(const WriteDestination& destination) {
  struct stat facts {};
  return fstatat(destination.parent.get(), destination.name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) ==
             0 &&
         S_ISLNK(facts.st_mode);
}

// A link may point to another kind of file: a script must not write scripts or settings.
Status check_linked_kind(std::string_view path, int file) {
  std::array<char, 4096> real{};
  const std::string link = fmt::format("/proc/self/fd/{}", file);
  const ssize_t size = readlink(link.c_str(), real.data(), real.size());
  if (size <= 0) return refused(path, "it is a link, and its end cannot be checked");
  return check_kind({real.data(), static_cast<std::size_t>(size)}, kTextNames, "write");
}

Result<FileDescriptor> open_for_writing(std::string_view path, const WriteDestination& destination,
                                        int flags) {
  // O_CREAT through a link could create a file of any kind.
  const bool is_linked = is_link(destination);
  Opened opened =
      open_beneath(destination.root, destination.path,
                   O_WRONLY | kSafeOpenFlags | flags | (is_linked ? 0 : O_CREAT), kFileMode);
  if (is_linked && opened.error == ENOENT) return refused(path, "it is a link to nothing");
  if (!opened.file) return failed(path, opened.error);
  if (auto facts = facts_of_regular(path, opened.file.get()); !facts)
    return std::move(facts).error();
  if (is_linked)
    if (auto allowed = check_linked_kind(path, opened.file.get()); !allowed)
      return std::move(allowed).error();
  return std::move(opened.file);
}

Status rewrite_linked(std::string_view path, const WriteDestination& destination,
                      std::string_view content) {
  auto file = open_for_writing(path, destination, 0);
  if (!file) return std::move(file).error();
  if (ftruncate(file->get(), 0) != 0) return failed(path, errno);
  return write_all(path, file->get(), content);
}

std::string temporary_name() {
  std::random_device random;
  return fmt::format(".heddle-{:08x}{:08x}.tmp", random(), random());
}

Status replace(std::string_view path, const WriteDestination& destination, std::string_view content,
               mode_t mode) {
  const std::string draft = temporary_name();
  const int parent = destination.parent.get();
  const FileDescriptor file(
      openat(parent, draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (!file) return failed(path, errno);
  Status done = write_all(path, file.get(), content);
  if (done && renameat(parent, draft.c_str(), parent, destination.name.c_str()) != 0)
    done = failed(path, errno);
  if (!done) unlinkat(parent, draft.c_str(), 0);
  return done;
}

}  // namespace

struct FileJail::Parts {
  explicit Parts(JailFolders folders)
      : project(std::move(folders.project)),
        job(std::move(folders.job)),
        shared(std::move(folders.shared)) {}

  struct Inside {
    Root* root;
    std::string path;
  };
  Inside find(std::string_view path) {
    std::string plain = without_empty_parts(path);
    if (plain.starts_with(kShared)) return {&shared, plain.substr(kShared.size())};
    return {&job, std::move(plain)};
  }

  Result<std::optional<std::string>> read(std::string_view path, Names allowed);
  Result<WriteDestination> destination_for(std::string_view path);
  Result<std::optional<ModuleText>> module_in(Root& root, const std::string& file);

  Root project;
  Root job;
  Root shared;
};

Result<std::optional<std::string>> FileJail::Parts::read(std::string_view path, Names allowed) {
  if (auto fine = check_path(path); !fine) return std::move(fine).error();
  if (auto fine = check_kind(path, allowed, "read"); !fine) return std::move(fine).error();
  const Inside inside = find(path);
  const int root = inside.root->folder();
  if (root < 0 && is_missing(errno)) return std::optional<std::string>();
  if (root < 0) return failed(path, errno);
  const Opened opened = open_beneath(root, inside.path, O_RDONLY | kSafeOpenFlags);
  if (is_missing(opened.error)) return std::optional<std::string>();
  if (!opened.file) return failed(path, opened.error);
  auto text = read_all(path, opened.file.get(), kMaxReadBytes);
  if (!text) return std::move(text).error();
  return std::optional(std::move(*text));
}

Result<WriteDestination> FileJail::Parts::destination_for(std::string_view path) {
  if (auto fine = check_path(path); !fine) return std::move(fine).error();
  if (auto fine = check_kind(path, kTextNames, "write"); !fine) return std::move(fine).error();
  Inside inside = find(path);
  WriteDestination destination;
  destination.root = inside.root->make_folder();
  if (destination.root < 0) return failed(path, errno);
  destination.path = std::move(inside.path);
  const std::size_t slash = destination.path.rfind('/');
  const bool has_folders = slash != std::string::npos;
  destination.name = destination.path.substr(has_folders ? slash + 1 : 0);
  auto parent = make_folders(path, destination.root,
                             std::string_view(destination.path).substr(0, has_folders ? slash : 0));
  if (!parent) return std::move(parent).error();
  destination.parent = std::move(*parent);
  return destination;
}

FileJail::FileJail(JailFolders folders) : parts_(std::make_unique<Parts>(std::move(folders))) {}
FileJail::~FileJail() = default;
FileJail::FileJail(FileJail&&) noexcept = default;
FileJail& FileJail::operator=(FileJail&&) noexcept = default;

Result<std::optional<std::string>> FileJail::read_text(std::string_view path) const {
  return parts_->read(path, kTextNames);
}

Result<std::optional<std::string>> FileJail::read_binary(std::string_view path) const {
  return parts_->read(path, kBinaryNames);
}

Status FileJail::append(std::string_view path, std::string_view content) const {
  auto destination = parts_->destination_for(path);
  if (!destination) return std::move(destination).error();
  AppendTarget target;
  target.folder = destination->parent.get();
  target.name = destination->name;
  target.open = [&] { return open_for_writing(path, *destination, O_APPEND); };
  FileDescriptor file;
  return append_rotating(target, kRotation, content, file);
}

Status FileJail::overwrite(std::string_view path, std::string_view content) const {
  auto destination = parts_->destination_for(path);
  if (!destination) return std::move(destination).error();
  struct stat facts {};
  if (fstatat(destination->parent.get(), destination->name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) !=
      0) {
    if (errno != ENOENT) return failed(path, errno);
    return replace(path, *destination, content, kFileMode);
  }
  if (S_ISLNK(facts.st_mode)) return rewrite_linked(path, *destination, content);
  if (!S_ISREG(facts.st_mode)) return refused(path, "it is not a regular file");
  return replace(path, *destination, content, facts.st_mode & 0777);
}

Result<std::optional<ModuleText>> FileJail::Parts::module_in(Root& root, const std::string& file) {
  const int folder = root.folder();
  if (folder < 0) return std::optional<ModuleText>();
  const Opened opened = open_beneath(folder, file, O_RDONLY | kSafeOpenFlags);
  if (is_missing(opened.error)) return std::optional<ModuleText>();
  if (!opened.file) return failed(file, opened.error);
  auto text = read_all(file, opened.file.get(), kMaxModuleBytes);
  if (!text) return std::move(text).error();
  const auto whole = root.path() / file;
  const auto relative = whole.lexically_relative(project.path());
  const bool is_outside = relative.empty() || *relative.begin() == "..";
  return std::optional(ModuleText{(is_outside ? whole : relative).string(), std::move(*text)});
}

Result<ModuleText> FileJail::read_module(std::string_view name) const {
  std::string path(name);
  std::replace(path.begin(), path.end(), '.', '/');
  const Error bad = refused(name, "a module is named like \"util\" or \"lib.util\"");
  if (path.empty() || path.size() > kMaxPathBytes || path.find('\0') != std::string::npos)
    return bad;
  for (const std::string_view part : split(path, '/'))
    if (part.empty()) return bad;

  std::string looked;
  for (Root* root : {&parts_->job, &parts_->project})
    for (const std::string& file : {path + ".lua", path + "/init.lua"}) {
      auto found = parts_->module_in(*root, file);
      if (!found) return std::move(found).error();
      if (*found) return std::move(**found);
      looked.append("\n\tno file ").append((root->path() / file).string());
    }
  return Error{ErrorCode::not_found, fmt::format("module \"{}\" was not found:{}", name, looked)};
}

}  // namespace heddle
