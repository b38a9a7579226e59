// Decides what a script's SQL may do. Allowed: its own and other jobs' tables. Refused: internal
// tables, other files, connection settings and transactions. Same thread as the connection it
// watches; must outlive it.
#pragma once

#include <string>
#include <string_view>

#include <sqlite3.h>

namespace heddle::store {

// Names of the read-only tables with the engine's data.
bool is_engine_table(std::string_view name);
// Internal tables ("heddle_…"), hidden from scripts.
bool is_internal_name(std::string_view name);

// Why a statement about other files is refused.
inline constexpr std::string_view kOneDatabase =
    "scripts have one database: ATTACH, DETACH and VACUUM are not available";

class SqlGuard {
 public:
  SqlGuard() = default;
  SqlGuard(const SqlGuard&) = delete;
  SqlGuard& operator=(const SqlGuard&) = delete;

  // Sets limits, defences and the authorizer of this connection permanently.
  void watch(sqlite3* db);

  // While it exists, the engine's tables may be named: the script's own statement is being
  // compiled. What SQLite compiles while that runs (a full-text index that reads its content) must
  // not name them, or a trigger of one job could make another job's statement copy that job's data.
  class Compiling {
   public:
    explicit Compiling(SqlGuard& guard) : guard_(guard) { guard_.is_compiling_ = true; }
    ~Compiling() { guard_.is_compiling_ = false; }
    Compiling(const Compiling&) = delete;
    Compiling& operator=(const Compiling&) = delete;

   private:
    SqlGuard& guard_;
  };
  // While it exists, BEGIN, COMMIT and ROLLBACK are the session's own.
  class Trusting {
   public:
    explicit Trusting(SqlGuard& guard) : guard_(guard) { guard_.is_trusting_ = true; }
    ~Trusting() { guard_.is_trusting_ = false; }
    Trusting(const Trusting&) = delete;
    Trusting& operator=(const Trusting&) = delete;

   private:
    SqlGuard& guard_;
  };

  void forget();  // before each statement
  // Why the statement was refused; empty: it was not.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }
  // The refusal came while the statement ran: it is genuine, or SQLite had to recompile the
  // statement.
  [[nodiscard]] bool was_refused_late() const { return was_refused_late_; }
  // An ALTER TABLE: it may have taken a reserved name, which SQLite does not report.
  [[nodiscard]] bool has_altered() const { return has_altered_; }
  // The statement named one of the engine's tables, allowed or not.
  [[nodiscard]] bool has_touched_engine() const { return has_touched_engine_; }
  // A view or trigger that the statement created, which also runs in later statements of other
  // jobs.
  struct CreatedObject {
    bool is_view = false;
    std::string name{};  // the view, or the target of the trigger; empty: neither
  };
  [[nodiscard]] const CreatedObject& created() const { return created_; }
  // A CREATE, DROP or ALTER: its internal row changes are not reported.
  [[nodiscard]] bool has_changed_schema() const { return has_changed_schema_; }

 private:
  struct Access {
    int action;
    std::string_view first;
    std::string_view second;
    std::string_view schema;
  };

  int authorize(const Access& access);
  int authorize_table(const Access& access);
  int authorize_object(const Access& access);
  int authorize_names(const Access& access, std::string_view schema);
  int authorize_pragma(const Access& access);
  int refuse(std::string reason);

  bool is_compiling_ = false;
  bool is_trusting_ = false;
  bool was_refused_late_ = false;
  bool has_altered_ = false;
  bool has_changed_schema_ = false;
  bool has_touched_engine_ = false;
  CreatedObject created_;
  std::string refusal_;
};

}  // namespace heddle::store
