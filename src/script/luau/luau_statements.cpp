// Statements: blocks, loops with continue, local variables and functions, type declarations.
#include <utility>

#include "script/luau/luau_translator.hpp"

namespace heddle::script {
namespace {

// Lua's own limit.
constexpr std::size_t kMaxDepth = 200;

}  // namespace

LuauTranslator::Level::Level(LuauTranslator& translator) : translator_(translator) {
  if (++translator.depth_ <= kMaxDepth) return;
  LuauCursor& cursor = translator.cursor_;
  if (!cursor.has_failed()) cursor.fail_at(cursor.at(), "too many nested blocks or values", true);
}

LuauTranslation LuauTranslator::run() {
  block();
  if (!cursor_.is_at_end()) cursor_.fail_near("<eof> expected");
  LuauTranslation translation;
  translation.problem = cursor_.problem();
  if (translation.problem) return translation;
  translation.is_changed = !edits_.empty();
  translation.text = edits_.apply();
  return translation;
}

bool LuauTranslator::ends_block() const {
  return cursor_.is_at_end() || cursor_.is("end") || cursor_.is("else") || cursor_.is("elseif") ||
         cursor_.is("until");
}

void LuauTranslator::block() {
  const std::size_t declared = declared_.size();
  for (bool is_first = true; !ends_block(); is_first = false) next_statement(is_first);
  declared_.resize(declared);
}

// Lua would take a "(" after what now ends the statement before it as a call.
void LuauTranslator::next_statement(bool is_first) {
  if (!is_first && cursor_.is("(") && edits_.has(cursor_.last()))
    edits_.put_after(cursor_.last(), ";");
  statement();
}

void LuauTranslator::statement() {
  const Level level(*this);
  if (cursor_.has_failed() || cursor_.accept(";")) return;
  if (cursor_.is("::")) return label_statement();
  if (cursor_.is("@"))
    return cursor_.fail_at(cursor_.at(),
                           "Luau's attributes (@name) are not supported: leave them out", true);
  if (!keyword_statement()) expression_statement();
}

// False when no keyword begins the statement.
bool LuauTranslator::keyword_statement() {
  const std::size_t opening = cursor_.at();
  if (cursor_.is("if")) {
    if_statement();
  } else if (cursor_.is("for")) {
    for_statement();
  } else if (cursor_.is("repeat")) {
    repeat_statement();
  } else if (cursor_.is("function")) {
    function_statement();
  } else if (cursor_.is("local")) {
    local_statement();
  } else if (cursor_.is("return")) {
    return_statement();
  } else if (cursor_.accept("while")) {
    expression();
    loop_body(opening);
  } else if (cursor_.accept("do")) {
    block();
    cursor_.expect_closing("end", opening);
  } else if (cursor_.accept("goto")) {
    cursor_.expect_name();
  } else {
    return cursor_.accept("break");
  }
  return true;
}

void LuauTranslator::if_statement() {
  const std::size_t opening = cursor_.at();
  do {
    cursor_.advance();
    expression();
    cursor_.expect("then");
    block();
  } while (cursor_.is("elseif"));
  if (cursor_.accept("else")) block();
  cursor_.expect_closing("end", opening);
}

void LuauTranslator::for_statement() {
  const std::size_t opening = cursor_.at();
  do {
    cursor_.advance();
    cursor_.expect_name();
    annotation();
  } while (cursor_.is(","));
  if (!cursor_.accept("=")) cursor_.expect("in");
  expressions();
  loop_body(opening);
}

// "do … end" around the block lets it end with return, and keeps its variables out of sight of the
// label.
void LuauTranslator::loop_body(std::size_t opening) {
  const std::size_t begin = cursor_.at();
  cursor_.expect("do");
  Loop loop;
  Loop* const outer = std::exchange(loop_, &loop);
  block();
  loop_ = outer;
  const std::size_t end = cursor_.at();
  cursor_.expect_closing("end", opening);
  if (!loop.has_continue || cursor_.has_failed()) return;
  edits_.put_after(begin, " do ");
  edits_.put_before(end, " end ::" + continue_label() + ":: ");
}

// The condition sees the variables of the block up to the statement with the first continue; those
// behind it are enclosed.
void LuauTranslator::repeat_statement() {
  const std::size_t opening = cursor_.at();
  cursor_.advance();
  Loop loop;
  Loop* const outer = std::exchange(loop_, &loop);
  const std::size_t declared = declared_.size();
  std::size_t wrapped = 0;
  for (bool is_first = true; !ends_block(); is_first = false) {
    const std::size_t first = cursor_.at();
    next_statement(is_first);
    if (loop.has_continue && wrapped == 0) wrapped = first;
  }
  loop_ = outer;
  const std::size_t end = cursor_.at();
  cursor_.expect_closing("until", opening);
  expression();
  if (loop.has_continue && !cursor_.has_failed()) {
    check_condition(end, wrapped, declared);
    edits_.put_before(wrapped, " do ");
    edits_.put_before(end, " end ::" + continue_label() + ":: ");
  }
  declared_.resize(declared);
}

void LuauTranslator::check_condition(std::size_t condition, std::size_t wrapped,
                                     std::size_t declared) {
  std::unordered_set<std::string_view> skipped;
  for (std::size_t i = declared; i < declared_.size(); ++i)
    if (declared_[i] > wrapped) skipped.insert(cursor_.text(declared_[i]));
  const std::size_t last = cursor_.last();
  for (std::size_t token = condition + 1; token <= last; ++token) {
    const std::string_view before = cursor_.text(token - 1);
    const bool is_variable =
        tokens_[token].kind == LuauTokenKind::name && before != "." && before != ":";
    if (!is_variable || !skipped.contains(cursor_.text(token))) continue;
    return cursor_.fail_at(token,
                           "the condition of 'until' uses the variable '" +
                               std::string(cursor_.text(token)) +
                               "', which a 'continue' of the loop jumps over: declare it before",
                           true);
  }
}

void LuauTranslator::function_statement() {
  const std::size_t opening = cursor_.at();
  cursor_.advance();
  cursor_.expect_name();
  while (cursor_.accept(".")) cursor_.expect_name();
  if (cursor_.accept(":")) cursor_.expect_name();
  function_body(opening);
}

// From the "(" or "<" to "end".
void LuauTranslator::function_body(std::size_t opening) {
  if (cursor_.is("<")) {
    cursor_.note_luau();
    const std::size_t first = cursor_.at();
    generic_names();
    erase_from(first);
  }
  parameters();
  annotation();
  Loop* const outer = std::exchange(loop_, nullptr);
  block();
  loop_ = outer;
  cursor_.expect_closing("end", opening);
}

void LuauTranslator::parameters() {
  const std::size_t opening = cursor_.at();
  cursor_.expect("(");
  while (!cursor_.has_failed() && !cursor_.is(")")) {
    if (!cursor_.accept("...")) cursor_.expect_name();
    annotation();
    if (!cursor_.accept(",")) break;
  }
  cursor_.expect_closing(")", opening);
}

void LuauTranslator::local_statement() {
  cursor_.advance();
  const std::size_t opening = cursor_.at();
  if (cursor_.accept("function")) {
    declared_.push_back(cursor_.at());
    cursor_.expect_name();
    return function_body(opening);
  }
  do local_variable();
  while (cursor_.accept(","));
  if (cursor_.accept("=")) expressions();
}

void LuauTranslator::local_variable() {
  declared_.push_back(cursor_.at());
  cursor_.expect_name();
  if (cursor_.accept("<")) {  // an attribute of Lua
    cursor_.expect_name();
    cursor_.expect(">");
  }
  annotation();
}

void LuauTranslator::return_statement() {
  cursor_.advance();
  if (!ends_block() && !cursor_.is(";")) expressions();
  cursor_.accept(";");
  if (!ends_block()) cursor_.fail_near("<eof> expected");
}

void LuauTranslator::label_statement() {
  cursor_.advance();
  cursor_.expect_name();
  cursor_.expect("::");
}

void LuauTranslator::expression_statement() {
  const Target target = suffixed_expression();
  if (is_compound_operator()) return compound_assignment(target);
  if (cursor_.is("=") || cursor_.is(",")) {
    while (cursor_.accept(",")) suffixed_expression();
    cursor_.expect("=");
    return expressions();
  }
  if (target.form == Target::Form::call) return;
  const bool is_word = target.form == Target::Form::name && !cursor_.has_failed();
  const std::string_view word = is_word ? cursor_.text(target.first) : std::string_view();
  if (word == "continue") return continue_statement(target.first);
  if (word == "type" && (cursor_.is_name() || cursor_.is("function")))
    return type_statement(target.first);
  if (word == "export" && cursor_.is_name("type")) {
    cursor_.advance();
    return type_statement(target.first);
  }
  cursor_.fail_near("syntax error");
}

void LuauTranslator::continue_statement(std::size_t first) {
  if (loop_ == nullptr) return cursor_.fail_at(first, "'continue' is not inside a loop", true);
  cursor_.note_luau();
  loop_->has_continue = true;
  edits_.replace(first, "goto " + continue_label());
  cursor_.accept(";");
  if (!ends_block())
    cursor_.fail_at(cursor_.at(), "'continue' must be the last statement of its block", true);
}

// "type" has been read.
void LuauTranslator::type_statement(std::size_t first) {
  cursor_.note_luau();
  if (cursor_.is("function"))
    return cursor_.fail_at(first, "Luau's type functions are not supported: leave them out", true);
  cursor_.expect_name();
  if (cursor_.is("<")) generic_names();
  cursor_.expect("=");
  type();
  erase_from(first);
}

void LuauTranslator::erase_from(std::size_t first) {
  if (!cursor_.has_failed()) edits_.erase(first, cursor_.last());
}

std::string LuauTranslator::unused_name(const std::string& stem) {
  if (names_.empty())
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (tokens_[i].kind == LuauTokenKind::name) names_.insert(cursor_.text(i));
  std::string name = stem;
  for (std::size_t number = 1; names_.contains(name); ++number)
    name = stem + "_" + std::to_string(number);
  return name;
}

const std::string& LuauTranslator::continue_label() {
  if (label_.empty()) label_ = unused_name("next_round");
  return label_;
}

LuauTranslation translate_luau(std::string_view text) {
  constexpr std::size_t kMaxBytes = 262'144;  // as for load()
  LuauTranslation refused;
  if (text.size() > kMaxBytes) {
    refused.problem =
        LuauProblem{1, "the syntax of Luau is translated in files up to 256 KB", false};
    return refused;
  }
  LuauTokens lexed = lex_luau(text);
  LuauTranslator translator(text, lexed.tokens);
  LuauTranslation translation = translator.run();
  if (!lexed.problem) return translation;
  if (translation.problem && translation.problem->line < lexed.problem->line) return translation;
  refused.problem = std::move(lexed.problem);
  refused.problem->is_certain |= translator.has_luau();
  return refused;
}

}  // namespace heddle::script
