#include "store/sqlite/secrets/stored_secrets.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "base/secrets/secret_mask.hpp"
#include "model/web/url.hpp"
#include "store/sqlite/core/schema.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/secrets/item_secrets.hpp"
#include "store/sqlite/tables/pages/page_rows.hpp"
#include "store/sqlite/tables/pages/trace_blob.hpp"

namespace heddle::store {

namespace {

constexpr std::size_t kExaminedUrls = 100;

// Texts of a job by the number of the job, or of its runs. The functions are those of JobTexts;
// messages and changes hold content of pages.
constexpr std::array kReplacements{
    "UPDATE tasks SET url = hidden(url), error = hidden(error) WHERE run IN"
    " (SELECT number FROM runs WHERE job = ?1) AND (has_secret(url) OR has_secret(error))",
    "UPDATE traces SET trace = hidden_trace(trace) WHERE run IN"
    " (SELECT number FROM runs WHERE job = ?1)",
    "UPDATE runs SET errors = hidden(errors) WHERE job = ?1 AND has_secret(errors)",
    "UPDATE outbox SET payload = hidden_content(payload), error = hidden(error) WHERE job = ?1",
    "UPDATE dead_letters SET payload = hidden_content(payload), error = hidden(error)"
    " WHERE job = ?1",
    "UPDATE letters_in_hand SET payload = hidden_content(payload), error = hidden(error)"
    " WHERE job = ?1",
    "UPDATE events SET data = hidden(data) WHERE job = ?1 AND has_secret(data)",
    "UPDATE pages SET etag = NULL WHERE job = ?1 AND has_secret(etag)",
    "UPDATE changes SET before = hidden_content(before), after = hidden_content(after)"
    " WHERE job = ?1",
    "UPDATE hook_tries SET output = hidden(output) WHERE run IN"
    " (SELECT number FROM runs WHERE job = ?1) AND has_secret(output)",
};

std::string_view text_of(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return text == nullptr
             ? std::string_view()
             : std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

// What stood in the database for a job, and what stands there now. Offers itself to SQL.
class JobTexts {
 public:
  explicit JobTexts(const Job& job) : mask_(job.secrets), page_mask_(secrets_in_pages(job)) {
    for (const std::string& text : job.urls) {
      const auto url = resolve_references(text, job.secrets);
      if (!url || *url == text) continue;
      urls_.emplace(*url, text);
      if (const auto parsed = Url::parse(*url)) urls_.emplace(parsed->text(), text);
    }
  }

  [[nodiscard]] bool has_urls() const { return !urls_.empty(); }
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& urls() const {
    return urls_;
  }

  [[nodiscard]] bool finds_any(std::string_view text) const {
    return urls_.contains(text) || mask_.finds_any(text);
  }
  [[nodiscard]] std::string hidden(std::string_view text) const { return hidden(text, mask_); }

  Status offer_to(Connection& db) {
    const auto add = [&](const char* name, void (*call)(sqlite3_context*, int, sqlite3_value**)) {
      return sqlite3_create_function_v2(db.handle(), name, 1, SQLITE_UTF8, this, call, nullptr,
                                        nullptr, nullptr);
    };
    for (const int code : {add("has_secret", &JobTexts::call_has_secret),
                           add("is_former_url", &JobTexts::call_is_former_url),
                           add("hidden", &JobTexts::call_hidden),
                           add("hidden_content", &JobTexts::call_hidden_content),
                           add("hidden_trace", &JobTexts::call_hidden_trace)})
      if (code != SQLITE_OK) return db.error(code);
    return Done{};
  }

 private:
  [[nodiscard]] std::string hidden(std::string_view text, const SecretMask& mask) const {
    if (const auto url = urls_.find(text); url != urls_.end()) return url->second;
    std::string out(text);
    if (urls_.size() <= kExaminedUrls)
      for (const auto& [former, url] : urls_)
        for (auto at = out.find(former); at != std::string::npos;
             at = out.find(former, at + url.size()))
          out.replace(at, former.size(), url);
    mask.apply(out);
    return out;
  }

  static JobTexts& self(sqlite3_context* context) {
    return *static_cast<JobTexts*>(sqlite3_user_data(context));
  }
  static void answer(sqlite3_context* context, const std::string& text, bool is_blob) {
    const int size = static_cast<int>(text.size());
    if (is_blob)
      sqlite3_result_blob(context, text.data(), size, SQLITE_TRANSIENT);
    else
      sqlite3_result_text(context, text.data(), size, SQLITE_TRANSIENT);
  }
  static void call_has_secret(sqlite3_context* context, int, sqlite3_value** values) {
    sqlite3_result_int(context, self(context).finds_any(text_of(values[0])) ? 1 : 0);
  }
  static void call_is_former_url(sqlite3_context* context, int, sqlite3_value** values) {
    sqlite3_result_int(context, self(context).urls_.contains(text_of(values[0])) ? 1 : 0);
  }
  static void call_hidden(sqlite3_context* context, int, sqlite3_value** values) {
    if (sqlite3_value_type(values[0]) == SQLITE_NULL) return sqlite3_result_null(context);
    answer(context, self(context).hidden(text_of(values[0])), false);
  }
  static void call_hidden_content(sqlite3_context* context, int, sqlite3_value** values) {
    if (sqlite3_value_type(values[0]) == SQLITE_NULL) return sqlite3_result_null(context);
    const JobTexts& texts = self(context);
    answer(context, texts.hidden(text_of(values[0]), texts.page_mask_), false);
  }
  static void call_hidden_trace(sqlite3_context* context, int, sqlite3_value** values) {
    const auto* bytes = static_cast<const char*>(sqlite3_value_blob(values[0]));
    const std::string_view blob(bytes == nullptr ? "" : bytes,
                                static_cast<std::size_t>(sqlite3_value_bytes(values[0])));
    CycleTrace trace = decode_trace(blob);
    for (StageTrace& stage : trace.stages) stage.note = self(context).hidden(stage.note);
    answer(context, encode_trace(trace), true);
  }

  SecretMask mask_;
  SecretMask page_mask_;
  std::map<std::string, std::string, std::less<>> urls_;  // as they were stored -> as written
};

// Works on one job; the caller has begun a transaction.
class JobConverter {
 public:
  JobConverter(Connection& db, const Job& job, JobTexts& texts, std::int64_t number)
      : db_(db), job_(job), texts_(texts), number_(number), rows_(db) {}

  // Whether anything of the job is stored under a URL with a secret.
  Result<bool> is_affected() {
    std::size_t left = kExaminedUrls;
    for (const auto& [url, text] : texts_.urls()) {
      if (left-- == 0) break;
      auto found = rows_.find_url(url);
      if (!found) return std::move(found).error();
      if (*found == 0) continue;
      auto is_used = exists("SELECT 1 FROM url_uses WHERE job = ? AND url = ?", number_, *found);
      if (!is_used || *is_used) return is_used;
    }
    auto is_dead = exists(
        "SELECT 1 FROM dead_letters WHERE job = ? AND is_former_url(payload) LIMIT 1", number_);
    if (!is_dead || *is_dead) return is_dead;
    return exists(
        "SELECT 1 FROM (SELECT url FROM tasks WHERE run ="
        " (SELECT max(number) FROM runs WHERE job = ?) LIMIT 100) WHERE is_former_url(url)",
        number_);
  }

  Status convert() {
    for (const char* sql : kReplacements)
      if (auto done = Statement(db_, sql).run(number_); !done) return done;
    auto urls = secret_urls();
    if (!urls) return std::move(urls).error();
    for (const auto& [id, url] : *urls)
      if (auto moved = move_url(id, texts_.hidden(url)); !moved) return moved;
    return hide_secrets_of_items(db_, job_, number_);
  }

 private:
  template <class... Values>
  Result<bool> exists(const char* sql, const Values&... values) {
    Statement select(db_, sql);
    auto rows = select.query(values...);
    return rows.next();
  }

  Result<std::vector<std::pair<std::int64_t, std::string>>> secret_urls() {
    Statement select(db_,
                     "SELECT u.id, u.url FROM url_uses x JOIN urls u ON u.id = x.url"
                     " WHERE x.job = ? AND has_secret(u.url)");
    auto rows = select.query(number_);
    std::vector<std::pair<std::int64_t, std::string>> found;
    while (true) {
      auto more = rows.next();
      if (!more) return std::move(more).error();
      if (!*more) return found;
      found.emplace_back(rows.integer(0), rows.text(1));
    }
  }

  // A row of `urls` may belong to other jobs, too, which keep it.
  Status move_url(std::int64_t from, const std::string& text) {
    auto to = rows_.find_url(text);
    if (!to) return std::move(to).error();
    if (*to == 0) {
      auto added =
          Statement(db_, "INSERT INTO urls (hash, url) VALUES (?, ?)").run(url_hash(text), text);
      if (!added) return added;
      *to = sqlite3_last_insert_rowid(db_.handle());
    }
    if (auto merged = merge_pages(from, *to); !merged) return merged;
    for (const char* sql : {"UPDATE pages SET url = ?1 WHERE job = ?2 AND url = ?3",
                            "UPDATE pages SET final_url = ?1 WHERE job = ?2 AND final_url = ?3",
                            "UPDATE items SET url = ?1 WHERE job = ?2 AND url = ?3",
                            "INSERT OR IGNORE INTO url_uses (url, job) SELECT ?1, ?2 WHERE ?3",
                            "DELETE FROM url_uses WHERE ?1 <> ?3 AND job = ?2 AND url = ?3",
                            "DELETE FROM urls WHERE ?1 <> ?3 AND id = ?3 AND NOT EXISTS"
                            " (SELECT 1 FROM url_uses WHERE url = ?3 AND job <> ?2)"})
      if (auto done = Statement(db_, sql).run(*to, number_, from); !done) return done;
    return Done{};
  }

  // The page may be stored under both URLs: then the one that is found by now keeps its memory, and
  // gets the history of the other.
  Status merge_pages(std::int64_t from, std::int64_t to) {
    auto old = rows_.find(number_, from);
    if (!old) return std::move(old).error();
    auto kept = rows_.find(number_, to);
    if (!kept) return std::move(kept).error();
    if (!*old || !*kept || (*old)->id == (*kept)->id) return Done{};
    for (const char* sql : {"UPDATE versions SET page = ?1 WHERE page = ?2",
                            "UPDATE changes SET page = ?1 WHERE page = ?2",
                            "UPDATE prices SET page = ?1 WHERE page = ?2",
                            "DELETE FROM page_keys WHERE ?1 <> ?2 AND page = ?2",
                            "DELETE FROM pages WHERE ?1 <> ?2 AND id = ?2"})
      if (auto done = Statement(db_, sql).run((*kept)->id, (*old)->id); !done) return done;
    return Done{};
  }

  Connection& db_;
  const Job& job_;
  JobTexts& texts_;
  std::int64_t number_;
  PageRows rows_;
};

Result<std::int64_t> number_of(Connection& db, const JobId& job) {
  Statement select(db, "SELECT number FROM jobs WHERE id = ?");
  auto rows = select.query(job.text);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  return *found ? rows.integer(0) : 0;
}

Result<bool> convert_job(Connection& db, const Job& job) {
  JobTexts texts(job);
  if (!texts.has_urls()) return false;
  if (auto offered = texts.offer_to(db); !offered) return std::move(offered).error();
  auto number = number_of(db, job.id);
  if (!number) return std::move(number).error();
  if (*number == 0) return false;
  JobConverter converter(db, job, texts, *number);
  auto is_affected = converter.is_affected();
  if (!is_affected || !*is_affected) return is_affected;
  if (auto done = converter.convert(); !done) return std::move(done).error();
  return true;
}

bool has_secret_urls(const Job& job) {
  return std::any_of(job.urls.begin(), job.urls.end(),
                     [](const std::string& url) { return url.find("${") != std::string::npos; });
}

}  // namespace

Result<std::int64_t> replace_stored_secrets(const std::filesystem::path& file,
                                            const std::vector<Job>& jobs) {
  std::error_code ignored;
  if (!std::any_of(jobs.begin(), jobs.end(), has_secret_urls) ||
      !std::filesystem::exists(file, ignored))
    return 0;
  auto opened = Connection::open(file, {});
  if (!opened) return std::move(opened).error();
  Connection& db = **opened;
  if (auto ready = migrate(db, migrations()); !ready) return std::move(ready).error();
  if (auto begun = db.execute("BEGIN IMMEDIATE"); !begun) return std::move(begun).error();
  std::int64_t changed = 0;
  for (const Job& job : jobs) {
    auto is_changed = has_secret_urls(job) ? convert_job(db, job) : Result<bool>(false);
    if (!is_changed) {
      if (db.in_transaction()) (void)db.execute("ROLLBACK");
      return std::move(is_changed).error();
    }
    if (*is_changed) ++changed;
  }
  if (auto done = db.execute("COMMIT"); !done) return std::move(done).error();
  if (changed == 0) return 0;
  // The free space of the file and the WAL still hold the former texts.
  auto cleaned = db.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  if (!cleaned) return std::move(cleaned).error();
  return changed;
}

}  // namespace heddle::store
