#include "script/luau/luau_cursor.hpp"

#include <fmt/format.h>

namespace heddle::script {
namespace {

constexpr std::size_t kMaxShown = 40;

bool is_inside_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

}  // namespace

bool LuauCursor::is(std::string_view word, std::size_t ahead) const {
  const LuauTokenKind found = kind(ahead);
  return (found == LuauTokenKind::keyword || found == LuauTokenKind::symbol) &&
         text(find(ahead)) == word;
}

bool LuauCursor::accept(std::string_view word) {
  if (!is(word)) return false;
  advance();
  return true;
}

void LuauCursor::expect(std::string_view word) {
  if (!accept(word)) fail_near(fmt::format("'{}' expected", word));
}

void LuauCursor::expect_closing(std::string_view word, std::size_t opening) {
  if (accept(word)) return;
  const std::size_t line = tokens_[opening].line;
  if (line == tokens_[at_].line) return fail_near(fmt::format("'{}' expected", word));
  fail_near(fmt::format("'{}' expected (to close '{}' at line {})", word, text(opening), line));
}

void LuauCursor::expect_name() {
  if (!is_name()) return fail_near("<name> expected");
  advance();
}

void LuauCursor::fail_near(const std::string& message) {
  if (is_at_end()) return fail(message + " near <eof>");
  const std::string_view found = text(at_);
  if (found.size() <= kMaxShown) return fail(fmt::format("{} near '{}'", message, found));
  std::size_t shown = kMaxShown;
  while (shown > 0 && is_inside_character(found[shown])) --shown;
  fail(fmt::format("{} near '{}…'", message, found.substr(0, shown)));
}

void LuauCursor::fail_at(std::size_t token, std::string message, bool is_certain) {
  if (!problem_)
    problem_ = LuauProblem{tokens_[token].line, std::move(message), is_certain || has_luau_};
  at_ = tokens_.size() - 1;
}

}  // namespace heddle::script
