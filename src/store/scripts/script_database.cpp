#include "store/scripts/script_database.hpp"

#include <utility>

#include <boost/asio/use_awaitable.hpp>
#include <sqlite3.h>

#include "store/scripts/key_table.hpp"
#include "store/scripts/script_schema.hpp"
#include "store/scripts/sql_session.hpp"
#include "store/scripts/sql_thread.hpp"
#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/core/group_writer.hpp"
#include "store/sqlite/core/read_thread.hpp"
#include "store/sqlite/core/sqlite_calls.hpp"

namespace heddle::store {

namespace {

using Db = std::unique_ptr<Connection>;

KeyName name_of(const ScriptDatabase::Owner& owner, const std::string& key) {
  return {owner ? owner->text : std::string(), key};
}

template <class T>
Async<Result<T>> refuse(Error why) {
  co_return why;
}

}  // namespace

// Destroyed in reverse order: threads first, then statements, then connections.
struct ScriptDatabase::Parts {
  Parts(Db writer, Db reader, std::unique_ptr<SqlSession> session)
      : writer_db(std::move(writer)),
        reader_db(std::move(reader)),
        keys(*writer_db),
        rows(*reader_db),
        reading(*reader_db),
        writing(*writer_db, {.undone = [] {}, .committed = [] {}}),
        sql(std::move(session)) {}

  Db writer_db;
  Db reader_db;
  KeyTable keys;
  KeyRows rows;
  ReadThread reading;
  GroupWriter writing;
  SqlThread sql;
};

ScriptDatabase::ScriptDatabase(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ScriptDatabase::~ScriptDatabase() = default;

Result<std::unique_ptr<ScriptDatabase>> ScriptDatabase::open(const std::filesystem::path& file,
                                                             const ScriptDatabaseOptions& options) {
  const auto failed = [](Error why) {
    return std::move(why).during("cannot open the scripts' database");
  };
  if (auto made = make_script_file(file); !made) return failed(std::move(made).error());
  auto writer = open_script_file(file, options.max_file_bytes);
  if (!writer) return failed(std::move(writer).error());
  auto reader = Connection::open(file, {.read_only = true});
  if (!reader) return failed(std::move(reader).error());
  auto session = SqlSession::open(file, options);
  if (!session) return failed(std::move(session).error());
  auto parts = std::make_unique<Parts>(std::move(*writer), std::move(*reader), std::move(*session));
  return std::unique_ptr<ScriptDatabase>(new ScriptDatabase(std::move(parts)));
}

Async<Result<std::optional<std::string>>> ScriptDatabase::get(const Owner& owner,
                                                              const std::string& key) {
  using Found = std::optional<std::string>;
  if (auto fine = check_key(key); !fine) return refuse<Found>(std::move(fine).error());
  return read_through<Found>(parts_->reading, [&rows = parts_->rows, name = name_of(owner, key)] {
    return rows.get(name);
  });
}

Async<Status> ScriptDatabase::set(const Owner& owner, const std::string& key, std::string value) {
  if (auto fine = check_key(key); !fine) return refuse<Done>(std::move(fine).error());
  if (auto fine = check_value(value); !fine) return refuse<Done>(std::move(fine).error());
  return write_through<Done>(parts_->writing,
                             [&keys = parts_->keys, name = name_of(owner, key),
                              value = std::move(value)] { return keys.set(name, value); });
}

Async<Result<bool>> ScriptDatabase::remove(const Owner& owner, const std::string& key) {
  if (auto fine = check_key(key); !fine) return refuse<bool>(std::move(fine).error());
  return write_through<bool>(parts_->writing, [&keys = parts_->keys, name = name_of(owner, key)] {
    return keys.remove(name);
  });
}

Async<Result<Number>> ScriptDatabase::increment(const Owner& owner, const std::string& key,
                                                Number initial, Number delta) {
  if (auto fine = check_key(key); !fine) return refuse<Number>(std::move(fine).error());
  return write_through<Number>(parts_->writing,
                               [&keys = parts_->keys, name = name_of(owner, key), initial, delta] {
                                 return keys.increment(name, initial, delta);
                               });
}

Async<Result<SqlRows>> ScriptDatabase::query(const JobId& job, std::string sql, SqlParams params) {
  return run_on<SqlRows>(
      parts_->sql, job,
      [sql = std::move(sql), params = std::move(params)](SqlSession& session, const JobId& asking) {
        return session.query(asking, sql, params);
      });
}

Async<Result<std::int64_t>> ScriptDatabase::exec(const JobId& job, std::string sql,
                                                 SqlParams params) {
  return run_on<std::int64_t>(
      parts_->sql, job,
      [sql = std::move(sql), params = std::move(params)](SqlSession& session, const JobId& asking) {
        return session.exec(asking, sql, params);
      });
}

std::optional<ScriptDatabase::Running> ScriptDatabase::running() const {
  return parts_->sql.running();
}

void limit_sqlite_memory(std::int64_t bytes) {
  sqlite3_hard_heap_limit64(bytes);
}

}  // namespace heddle::store
