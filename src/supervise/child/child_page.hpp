// Shares one page of memory between a coordinator and a child. Values are visible immediately,
// survive the child's death and never wait for a full socket. Lock-free from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/file_descriptor.hpp"
#include "base/result.hpp"

namespace heddle::supervise {

// State that a child reports about itself.
enum class ChildFlag : std::uint32_t { attached = 1, ready = 2, draining = 4, wants_recovery = 8 };

class ChildPage {
 public:
  // The coordinator's side. Sealed, so that a child cannot shrink the mapping.
  static Result<ChildPage> create();
  // The child's side. `corrupt`: the file is not such a page.
  static Result<ChildPage> open(const FileDescriptor& file);

  [[nodiscard]] int descriptor() const { return file_.get(); }  // -1 after close_descriptor()
  void close_descriptor() { file_.reset(); }

  void beat();
  [[nodiscard]] std::uint64_t beats() const;

  // Any number that identifies the child's current work; 0: none.
  void set_working_on(std::uint64_t what);
  [[nodiscard]] std::uint64_t working_on() const;
  [[nodiscard]] std::atomic<std::uint64_t>& work_word();  // where set_working_on() writes

  void set(ChildFlag flag);
  [[nodiscard]] bool has(ChildFlag flag) const;

  void request_stop();
  [[nodiscard]] bool is_stop_requested() const;

 private:
  struct Layout;
  struct Unmap {
    void operator()(Layout* layout) const noexcept;
  };
  using Mapping = std::unique_ptr<Layout, Unmap>;

  ChildPage(Mapping layout, FileDescriptor file);
  static Result<Mapping> map(int file);

  Mapping layout_;
  FileDescriptor file_;
};

}  // namespace heddle::supervise
