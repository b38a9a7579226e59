// A page of memory that a coordinator shares with one child. What a child says here is known at
// once and survives its death; nothing here can wait for a full socket. Lock-free from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/file_descriptor.hpp"
#include "base/result.hpp"

namespace heddle::supervise {

// What a child has said about itself.
enum class Mark : std::uint32_t { attached = 1, ready = 2, draining = 4, wants_recovery = 8 };

class ChildPage {
 public:
  // The coordinator's side. Sealed: a child cannot shrink it under our feet.
  static Result<ChildPage> create();
  // The child's side. `corrupt` when this is not such a page.
  static Result<ChildPage> open(const FileDescriptor& file);

  [[nodiscard]] int descriptor() const { return file_.get(); }  // -1 after close_descriptor()
  void close_descriptor() { file_.reset(); }

  void beat();
  [[nodiscard]] std::uint64_t beats() const;

  // Any number that tells the coordinator what this child is busy with; 0: nothing.
  void set_working_on(std::uint64_t what);
  [[nodiscard]] std::uint64_t working_on() const;
  [[nodiscard]] std::atomic<std::uint64_t>& work_word();  // where set_working_on() writes

  void set(Mark mark);
  [[nodiscard]] bool has(Mark mark) const;

  void ask_to_stop();
  [[nodiscard]] bool is_asked_to_stop() const;

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
