// Compound assignments: "a.b[f()] += 1" evaluates a.b and f() once.
#include <array>

#include "script/luau/luau_translator.hpp"

namespace heddle::script {
namespace {

constexpr std::array<std::string_view, 8> kCompoundOperators{
    "+=", "-=", "*=", "/=", "//=", "%=", "^=", "..="};

}  // namespace

bool LuauTranslator::is_compound_operator() const {
  for (const std::string_view op : kCompoundOperators)
    if (cursor_.is(op)) return true;
  return false;
}

void LuauTranslator::compound_assignment(const Target& target) {
  const std::size_t op = cursor_.at();
  cursor_.note_luau();
  cursor_.advance();
  const bool is_variable = target.form == Target::Form::name ||
                           target.form == Target::Form::field || target.form == Target::Form::index;
  if (!is_variable)
    return cursor_.fail_at(op, "only a variable or a field can be assigned to", true);
  expression();
  if (cursor_.has_failed()) return;
  if (target.form == Target::Form::name) return assign_to_name(target, op);
  if (target.form == Target::Form::field) return assign_to_field(target, op);
  assign_to_index(target, op);
}

// "x += value" becomes "x = x + (value)".
void LuauTranslator::assign_to_name(const Target& target, std::size_t op) {
  const std::string name(cursor_.text(target.first));
  std::string plain(cursor_.text(op));
  plain.pop_back();
  edits_.replace(op, " = " + name + " " + plain + " (");
  edits_.put_after(cursor_.last(), ")");
}

// "a.b.c += value" becomes "do local b = a.b  b.c = b.c + (value) end".
void LuauTranslator::assign_to_field(const Target& target, std::size_t op) {
  const TargetNames names = names_for(target, op);
  const std::string field = names.table + "." + std::string(cursor_.text(target.suffix + 1));
  std::string plain(cursor_.text(op));
  plain.pop_back();
  edits_.erase(target.suffix, target.suffix + 1);
  edits_.put_before(target.first, " do local " + names.table + " = ");
  edits_.replace(op, " " + field + " = " + field + " " + plain + " (");
  edits_.put_after(cursor_.last(), ") end ");
}

// "t[f()] += value" becomes "do local t, key = t, (f())  t[key] = t[key] + (value) end".
void LuauTranslator::assign_to_index(const Target& target, std::size_t op) {
  const TargetNames names = names_for(target, op);
  const std::string element = names.table + "[ " + names.key + " ]";
  std::string plain(cursor_.text(op));
  plain.pop_back();
  if (names.has_key_variable) {
    edits_.put_before(target.first, " do local " + names.table + ", " + names.key + " = ");
    edits_.replace(target.suffix, ", (");
    edits_.replace(target.key_last + 1, ") ");
  } else {
    edits_.put_before(target.first, " do local " + names.table + " = ");
    edits_.erase(target.suffix, target.key_last + 1);
  }
  edits_.replace(op, " " + element + " = " + element + " " + plain + " (");
  edits_.put_after(cursor_.last(), ") end ");
}

// The names of the script where possible, because error messages show them.
LuauTranslator::TargetNames LuauTranslator::names_for(const Target& target, std::size_t op) {
  TargetNames names;
  const std::size_t base = target.suffix - 1;
  const bool is_named = base == target.first || cursor_.text(base - 1) == ".";
  names.table =
      is_named && can_shadow(base, op) ? std::string(cursor_.text(base)) : unused_name("target");
  if (target.form != Target::Form::index) return names;
  const std::size_t key = target.suffix + 1;
  names.has_key_variable = !is_plain_key(target);
  const bool can_keep_name =
      key == target.key_last && can_shadow(key, op) && cursor_.text(key) != names.table;
  const bool keeps_text = can_keep_name || !names.has_key_variable;
  names.key = keeps_text ? std::string(cursor_.text(key)) : unused_name("key");
  return names;
}

// Whether a local variable of this name around the value changes nothing in it.
bool LuauTranslator::can_shadow(std::size_t name, std::size_t op) const {
  const std::string_view text = cursor_.text(name);
  if (tokens_[name].kind != LuauTokenKind::name || text == "_ENV") return false;
  for (std::size_t token = op + 1; token <= cursor_.last(); ++token)
    if (cursor_.text(token) == text || cursor_.text(token) == "function") return false;
  return true;
}

// A number or short string, which can be written twice.
bool LuauTranslator::is_plain_key(const Target& target) const {
  constexpr std::size_t kMaxPlain = 64;
  const std::size_t key = target.suffix + 1;
  if (key != target.key_last || edits_.has(key)) return false;
  const std::string_view text = cursor_.text(key);
  const bool is_constant =
      tokens_[key].kind == LuauTokenKind::number || tokens_[key].kind == LuauTokenKind::string;
  return is_constant && text.size() <= kMaxPlain &&
         text.find_first_of("\r\n") == std::string_view::npos;
}

}  // namespace heddle::script
