// LuauTranslator parses a script as Lua 5.4 together with the syntax of Luau and notes for each
// piece of Luau what stands for it in Lua. Used once.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "script/luau/luau_cursor.hpp"
#include "script/luau/luau_edits.hpp"
#include "script/luau/translate_luau.hpp"

namespace heddle::script {

class LuauTranslator {
 public:
  // Both must outlive this.
  LuauTranslator(std::string_view text, const std::vector<LuauToken>& tokens)
      : cursor_(text, tokens), edits_(text, tokens), tokens_(tokens) {}

  LuauTranslation run();
  // Whether there was syntax of Luau.
  [[nodiscard]] bool has_luau() const { return cursor_.has_luau(); }

 private:
  class Level;  // of nesting

  struct Expression {
    std::size_t first = 0;
    bool may_have_many_values = false;  // a call or `...`
    bool is_true_constant = false;
  };

  // What a statement that begins with an expression does something to.
  struct Target {
    enum class Form { name, field, index, call, other };
    Form form = Form::other;
    std::size_t first = 0;
    std::size_t suffix = 0;  // the last `.` or `[`
    std::size_t key_last = 0;
  };

  // How a translated compound assignment refers to its target.
  struct TargetNames {
    std::string table;
    std::string key;
    bool has_key_variable = false;
  };

  struct Loop {
    bool has_continue = false;
  };

  // Statements.
  [[nodiscard]] bool ends_block() const;
  void block();
  void next_statement(bool is_first);
  void statement();
  bool keyword_statement();
  void if_statement();
  void for_statement();
  void loop_body(std::size_t opening);
  void repeat_statement();
  void check_condition(std::size_t condition, std::size_t wrapped, std::size_t declared);
  void function_statement();
  void local_statement();
  void local_variable();
  void return_statement();
  void label_statement();
  void expression_statement();
  void continue_statement(std::size_t first);
  void type_statement(std::size_t first);
  void function_body(std::size_t opening);
  void parameters();

  // Compound assignments.
  [[nodiscard]] bool is_compound_operator() const;
  void compound_assignment(const Target& target);
  void assign_to_name(const Target& target, std::size_t op);
  void assign_to_field(const Target& target, std::size_t op);
  void assign_to_index(const Target& target, std::size_t op);
  TargetNames names_for(const Target& target, std::size_t op);
  [[nodiscard]] bool can_shadow(std::size_t name, std::size_t op) const;
  [[nodiscard]] bool is_plain_key(const Target& target) const;

  // Expressions.
  Expression expression();
  void expressions();
  bool accept_binary_operator();
  Expression signed_operand();
  Expression cast_operand();
  Expression operand();
  void number();
  void interpolated_string();
  void append_format(std::string& format, bool has_values);
  void if_expression();
  void table_constructor();
  Target suffixed_expression();
  bool suffix(Target& target);
  void arguments();

  // Types.
  void annotation();  // if there is a ":"
  void type();
  void type_or_pack();
  void simple_type();
  void function_or_group_type();
  void table_type();
  void table_type_entry();
  void generic_names();
  void type_arguments();

  void erase_from(std::size_t first);
  // A name that the text does not have.
  std::string unused_name(const std::string& stem);
  const std::string& continue_label();

  LuauCursor cursor_;
  LuauEdits edits_;
  const std::vector<LuauToken>& tokens_;
  std::size_t depth_ = 0;
  Loop* loop_ = nullptr;                        // the innermost one of the current function
  std::vector<std::size_t> declared_;           // local variables of the open blocks: tokens
  std::unordered_set<std::string_view> names_;  // all of the text, once one was needed
  std::string label_;
};

// The parser needs the machine's stack.
class LuauTranslator::Level {
 public:
  explicit Level(LuauTranslator& translator);
  ~Level() { --translator_.depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  LuauTranslator& translator_;
};

}  // namespace heddle::script
