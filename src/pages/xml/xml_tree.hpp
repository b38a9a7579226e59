// XmlTree builds the Document of an XML text from the events of a parser: it resolves namespaces
// and checks the limits. Used for one text. Not thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "html/document_builder.hpp"
#include "html/parse.hpp"

namespace heddle::pages {

using XmlAttributes = std::vector<std::pair<std::string_view, std::string_view>>;

class XmlTree {
 public:
  // `bytes` is the size of the text: what entities expand to is limited in proportion.
  XmlTree(std::size_t bytes, const html::ParseLimits& limits);

  // Each does nothing once a limit is exceeded: see problem().
  void open(std::string_view name, const XmlAttributes& attributes);
  void close();
  void add_text(std::string_view text);
  void add_comment(std::string_view text);
  void add_instruction(std::string_view target, std::string_view data);
  void add_doctype(std::string_view name, std::string_view public_id, std::string_view system_id);

  void exceed(std::string what);
  [[nodiscard]] const std::string& problem() const { return problem_; }  // "too_complex: …"
  [[nodiscard]] std::size_t depth() const { return frames_.size(); }

  Result<html::Document> finish() &&;

 private:
  struct Declaration {
    std::string prefix;  // empty: the default namespace
    html::Namespace space;
  };

  bool count_node();
  bool count_bytes(std::size_t bytes);
  void declare(const XmlAttributes& attributes);
  html::Namespace element_space(std::string_view name) const;
  html::AttributeSpace attribute_space(std::string_view name);
  [[nodiscard]] const Declaration* find_declaration(std::string_view prefix) const;
  html::Namespace namespace_of(std::string_view uri);        // of elements
  html::Namespace other_namespace_of(std::string_view uri);  // never one of HTML's own

  html::ParseLimits limits_;
  html::DocumentBuilder builder_;
  std::vector<Declaration> declarations_;  // in scope, innermost last
  std::vector<std::size_t> frames_;        // by open element: how many were in scope before it
  std::vector<std::string> uris_;          // by Namespace, from first_other
  std::size_t nodes_ = 0;
  std::size_t attributes_ = 0;
  std::size_t bytes_ = 0;
  std::size_t max_bytes_;
  std::string problem_;
};

}  // namespace heddle::pages
