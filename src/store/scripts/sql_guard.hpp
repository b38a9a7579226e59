// Decides what a script's SQL may do: its own and other jobs' tables, yes; the engine's keys,
// other files, settings of the connection and transactions, no.
// Same thread as the connection it watches; must outlive it.
#pragma once

#include <string>
#include <string_view>

#include <sqlite3.h>

namespace heddle::store {

// Names of the read-only tables with the engine's data.
bool is_engine_table(std::string_view name);
// Tables of ours ("heddle_…"), of which scripts know nothing.
bool is_internal_name(std::string_view name);

// Why a statement about other files is refused.
inline constexpr std::string_view kOneDatabase =
    "scripts have one database: ATTACH, DETACH and VACUUM are not available";

class SqlGuard {
 public:
  SqlGuard() = default;
  SqlGuard(const SqlGuard&) = delete;
  SqlGuard& operator=(const SqlGuard&) = delete;

  // Sets limits, defences and the authorizer of this connection, for good.
  void watch(sqlite3* db);

  // While it lives, the engine's tables may be named: that is when the script's own statement is
  // compiled. What SQLite compiles while that runs (a full-text index that reads its content) must
  // not, or a trigger of one job could make another job's statement copy that job's data.
  class Compiling {
   public:
    explicit Compiling(SqlGuard& guard) : guard_(guard) { guard_.is_compiling_ = true; }
    ~Compiling() { guard_.is_compiling_ = false; }
    Compiling(const Compiling&) = delete;
    Compiling& operator=(const Compiling&) = delete;

   private:
    SqlGuard& guard_;
  };
  // While it lives, BEGIN, COMMIT and ROLLBACK are ours.
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
  // The refusal came while the statement ran: it is genuine, or SQLite had to compile it again.
  [[nodiscard]] bool was_refused_late() const { return was_refused_late_; }
  // An ALTER TABLE: it may have taken a name that is not to be had, which SQLite does not tell.
  [[nodiscard]] bool has_altered() const { return has_altered_; }
  // One of the engine's tables was named, allowed or not.
  [[nodiscard]] bool has_touched_engine() const { return has_touched_engine_; }
  // What the statement made that runs later, in statements of others too: a view, or a trigger.
  struct Made {
    bool is_view = false;
    std::string name{};  // of the view, or of what the trigger is on; empty: neither
  };
  [[nodiscard]] const Made& made() const { return made_; }
  // A CREATE, DROP or ALTER: rows it writes on its way are nobody's count.
  [[nodiscard]] bool has_shaped() const { return has_shaped_; }

 private:
  struct Access {
    int action;
    std::string_view first;
    std::string_view second;
    std::string_view schema;
  };

  int judge(const Access& access);
  int judge_table(const Access& access);
  int judge_object(const Access& access);
  int judge_names(const Access& access, std::string_view schema);
  int judge_pragma(const Access& access);
  int refuse(std::string reason);

  bool is_compiling_ = false;
  bool is_trusting_ = false;
  bool was_refused_late_ = false;
  bool has_altered_ = false;
  bool has_shaped_ = false;
  bool has_touched_engine_ = false;
  Made made_;
  std::string refusal_;
};

}  // namespace heddle::store
