// The modes of <table> and its text, captions and column groups.
#include "html/parser/tree_builder.hpp"

namespace heddle::html::parser {

namespace {

// Misplaced content is processed as in the body, but inserted before the table.
TokenResult move_out(TreeBuilder& builder, Token& token) {
  builder.is_foster_parenting = true;
  const TokenResult result = in_body(builder, token);
  builder.is_foster_parenting = false;
  return result;
}

// Closes everything that is open inside the table.
void clear_to_table(TreeBuilder& builder) {
  builder.open.pop_back_to_any(ends_table_scope);
}

TokenResult open_part(TreeBuilder& builder, const Token& token, InsertionMode mode) {
  clear_to_table(builder);
  builder.insert_element(token);
  builder.mode = mode;
  return TokenResult::done;
}

TokenResult open_missing_part(TreeBuilder& builder, NameId tag, InsertionMode mode) {
  clear_to_table(builder);
  builder.insert_element(tag);
  builder.mode = mode;
  return TokenResult::reprocess;
}

// False when no table is open here.
bool close_table(TreeBuilder& builder) {
  if (!builder.open.has_in_scope(known("table"), ends_table_scope)) return false;
  builder.open.pop_until(known("table"));
  builder.reset_mode();
  return true;
}

TokenResult form_in_table(TreeBuilder& builder, const Token& token) {
  if (builder.is_template_open() || builder.form != kNoIndex) return TokenResult::done;
  builder.form = builder.insert_element(token);
  builder.open.pop();
  return TokenResult::done;
}

TokenResult table_start_tag(TreeBuilder& builder, Token& token) {
  switch (token.name) {
    case known("caption"):
      clear_to_table(builder);
      builder.formatting.push_marker();
      return open_part(builder, token, InsertionMode::in_caption);
    case known("colgroup"):
      return open_part(builder, token, InsertionMode::in_column_group);
    case known("col"):
      return open_missing_part(builder, known("colgroup"), InsertionMode::in_column_group);
    case known("tbody"):
    case known("tfoot"):
    case known("thead"):
      return open_part(builder, token, InsertionMode::in_table_body);
    case known("td"):
    case known("th"):
    case known("tr"):
      return open_missing_part(builder, known("tbody"), InsertionMode::in_table_body);
    case known("table"):
      return close_table(builder) ? TokenResult::reprocess : TokenResult::done;
    case known("style"):
    case known("script"):
    case known("template"):
      return in_head(builder, token);
    case known("input"):
      if (!is_hidden_input(builder, token)) return move_out(builder, token);
      builder.insert_void_element(token);
      return TokenResult::done;
    case known("form"):
      return form_in_table(builder, token);
    default:
      return move_out(builder, token);
  }
}

TokenResult table_end_tag(TreeBuilder& builder, Token& token) {
  switch (token.name) {
    case known("table"):
      close_table(builder);
      return TokenResult::done;
    case known("body"):
    case known("caption"):
    case known("col"):
    case known("colgroup"):
    case known("html"):
    case known("tbody"):
    case known("td"):
    case known("tfoot"):
    case known("th"):
    case known("thead"):
    case known("tr"):
      return TokenResult::done;
    case known("template"):
      return template_end_tag(builder);
    default:
      return move_out(builder, token);
  }
}

TokenResult table_characters(TreeBuilder& builder, Token& token) {
  const OpenElement& current = builder.open.current();
  const bool is_in_part = current.space == Namespace::html &&
                          (current.has(is_table_part) || current.tag == known("template"));
  if (!is_in_part) return move_out(builder, token);
  builder.table_text.clear();
  builder.return_mode = builder.mode;
  builder.mode = InsertionMode::in_table_text;
  return TokenResult::reprocess;
}

}  // namespace

TokenResult in_table(TreeBuilder& builder, Token& token) {
  switch (token.kind) {
    case TokenKind::text:
    case TokenKind::nulls:
      return table_characters(builder, token);
    case TokenKind::start_tag:
      return table_start_tag(builder, token);
    case TokenKind::end_tag:
      return table_end_tag(builder, token);
    case TokenKind::comment:
      builder.insert_comment(token.text);
      return TokenResult::done;
    case TokenKind::doctype:
      return TokenResult::done;
    case TokenKind::end_of_file:
      break;
  }
  return in_body(builder, token);
}

// Text between the parts of a table stays there only when all of it is white space.
TokenResult in_table_text(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::nulls) return TokenResult::done;
  if (token.kind == TokenKind::text) {
    builder.table_text.push_back(token.text);
    return TokenResult::done;
  }
  bool stays = true;
  for (const std::string_view part : builder.table_text) stays = stays && is_all_space(part);
  for (const std::string_view part : builder.table_text) {
    Token text;
    text.kind = TokenKind::text;
    text.text = part;
    if (stays)
      builder.insert_text(part);
    else
      move_out(builder, text);
  }
  builder.mode = builder.return_mode;
  return TokenResult::reprocess;
}

namespace {

// False when no caption is open here.
bool close_caption(TreeBuilder& builder) {
  if (!builder.open.has_in_scope(known("caption"), ends_table_scope)) return false;
  builder.open.pop_until(known("caption"));
  builder.formatting.clear_to_marker();
  builder.mode = InsertionMode::in_table;
  return true;
}

bool is_table_structure(NameId tag) {
  switch (tag) {
    case known("caption"):
    case known("col"):
    case known("colgroup"):
    case known("tbody"):
    case known("td"):
    case known("tfoot"):
    case known("th"):
    case known("thead"):
    case known("tr"):
      return true;
    default:
      return false;
  }
}

}  // namespace

TokenResult in_caption(TreeBuilder& builder, Token& token) {
  const bool is_end = token.kind == TokenKind::end_tag;
  if (token.is_end(known("caption"))) {
    close_caption(builder);
    return TokenResult::done;
  }
  const bool closes = (token.kind == TokenKind::start_tag && is_table_structure(token.name)) ||
                      token.is_end(known("table"));
  if (closes) return close_caption(builder) ? TokenResult::reprocess : TokenResult::done;
  const bool is_ignored = is_end && (is_table_structure(token.name) ||
                                     token.name == known("body") || token.name == known("html"));
  return is_ignored ? TokenResult::done : in_body(builder, token);
}

namespace {

TokenResult close_column_group(TreeBuilder& builder) {
  if (!builder.open.is_current(known("colgroup"))) return TokenResult::done;
  builder.open.pop();
  builder.mode = InsertionMode::in_table;
  return TokenResult::reprocess;
}

TokenResult column_tag(TreeBuilder& builder, Token& token) {
  const bool is_start = token.kind == TokenKind::start_tag;
  switch (token.name) {
    case known("html"):
      return is_start ? in_body(builder, token) : close_column_group(builder);
    case known("col"):
      if (is_start) builder.insert_void_element(token);
      return TokenResult::done;
    case known("colgroup"): {
      const TokenResult result = close_column_group(builder);
      return is_start ? result : TokenResult::done;
    }
    case known("template"):
      return in_head(builder, token);
    default:
      return close_column_group(builder);
  }
}

}  // namespace

TokenResult in_column_group(TreeBuilder& builder, Token& token) {
  switch (token.kind) {
    case TokenKind::text: {
      const std::string_view space = take_space(token.text);
      if (!space.empty()) builder.insert_text(space);
      return token.text.empty() ? TokenResult::done : close_column_group(builder);
    }
    case TokenKind::comment:
      builder.insert_comment(token.text);
      return TokenResult::done;
    case TokenKind::doctype:
      return TokenResult::done;
    case TokenKind::end_of_file:
      return in_body(builder, token);
    case TokenKind::start_tag:
    case TokenKind::end_tag:
      return column_tag(builder, token);
    case TokenKind::nulls:
      break;
  }
  return close_column_group(builder);
}

}  // namespace heddle::html::parser
