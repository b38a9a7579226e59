// The modes of row groups, rows and cells.
#include "html/parser/tree_builder.hpp"

namespace heddle::html::parser {

namespace {

// The effect of these tags depends on the level at which they occur.
enum class TableTag { none, group, row, cell, outside, table, page };

TableTag table_tag(NameId tag) {
  switch (tag) {
    case known("tbody"):
    case known("tfoot"):
    case known("thead"):
      return TableTag::group;
    case known("tr"):
      return TableTag::row;
    case known("td"):
    case known("th"):
      return TableTag::cell;
    case known("caption"):
    case known("col"):
    case known("colgroup"):
      return TableTag::outside;
    case known("table"):
      return TableTag::table;
    case known("body"):
    case known("html"):
      return TableTag::page;
    default:
      return TableTag::none;
  }
}

void clear_to_group(TreeBuilder& builder) {
  builder.open.pop_back_to_any(is_table_group | ends_table_scope);
}

// Closes the row group, if any; the table then processes the token.
TokenResult close_group(TreeBuilder& builder) {
  if (!builder.open.has_any_in_scope(is_table_group, ends_table_scope)) return TokenResult::done;
  clear_to_group(builder);
  builder.open.pop();
  builder.mode = InsertionMode::in_table;
  return TokenResult::reprocess;
}

TokenResult group_start_tag(TreeBuilder& builder, Token& token) {
  switch (table_tag(token.name)) {
    case TableTag::row:
      clear_to_group(builder);
      builder.insert_element(token);
      builder.mode = InsertionMode::in_row;
      return TokenResult::done;
    case TableTag::cell:
      clear_to_group(builder);
      builder.insert_element(known("tr"));
      builder.mode = InsertionMode::in_row;
      return TokenResult::reprocess;
    case TableTag::group:
    case TableTag::outside:
      return close_group(builder);
    default:
      return in_table(builder, token);
  }
}

}  // namespace

TokenResult in_table_body(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::start_tag) return group_start_tag(builder, token);
  if (token.kind != TokenKind::end_tag) return in_table(builder, token);
  switch (table_tag(token.name)) {
    case TableTag::group:
      if (builder.open.has_in_scope(token.name, ends_table_scope)) close_group(builder);
      return TokenResult::done;
    case TableTag::table:
      return close_group(builder);
    case TableTag::row:
    case TableTag::cell:
    case TableTag::outside:
    case TableTag::page:
      return TokenResult::done;
    case TableTag::none:
      break;
  }
  return in_table(builder, token);
}

namespace {

void clear_to_row(TreeBuilder& builder) {
  while (!builder.open.is_current(known("tr")) && !builder.open.is_current(known("template")) &&
         builder.open.size() > 1)
    builder.open.pop();
}

TokenResult close_row(TreeBuilder& builder) {
  if (!builder.open.has_in_scope(known("tr"), ends_table_scope)) return TokenResult::done;
  clear_to_row(builder);
  builder.open.pop();
  builder.mode = InsertionMode::in_table_body;
  return TokenResult::reprocess;
}

TokenResult row_start_tag(TreeBuilder& builder, Token& token) {
  switch (table_tag(token.name)) {
    case TableTag::cell:
      clear_to_row(builder);
      builder.insert_element(token);
      builder.mode = InsertionMode::in_cell;
      builder.formatting.push_marker();
      return TokenResult::done;
    case TableTag::row:
    case TableTag::group:
    case TableTag::outside:
      return close_row(builder);
    default:
      return in_table(builder, token);
  }
}

}  // namespace

TokenResult in_row(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::start_tag) return row_start_tag(builder, token);
  if (token.kind != TokenKind::end_tag) return in_table(builder, token);
  switch (table_tag(token.name)) {
    case TableTag::row:
      close_row(builder);
      return TokenResult::done;
    case TableTag::table:
      return close_row(builder);
    case TableTag::group:
      if (!builder.open.has_in_scope(token.name, ends_table_scope)) return TokenResult::done;
      return close_row(builder);
    case TableTag::cell:
    case TableTag::outside:
    case TableTag::page:
      return TokenResult::done;
    case TableTag::none:
      break;
  }
  return in_table(builder, token);
}

namespace {

TokenResult close_cell(TreeBuilder& builder) {
  builder.open.pop_until_any(is_cell);
  builder.formatting.clear_to_marker();
  builder.mode = InsertionMode::in_row;
  return TokenResult::reprocess;
}

TokenResult cell_end_tag(TreeBuilder& builder, Token& token) {
  switch (table_tag(token.name)) {
    case TableTag::cell:
      if (!builder.open.has_in_scope(token.name, ends_table_scope)) return TokenResult::done;
      builder.open.pop_until(token.name);
      builder.formatting.clear_to_marker();
      builder.mode = InsertionMode::in_row;
      return TokenResult::done;
    case TableTag::outside:
    case TableTag::page:
      return TokenResult::done;
    case TableTag::table:
    case TableTag::group:
    case TableTag::row:
      if (!builder.open.has_in_scope(token.name, ends_table_scope)) return TokenResult::done;
      return close_cell(builder);
    case TableTag::none:
      break;
  }
  return in_body(builder, token);
}

}  // namespace

TokenResult in_cell(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::end_tag) return cell_end_tag(builder, token);
  if (token.kind != TokenKind::start_tag) return in_body(builder, token);
  switch (table_tag(token.name)) {
    case TableTag::cell:
    case TableTag::row:
    case TableTag::group:
    case TableTag::outside:
      if (!builder.open.has_any_in_scope(is_cell, ends_table_scope)) return TokenResult::done;
      return close_cell(builder);
    default:
      return in_body(builder, token);
  }
}

}  // namespace heddle::html::parser
