// XPathParser turns the tokens of an XPath expression into a program and checks the types of its
// parts. Used once; not thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "html/xpath/xpath.hpp"
#include "html/xpath/xpath_lexer.hpp"
#include "html/xpath/xpath_program.hpp"

namespace heddle::html {

class XPathParser {
 public:
  XPathParser(std::string_view text, const XPathPrefixes& prefixes)
      : text_(text), prefixes_(prefixes) {}

  Result<std::shared_ptr<const XPathProgram>> parse();

 private:
  // Each returns false and sets error_ when the text is wrong.
  bool parse_binary(int level, XPathId& id);
  bool parse_unary(XPathId& id);
  bool parse_union(XPathId& id);
  bool parse_path(XPathId& id);
  bool parse_steps(XPathExpression& path);
  bool parse_step(XPathExpression& path);
  bool parse_axis(XPathStep& step);
  bool parse_node_test(XPathStep& step);
  bool parse_node_type(XPathStep& step);
  bool set_name(NodeTest& test, const XPathToken& token, XPathAxis axis);
  bool parse_predicates(std::vector<XPathId>& predicates);
  bool parse_primary(XPathId& id);
  bool parse_filter(XPathId& id);
  bool parse_call(XPathId& id);
  bool check_call(XPathExpression& call, const XPathToken& name);
  bool require_nodes(XPathId id, std::size_t position, std::string_view what);

  [[nodiscard]] bool starts_filter() const;
  void add_step(XPathExpression& path, XPathStep&& step);
  void mark_position(XPathExpression& expression) const;
  [[nodiscard]] bool counts(const std::vector<XPathId>& predicates) const;
  XPathId add(XPathExpression&& expression);
  [[nodiscard]] const XPathExpression& at(XPathId id) const { return program_->expressions[id]; }

  [[nodiscard]] const XPathToken& token(std::size_t ahead = 0) const {
    return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
  }
  bool skip(std::string_view symbol);
  bool expect(std::string_view symbol);
  bool fail(std::string_view message) { return fail_at(token().position, message); }
  bool fail_at(std::size_t position, std::string_view message);
  bool enter();
  void leave() { --depth_; }

  std::string_view text_;
  const XPathPrefixes& prefixes_;
  std::vector<XPathToken> tokens_;
  std::size_t next_ = 0;
  int depth_ = 0;
  std::shared_ptr<XPathProgram> program_ = std::make_shared<XPathProgram>();
  std::string error_;
};

}  // namespace heddle::html
