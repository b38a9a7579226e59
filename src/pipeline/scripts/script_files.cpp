#include "pipeline/scripts/script_files.hpp"

namespace heddle::pipeline {

Result<std::optional<std::string>> ScriptFiles::read_text(std::string_view path) const {
  if (!scratch_) return real_->read_text(path);
  auto own = scratch_->read_text(path);
  return own && !*own ? real_->read_text(path) : std::move(own);
}

Result<std::optional<std::string>> ScriptFiles::read_binary(std::string_view path) const {
  if (!scratch_) return real_->read_binary(path);
  auto own = scratch_->read_binary(path);
  return own && !*own ? real_->read_binary(path) : std::move(own);
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
