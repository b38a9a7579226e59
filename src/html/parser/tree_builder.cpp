#include "html/parser/tree_builder.hpp"

#include <algorithm>
#include <array>

#include "html/parser/tokenizer/characters.hpp"

namespace heddle::html::parser {

namespace {

constexpr std::string_view kHidden = "hidden";

// In the order of enum InsertionMode.
constexpr std::array<ModeRules, 21> kRules = {initial,
                                              before_html,
                                              before_head,
                                              in_head,
                                              in_head_noscript,
                                              after_head,
                                              in_body,
                                              text,
                                              in_table,
                                              in_table_text,
                                              in_caption,
                                              in_column_group,
                                              in_table_body,
                                              in_row,
                                              in_cell,
                                              in_template,
                                              after_body,
                                              in_frameset,
                                              after_frameset,
                                              after_after_body,
                                              after_after_frameset};

}  // namespace

std::string_view take_space(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && is_tree_space(text[length])) ++length;
  const std::string_view space = text.substr(0, length);
  text.remove_prefix(length);
  return space;
}

bool is_all_space(std::string_view text) {
  return std::all_of(text.begin(), text.end(), is_tree_space);
}

bool is_hidden_input(const TreeBuilder& builder, const Token& token) {
  const std::string_view type = builder.attribute(token.attributes, known("type"));
  return std::equal(type.begin(), type.end(), kHidden.begin(), kHidden.end(),
                    [](char left, char right) { return to_lower(left) == right; });
}

ModeRules rules_of(InsertionMode mode) {
  return kRules[static_cast<std::size_t>(mode)];
}

TreeBuilder::TreeBuilder(Tokenizer& tokenizer, NodeTree& tree_to_fill, TokenMemory& memory,
                         ParseBudget& page_budget)
    : tree(tree_to_fill),
      budget(page_budget),
      open(tree_to_fill, page_budget),
      formatting(tree_to_fill, memory.attributes, page_budget),
      tokenizer_(tokenizer),
      memory_(memory) {}

void TreeBuilder::run() {
  Token token;
  do {
    tokenizer_.allow_cdata(!open.empty() && open.current().space != Namespace::html);
    tokenizer_.next(token);
    if (!skips_line_feed || !drop_line_feed(token)) process(token);
  } while (token.kind != TokenKind::end_of_file && !budget.is_exceeded());
}

// Returns whether the token is consumed.
bool TreeBuilder::drop_line_feed(Token& token) {
  skips_line_feed = false;
  if (token.kind != TokenKind::text || token.text.front() != '\n') return false;
  token.text.remove_prefix(1);
  return token.text.empty();
}

void TreeBuilder::process(Token& token) {
  TokenResult result = TokenResult::reprocess;
  while (result == TokenResult::reprocess)
    result = belongs_to_foreign_content(*this, token) ? in_foreign_content(*this, token)
                                                      : rules_of(mode)(*this, token);
}

InsertionLocation TreeBuilder::foster_parent_location() const {
  const std::size_t last_template = open.last_index_of(known("template"));
  const std::size_t last_table = open.last_index_of(known("table"));
  const bool has_table = last_table != OpenElements::kNotFound;
  const bool has_template = last_template != OpenElements::kNotFound;
  if (has_template && (!has_table || last_template > last_table)) return {open[last_template].node};
  if (!has_table) return {open[0].node};
  const NodeIndex table = open[last_table].node;
  if (tree[table].parent != kNoIndex) return {tree[table].parent, table};
  return {open[last_table - 1].node};
}

InsertionLocation TreeBuilder::insertion_location(const OpenElement& element) const {
  const bool moves =
      is_foster_parenting && element.has(is_table_part) && element.space == Namespace::html;
  return moves ? foster_parent_location() : InsertionLocation{element.node};
}

NodeIndex TreeBuilder::insert_new(NameId tag, Namespace space, AttributeRange attributes) {
  const NodeIndex node = tree.add_element(tag, space, attributes);
  tree.insert(node, insertion_location(open.current()));
  budget.count_node();
  return node;
}

NodeIndex TreeBuilder::insert_element(const Token& token) {
  const NodeIndex node = insert_new(token.name, Namespace::html, token.attributes);
  open.push(node);
  return node;
}

NodeIndex TreeBuilder::insert_element(NameId tag) {
  const NodeIndex node = insert_new(tag, Namespace::html, {});
  open.push(node);
  return node;
}

NodeIndex TreeBuilder::insert_foreign_element(const Token& token, Namespace space) {
  const NodeIndex node = insert_new(token.name, space, token.attributes);
  if (!token.is_self_closing) open.push(node);
  return node;
}

void TreeBuilder::insert_void_element(const Token& token) {
  insert_new(token.name, Namespace::html, token.attributes);
}

void TreeBuilder::insert_root(AttributeRange attributes) {
  const NodeIndex node = tree.add_element(known("html"), Namespace::html, attributes);
  tree.insert(node, {NodeTree::root()});
  budget.count_node();
  open.push(node);
}

void TreeBuilder::insert_text(std::string_view text) {
  if (tree.insert_text(insertion_location(open.current()), text)) budget.count_node();
}

void TreeBuilder::insert_comment(std::string_view text) {
  tree.insert(tree.add_comment(text), insertion_location(open.current()));
  budget.count_node();
}

void TreeBuilder::insert_comment_into(NodeIndex parent, std::string_view text) {
  tree.insert(tree.add_comment(text), {parent});
  budget.count_node();
}

void TreeBuilder::insert_doctype(const Token& token) {
  tree.insert(tree.add_doctype(token), {NodeTree::root()});
  budget.count_node();
}

NodeIndex TreeBuilder::clone(NodeIndex element) {
  const AttributeRange range = tree.attributes(element);
  for (std::uint32_t i = 0; i < range.count; ++i) budget.count_attribute();
  budget.count_node();
  return tree.clone_element(element);
}

void TreeBuilder::add_late_attributes(NodeIndex element, const Token& token) {
  if (token.attributes.count != 0) late_.push_back({element, token.attributes});
}

void TreeBuilder::close_p() {
  if (!open.has_in_scope(known("p"), ends_button_scope)) return;
  generate_implied_end_tags(known("p"));
  open.pop_until(known("p"));
}

void TreeBuilder::close_ordinary(NameId tag) {
  if (!open.has(tag)) return;
  for (std::size_t i = open.size(); i-- > 0;) {
    budget.charge(1);
    if (open[i].is_html(tag)) return open.pop_to(i);
    if (open[i].has(is_special)) return;
  }
}

void TreeBuilder::generate_implied_end_tags(NameId except) {
  while (open.current().has(has_implied_end) && open.current().tag != except) open.pop();
}

// Reopens formatting elements that were not closed by their own end tag.
void TreeBuilder::reconstruct_formatting() {
  if (formatting.empty()) return;
  std::size_t i = formatting.size();
  while (i > 0 && !formatting.needs_no_opening(i - 1)) --i;
  budget.charge(formatting.size() - i);
  for (; i < formatting.size() && !budget.is_exceeded(); ++i) {
    const NodeIndex copy = clone(formatting[i]);
    tree.insert(copy, insertion_location(open.current()));
    open.push(copy);
    formatting.replace(i, copy);
  }
}

void TreeBuilder::insert_text_element(const Token& token, TextMode text_mode) {
  insert_element(token);
  tokenizer_.read_text_of(token.name, text_mode);
  return_mode = mode;
  mode = InsertionMode::text;
}

namespace {

// The mode that an open element implies; `initial` when it implies none.
InsertionMode mode_of(const OpenElement& element, const TreeBuilder& builder) {
  switch (element.tag) {
    case known("td"):
    case known("th"):
      return InsertionMode::in_cell;
    case known("tr"):
      return InsertionMode::in_row;
    case known("tbody"):
    case known("thead"):
    case known("tfoot"):
      return InsertionMode::in_table_body;
    case known("caption"):
      return InsertionMode::in_caption;
    case known("colgroup"):
      return InsertionMode::in_column_group;
    case known("table"):
      return InsertionMode::in_table;
    case known("template"):
      return builder.template_modes.back();
    case known("head"):
      return InsertionMode::in_head;
    case known("body"):
      return InsertionMode::in_body;
    case known("frameset"):
      return InsertionMode::in_frameset;
    case known("html"):
      return builder.head == kNoIndex ? InsertionMode::before_head : InsertionMode::after_head;
    default:
      return InsertionMode::initial;
  }
}

}  // namespace

void TreeBuilder::reset_mode() {
  for (std::size_t i = open.size(); i-- > 0;) {
    budget.charge(1);
    if (open[i].space != Namespace::html) continue;
    mode = mode_of(open[i], *this);
    if (mode != InsertionMode::initial) return;
  }
  mode = InsertionMode::in_body;
}

bool TreeBuilder::has_attribute(AttributeRange range, NameId wanted) const {
  return attribute(range, wanted).data() != nullptr;
}

std::string_view TreeBuilder::attribute(AttributeRange range, NameId wanted) const {
  budget.charge(range.count);
  for (std::uint32_t i = 0; i < range.count; ++i) {
    const RawAttribute& candidate = memory_.attributes[range.begin + i];
    if (candidate.name == wanted) return candidate.text();
  }
  return {};
}

}  // namespace heddle::html::parser
