// Expressions: casts, if-expressions, strings with backticks and numbers.
#include <array>

#include "script/luau/luau_literals.hpp"
#include "script/luau/luau_translator.hpp"

namespace heddle::script {
namespace {

constexpr std::array<std::string_view, 17> kBinaryOperators{
    "and", "or", "+", "-", "*", "/", "//", "%", "^", "..", "==", "~=", "<=", ">=", "&", "|", "~"};
constexpr std::array<std::string_view, 4> kUnaryOperators{"not", "-", "#", "~"};

}  // namespace

void LuauTranslator::expressions() {
  do expression();
  while (cursor_.accept(","));
}

// Which operand belongs to which operator does not matter: what is translated is one operand, or
// extends as far as it can.
LuauTranslator::Expression LuauTranslator::expression() {
  const Level level(*this);
  const std::size_t first = cursor_.at();
  Expression found = signed_operand();
  while (accept_binary_operator()) {
    signed_operand();
    found = {};
  }
  found.first = first;
  return found;
}

bool LuauTranslator::accept_binary_operator() {
  for (const std::string_view shift : {"<", ">"}) {
    if (!cursor_.is(shift)) continue;
    cursor_.advance();
    if (cursor_.is(shift) && cursor_.touches_previous()) cursor_.advance();
    return true;
  }
  for (const std::string_view op : kBinaryOperators)
    if (cursor_.accept(op)) return true;
  return false;
}

LuauTranslator::Expression LuauTranslator::signed_operand() {
  bool has_sign = false;
  const auto accept_sign = [this] {
    for (const std::string_view op : kUnaryOperators)
      if (cursor_.accept(op)) return true;
    return false;
  };
  while (accept_sign()) has_sign = true;
  const Expression found = cast_operand();
  return has_sign ? Expression{} : found;
}

// "value :: type" is one value. A label after an expression belongs to Lua.
LuauTranslator::Expression LuauTranslator::cast_operand() {
  const std::size_t first = cursor_.at();
  Expression found = operand();
  if (!cursor_.is("::") || (cursor_.is_name(1) && cursor_.is("::", 2))) return found;
  const std::size_t last = cursor_.last();
  const std::size_t cast = cursor_.at();
  cursor_.note_luau();
  cursor_.advance();
  type();
  erase_from(cast);
  if (cursor_.has_failed() || !found.may_have_many_values) return found;
  edits_.put_before(first, "(");
  edits_.put_after(last, ")");
  found.may_have_many_values = false;
  return found;
}

LuauTranslator::Expression LuauTranslator::operand() {
  Expression constant;
  constant.is_true_constant = true;
  switch (cursor_.kind()) {
    case LuauTokenKind::number:
      number();
      return constant;
    case LuauTokenKind::string:
      cursor_.advance();
      return constant;
    case LuauTokenKind::interpolated:
    case LuauTokenKind::interpolated_begin:
      interpolated_string();
      return constant;
    default:
      break;
  }
  if (cursor_.accept("true")) return constant;
  if (cursor_.accept("nil") || cursor_.accept("false")) return {};
  Expression found;
  if (cursor_.accept("...")) {
    found.may_have_many_values = true;
  } else if (cursor_.is("{")) {
    table_constructor();
    return constant;
  } else if (cursor_.is("function")) {
    const std::size_t opening = cursor_.at();
    cursor_.advance();
    function_body(opening);
    return constant;
  } else if (cursor_.is("if")) {
    if_expression();
  } else {
    found.may_have_many_values = suffixed_expression().form == Target::Form::call;
  }
  return found;
}

void LuauTranslator::number() {
  const std::size_t token = cursor_.at();
  const std::string_view text = cursor_.text(token);
  cursor_.advance();
  if (!is_luau_number(text)) return;
  cursor_.note_luau();
  const auto translated = translate_number(text);
  if (!translated)
    return cursor_.fail_at(token, "malformed number near '" + std::string(text) + "'", false);
  edits_.replace(token, *translated + " ");  // ".." may follow
}

// `text {value}` becomes ("text %s"):format((value)). What format() does is what Luau calls, too.
void LuauTranslator::interpolated_string() {
  cursor_.note_luau();
  const std::size_t first = cursor_.at();
  const bool has_values = cursor_.kind() == LuauTokenKind::interpolated_begin;
  std::string format;
  append_format(format, has_values);
  while (has_values && !cursor_.has_failed()) {
    format += "%s";
    expression();
    const bool is_last = cursor_.kind() == LuauTokenKind::interpolated_end;
    if (!is_last && cursor_.kind() != LuauTokenKind::interpolated_middle)
      return cursor_.fail_near("'}' expected");
    edits_.replace(cursor_.at(), is_last ? "))" : "),(");
    append_format(format, true);
    if (is_last) break;
  }
  const std::string quoted = quote_for_lua(format);
  edits_.replace(first, has_values ? "(" + quoted + "):format((" : quoted);
}

// Reads the token here, which begins and ends with a backtick or brace.
void LuauTranslator::append_format(std::string& format, bool has_values) {
  const std::size_t token = cursor_.at();
  const std::string_view text = cursor_.text(token);
  const auto bytes = read_interpolated_text(text.substr(1, text.size() - 2));
  if (!bytes)
    return cursor_.fail_at(token, "invalid escape sequence in a string with backticks", true);
  for (const char c : *bytes) {
    if (c == '%' && has_values) format += c;
    format += c;
  }
  cursor_.advance();
}

// "if a then b else c" becomes ((a) and (b) or (c)) when b is a constant that counts as true, else
// ((a) and {b} or {c})[1]. Either is one value.
void LuauTranslator::if_expression() {
  struct Word {
    std::size_t token;
    std::string_view plain;
    std::string_view in_table;
  };
  cursor_.note_luau();
  std::vector<Word> words{{cursor_.at(), "((", "(("}};
  bool is_plain = true;
  const auto read_word = [&](std::string_view word, std::string_view plain,
                             std::string_view in_table) {
    words.push_back({cursor_.at(), plain, in_table});
    cursor_.expect(word);
  };
  cursor_.advance();
  for (;;) {
    expression();
    read_word("then", ") and (", ") and {");
    is_plain = expression().is_true_constant && is_plain;
    if (cursor_.has_failed() || !cursor_.is("elseif")) break;
    read_word("elseif", ") or (", "} or (");
  }
  read_word("else", ") or (", "} or {");
  expression();
  if (cursor_.has_failed()) return;
  for (const Word& word : words)
    edits_.replace(word.token, std::string(is_plain ? word.plain : word.in_table));
  edits_.put_after(cursor_.last(), is_plain ? "))" : "})[1]");
}

void LuauTranslator::table_constructor() {
  const std::size_t opening = cursor_.at();
  cursor_.expect("{");
  while (!cursor_.has_failed() && !cursor_.is("}")) {
    if (cursor_.is("[")) {
      const std::size_t bracket = cursor_.at();
      cursor_.advance();
      expression();
      cursor_.expect_closing("]", bracket);
      cursor_.expect("=");
    } else if (cursor_.is_name() && cursor_.is("=", 1)) {
      cursor_.advance();
      cursor_.advance();
    }
    expression();
    if (!cursor_.accept(",") && !cursor_.accept(";")) break;
  }
  cursor_.expect_closing("}", opening);
}

LuauTranslator::Target LuauTranslator::suffixed_expression() {
  Target target;
  target.first = cursor_.at();
  if (cursor_.is_name()) {
    target.form = Target::Form::name;
    cursor_.advance();
  } else if (cursor_.accept("(")) {
    expression();
    cursor_.expect_closing(")", target.first);
  } else {
    cursor_.fail_near("unexpected symbol");
  }
  while (suffix(target)) {
  }
  return target;
}

// One suffix; false when there is none.
bool LuauTranslator::suffix(Target& target) {
  const bool has_backticks = cursor_.kind() == LuauTokenKind::interpolated ||
                             cursor_.kind() == LuauTokenKind::interpolated_begin;
  if (has_backticks)
    cursor_.fail_at(cursor_.at(), "a call with a string in backticks needs parentheses", true);
  if (cursor_.is(".")) {
    target.form = Target::Form::field;
    target.suffix = cursor_.at();
    cursor_.advance();
    cursor_.expect_name();
  } else if (cursor_.is("[")) {
    target.form = Target::Form::index;
    target.suffix = cursor_.at();
    cursor_.advance();
    expression();
    target.key_last = cursor_.last();
    cursor_.expect_closing("]", target.suffix);
  } else if (cursor_.accept(":")) {
    target.form = Target::Form::call;
    cursor_.expect_name();
    arguments();
  } else if (cursor_.is("(") || cursor_.is("{") || cursor_.kind() == LuauTokenKind::string) {
    target.form = Target::Form::call;
    arguments();
  } else {
    return false;
  }
  return true;
}

void LuauTranslator::arguments() {
  if (cursor_.is("{")) return table_constructor();
  if (cursor_.kind() == LuauTokenKind::string) return cursor_.advance();
  const std::size_t opening = cursor_.at();
  cursor_.expect("(");
  if (!cursor_.is(")") && !cursor_.has_failed()) expressions();
  cursor_.expect_closing(")", opening);
}

}  // namespace heddle::script
