// TreeBuilder runs the tree construction stage of the HTML standard and holds the state that all
// insertion modes share (insertion_modes.hpp). Used for one page. Not thread-safe.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "html/parser/formatting_list.hpp"
#include "html/parser/insertion_modes.hpp"
#include "html/parser/node_tree.hpp"
#include "html/parser/open_elements.hpp"
#include "html/parser/parse_budget.hpp"
#include "html/parser/tokenizer/tokenizer.hpp"

namespace heddle::html::parser {

// Attributes that a second <html> or <body> adds to the first; existing ones stay.
struct LateAttributes {
  NodeIndex node = kNoIndex;
  AttributeRange attributes;
};

class TreeBuilder {
 public:
  TreeBuilder(Tokenizer& tokenizer, NodeTree& tree, TokenMemory& memory, ParseBudget& budget);

  // Reads the page to its end, or until the budget is exceeded.
  void run();
  [[nodiscard]] const std::vector<LateAttributes>& late_attributes() const { return late_; }

  // --- For the insertion modes ---

  NodeTree& tree;
  ParseBudget& budget;
  OpenElements open;
  FormattingList formatting;
  std::vector<InsertionMode> template_modes;
  std::vector<std::string_view> table_text;  // "pending table character tokens"
  InsertionMode mode = InsertionMode::initial;
  InsertionMode return_mode = InsertionMode::initial;  // "original insertion mode"
  NodeIndex head = kNoIndex;
  NodeIndex form = kNoIndex;
  bool may_have_frameset = true;  // "frameset-ok"
  bool is_quirks_mode = false;    // only affects <table> in <p>
  bool is_foster_parenting = false;
  bool skips_line_feed = false;  // the first in <pre> and <textarea>

  // Elements become the current node, unless they are void.
  NodeIndex insert_element(const Token& token);
  NodeIndex insert_element(NameId tag);
  NodeIndex insert_foreign_element(const Token& token, Namespace space);
  void insert_void_element(const Token& token);
  void insert_root(AttributeRange attributes);
  void insert_text(std::string_view text);
  void insert_comment(std::string_view text);
  void insert_comment_into(NodeIndex parent, std::string_view text);
  void insert_doctype(const Token& token);
  // The copy is not yet in the tree.
  NodeIndex clone(NodeIndex element);
  void add_late_attributes(NodeIndex element, const Token& token);

  // Where a new child of the element goes: usually after its last child.
  [[nodiscard]] InsertionLocation insertion_location(const OpenElement& element) const;

  void close_p();  // when one is open in button scope
  // The innermost element of the name, if nothing special is open inside it.
  void close_ordinary(NameId tag);
  void generate_implied_end_tags(NameId except = kNoName);
  void reconstruct_formatting();
  void run_adoption_agency(NameId tag);  // adoption_agency.cpp
  void reset_mode();
  // Switches the tokenizer to text_mode up to the end tag.
  void insert_text_element(const Token& token, TextMode text_mode);
  void read_plain_text() { tokenizer_.read_text_of(known("plaintext"), TextMode::plaintext); }

  [[nodiscard]] bool is_template_open() const { return open.has(known("template")); }
  [[nodiscard]] std::string_view attribute(AttributeRange range, NameId name) const;
  [[nodiscard]] bool has_attribute(AttributeRange range, NameId name) const;
  std::vector<RawAttribute>& attributes() { return memory_.attributes; }
  NameId intern(std::string_view name) { return tokenizer_.intern(name); }
  [[nodiscard]] std::string_view name(NameId id) const { return tokenizer_.name(id); }

 private:
  void process(Token& token);
  bool drop_line_feed(Token& token);
  NodeIndex insert_new(NameId tag, Namespace space, AttributeRange attributes);
  [[nodiscard]] InsertionLocation foster_parent_location() const;

  Tokenizer& tokenizer_;
  TokenMemory& memory_;
  std::vector<LateAttributes> late_;
};

// Removes leading white space and returns it.
std::string_view take_space(std::string_view& text);
[[nodiscard]] bool is_all_space(std::string_view text);
[[nodiscard]] bool is_hidden_input(const TreeBuilder& builder, const Token& token);

}  // namespace heddle::html::parser
