// The state of html.parse in one VM: the memory of its documents and caches of expressions.
// Documents are C++ memory that Lua does not count, so they have a separate limit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "html/document.hpp"
#include "model/web/url.hpp"

namespace heddle::script {

// Shared by the VM and all its documents, because Lua frees them in any order on close.
struct HtmlMemory {
  std::size_t used = 0;
};

inline constexpr std::size_t kMaxDocumentBytes = 64'000'000;  // of all documents of a VM
inline constexpr std::size_t kMaxHtmlBytes = 32'000'000;      // of one page's source

// A document owned by a script.
class ScriptDocument {
 public:
  ScriptDocument(html::Document document, std::shared_ptr<HtmlMemory> memory)
      : document_(std::move(document)),
        memory_(std::move(memory)),
        bytes_(document_.memory_bytes() + sizeof *this) {
    memory_->used += bytes_;
  }
  ~ScriptDocument() { memory_->used -= bytes_; }
  ScriptDocument(const ScriptDocument&) = delete;
  ScriptDocument& operator=(const ScriptDocument&) = delete;

  [[nodiscard]] const html::Document& get() const { return document_; }

  // Links are then returned as absolute URLs.
  void set_base(Url base) { base_ = std::move(base); }
  [[nodiscard]] const Url* base() const { return base_ ? &*base_ : nullptr; }

 private:
  html::Document document_;
  std::optional<Url> base_;
  std::shared_ptr<HtmlMemory> memory_;
  std::size_t bytes_;
};

// Compiled expressions by their text, most recently used first.
template <class Expression>
class ExpressionCache {
 public:
  Result<Expression> get(std::string_view text) {
    const auto known = std::find_if(entries_.begin(), entries_.end(),
                                    [text](const Entry& entry) { return entry.text == text; });
    if (known != entries_.end()) {
      std::rotate(entries_.begin(), known, known + 1);
      return entries_.front().expression;
    }
    auto expression = Expression::compile(text);
    if (!expression || text.size() > kMaxKeptText) return expression;
    if (entries_.size() == kMaxEntries) entries_.pop_back();
    entries_.insert(entries_.begin(), Entry{std::string(text), *expression});
    return expression;
  }

 private:
  static constexpr std::size_t kMaxEntries = 32;
  static constexpr std::size_t kMaxKeptText = 1'000;  // bytes; longer ones are compiled each time

  struct Entry {
    std::string text;
    Expression expression;
  };
  std::vector<Entry> entries_;
};

}  // namespace heddle::script
