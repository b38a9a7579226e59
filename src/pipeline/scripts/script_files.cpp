#include "pipeline/scripts/script_files.hpp"

namespace heddle::pipeline {
namespace {

constexpr std::string_view kShared = "shared/";

}  // namespace

Result<std::optional<std::string>> ScriptFiles::read_text(std::string_view path) const {
  return read_with(&FileJail::read_text, path);
}

Result<std::optional<std::string>> ScriptFiles::read_binary(std::string_view path) const {
  return read_with(&FileJail::read_binary, path);
}

Result<std::optional<std::string>> ScriptFiles::read_with(Read read, std::string_view path) const {
  auto found = read_here(read, path);
  if (!found || *found || path.starts_with(kShared)) return found;
  return read_here(read, std::string(kShared).append(path));
}

Result<std::optional<std::string>> ScriptFiles::read_here(Read read, std::string_view path) const {
  if (!scratch_) return (*real_.*read)(path);
  auto own = (*scratch_.*read)(path);
  return own && !*own ? (*real_.*read)(path) : std::move(own);
}

Status ScriptFiles::append(std::string_view path, std::string_view content) const {
  if (!scratch_) return real_->append(path, content);
  auto own = scratch_->read_text(path);
  if (!own) return std::move(own).error();
  if (!*own) {
    auto before = real_->read_text(path);
    if (!before) return std::move(before).error();
    if (*before)
      if (auto copied = scratch_->overwrite(path, **before); !copied) return copied;
  }
  return scratch_->append(path, content);
}

Status ScriptFiles::overwrite(std::string_view path, std::string_view content) const {
  return scratch_ ? scratch_->overwrite(path, content) : real_->overwrite(path, content);
}

}  // namespace heddle::pipeline
