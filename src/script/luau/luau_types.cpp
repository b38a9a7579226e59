// The types of Luau, which are removed. Whatever is accepted here beyond Luau is removed as well.
#include "script/luau/luau_translator.hpp"

namespace heddle::script {

void LuauTranslator::annotation() {
  if (!cursor_.is(":")) return;
  cursor_.note_luau();
  const std::size_t first = cursor_.at();
  cursor_.advance();
  type_or_pack();
  erase_from(first);
}

// "T", "...T" or "T...".
void LuauTranslator::type_or_pack() {
  if (cursor_.accept("...")) return type();
  if (cursor_.is_name() && cursor_.is("...", 1)) {
    cursor_.advance();
    return cursor_.advance();
  }
  type();
}

void LuauTranslator::type() {
  const Level level(*this);
  if (!cursor_.accept("|")) cursor_.accept("&");
  simple_type();
  for (;;) {
    if (cursor_.accept("?")) continue;
    if (!cursor_.accept("|") && !cursor_.accept("&")) return;
    simple_type();
  }
}

void LuauTranslator::simple_type() {
  if (cursor_.is("{")) return table_type();
  if (cursor_.is("(") || cursor_.is("<")) return function_or_group_type();
  const bool is_constant = cursor_.is("nil") || cursor_.is("true") || cursor_.is("false") ||
                           cursor_.kind() == LuauTokenKind::string;
  if (is_constant) return cursor_.advance();
  if (cursor_.is_name("typeof") && cursor_.is("(", 1)) {
    cursor_.advance();
    const std::size_t opening = cursor_.at();
    cursor_.advance();
    expression();
    return cursor_.expect_closing(")", opening);
  }
  if (!cursor_.is_name()) return cursor_.fail_near("type expected");
  cursor_.advance();
  if (cursor_.accept(".")) cursor_.expect_name();
  if (cursor_.is("<")) type_arguments();
}

// "(T)", "(T, U)" and "(name: T, ...U) -> R".
void LuauTranslator::function_or_group_type() {
  if (cursor_.is("<")) generic_names();
  const std::size_t opening = cursor_.at();
  cursor_.expect("(");
  while (!cursor_.has_failed() && !cursor_.is(")")) {
    if (cursor_.is_name() && cursor_.is(":", 1)) {
      cursor_.advance();
      cursor_.advance();
    }
    type_or_pack();
    if (!cursor_.accept(",")) break;
  }
  cursor_.expect_closing(")", opening);
  if (cursor_.accept("->")) type_or_pack();
}

void LuauTranslator::table_type() {
  const std::size_t opening = cursor_.at();
  cursor_.advance();
  while (!cursor_.has_failed() && !cursor_.is("}")) {
    table_type_entry();
    if (!cursor_.accept(",") && !cursor_.accept(";")) break;
  }
  cursor_.expect_closing("}", opening);
}

void LuauTranslator::table_type_entry() {
  const bool is_access = cursor_.is_name("read") || cursor_.is_name("write");
  if (is_access && (cursor_.is_name(1) || cursor_.is("[", 1))) cursor_.advance();
  if (cursor_.is("[")) {
    const std::size_t opening = cursor_.at();
    cursor_.advance();
    type();
    cursor_.expect_closing("]", opening);
    cursor_.expect(":");
  } else if (cursor_.is_name() && cursor_.is(":", 1)) {
    cursor_.advance();
    cursor_.advance();
  }
  type();
}

// "<T, U = string, V...>".
void LuauTranslator::generic_names() {
  const std::size_t opening = cursor_.at();
  cursor_.expect("<");
  while (!cursor_.has_failed() && !cursor_.is(">")) {
    cursor_.expect_name();
    cursor_.accept("...");
    if (cursor_.accept("=")) type_or_pack();
    if (!cursor_.accept(",")) break;
  }
  cursor_.expect_closing(">", opening);
}

void LuauTranslator::type_arguments() {
  const std::size_t opening = cursor_.at();
  cursor_.expect("<");
  while (!cursor_.has_failed() && !cursor_.is(">")) {
    type_or_pack();
    if (!cursor_.accept(",")) break;
  }
  cursor_.expect_closing(">", opening);
}

}  // namespace heddle::script
