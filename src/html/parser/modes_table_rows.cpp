// Row groups, rows and cells.
#include "html/parser/tree_builder.hpp"

namespace heddle::html::parser {

namespace {

// What each of these tags does depends on the level it is met at.
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

// Leaves the row group, if there is one; the token then belongs to the table.
Step leave_group(TreeBuilder& builder) {
  if (!builder.open.has_any_in_scope(is_table_group, ends_table_scope)) return Step::done;
  clear_to_group(builder);
  builder.open.pop();
  builder.mode = Mode::in_table;
  return Step::again;
}

Step group_start_tag(TreeBuilder& builder, Token& token) {
  switch (table_tag(token.name)) {
    case TableTag::row:
      clear_to_group(builder);
      builder.insert_element(token);
      builder.mode = Mode::in_row;
      return Step::done;
    case TableTag::cell:
      clear_to_group(builder);
      builder.insert_element(known("tr"));
      builder.mode = Mode::in_row;
      return Step::again;
    case TableTag::group:
    case TableTag::outside:
      return leave_group(builder);
    default:
      return in_table(builder, token);
  }
}

}  // namespace

Step in_table_body(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::start_tag) return group_start_tag(builder, token);
  if (token.kind != TokenKind::end_tag) return in_table(builder, token);
  switch (table_tag(token.name)) {
    case TableTag::group:
      if (builder.open.has_in_scope(token.name, ends_table_scope)) leave_group(builder);
      return Step::done;
    case TableTag::table:
      return leave_group(builder);
    case TableTag::row:
    case TableTag::cell:
    case TableTag::outside:
    case TableTag::page:
      return Step::done;
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

Step leave_row(TreeBuilder& builder) {
  if (!builder.open.has_in_scope(known("tr"), ends_table_scope)) return Step::done;
  clear_to_row(builder);
  builder.open.pop();
  builder.mode = Mode::in_table_body;
  return Step::again;
}

Step row_start_tag(TreeBuilder& builder, Token& token) {
  switch (table_tag(token.name)) {
    case TableTag::cell:
      clear_to_row(builder);
      builder.insert_element(token);
      builder.mode = Mode::in_cell;
      builder.formatting.push_marker();
      return Step::done;
    case TableTag::row:
    case TableTag::group:
    case TableTag::outside:
      return leave_row(builder);
    default:
      return in_table(builder, token);
  }
}

}  // namespace

Step in_row(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::start_tag) return row_start_tag(builder, token);
  if (token.kind != TokenKind::end_tag) return in_table(builder, token);
  switch (table_tag(token.name)) {
    case TableTag::row:
      leave_row(builder);
      return Step::done;
    case TableTag::table:
      return leave_row(builder);
    case TableTag::group:
      if (!builder.open.has_in_scope(token.name, ends_table_scope)) return Step::done;
      return leave_row(builder);
    case TableTag::cell:
    case TableTag::outside:
    case TableTag::page:
      return Step::done;
    case TableTag::none:
      break;
  }
  return in_table(builder, token);
}

namespace {

Step leave_cell(TreeBuilder& builder) {
  builder.open.pop_until_any(is_cell);
  builder.formatting.clear_to_marker();
  builder.mode = Mode::in_row;
  return Step::again;
}

Step cell_end_tag(TreeBuilder& builder, Token& token) {
  switch (table_tag(token.name)) {
    case TableTag::cell:
      if (!builder.open.has_in_scope(token.name, ends_table_scope)) return Step::done;
      builder.open.pop_until(token.name);
      builder.formatting.clear_to_marker();
      builder.mode = Mode::in_row;
      return Step::done;
    case TableTag::outside:
    case TableTag::page:
      return Step::done;
    case TableTag::table:
    case TableTag::group:
    case TableTag::row:
      if (!builder.open.has_in_scope(token.name, ends_table_scope)) return Step::done;
      return leave_cell(builder);
    case TableTag::none:
      break;
  }
  return in_body(builder, token);
}

}  // namespace

Step in_cell(TreeBuilder& builder, Token& token) {
  if (token.kind == TokenKind::end_tag) return cell_end_tag(builder, token);
  if (token.kind != TokenKind::start_tag) return in_body(builder, token);
  switch (table_tag(token.name)) {
    case TableTag::cell:
    case TableTag::row:
    case TableTag::group:
    case TableTag::outside:
      if (!builder.open.has_any_in_scope(is_cell, ends_table_scope)) return Step::done;
      return leave_cell(builder);
    default:
      return in_body(builder, token);
  }
}

}  // namespace heddle::html::parser
