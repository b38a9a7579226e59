#include "pipeline/scripts/want_handler.hpp"

#include <algorithm>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/text.hpp"
#include "net/tls_probe.hpp"
#include "pipeline/scripts/script_files.hpp"
#include "pipeline/scripts/sql_values.hpp"
#include "pipeline/stop_signal.hpp"

namespace heddle::pipeline {

namespace asio = boost::asio;
using script::Answer;
using script::Raise;
using script::ScriptValue;
using script::Values;
using std::chrono::milliseconds;

namespace {

// Leaves time to return the answer before the wall budget ends.
constexpr milliseconds kMargin{20};

milliseconds time_left(Deadline deadline) {
  const auto left = deadline - std::chrono::steady_clock::now() - kMargin;
  return std::max(milliseconds(1), std::chrono::duration_cast<milliseconds>(left));
}

template <class... Parts>
Answer values(Parts... parts) {
  Values list;
  (list.push_back(ScriptValue{std::move(parts)}), ...);
  return list;
}

Answer raise(Error error) {
  return Raise{std::move(error.message)};
}

FetchError timeout_error(std::string message) {
  FetchError error;
  error.kind = FetchErrorKind::timeout;
  error.message = std::move(message);
  return error;
}

ScriptValue facts_value(const net::TlsFacts& facts) {
  script::Map map;
  map.emplace_back("subject", ScriptValue{facts.subject});
  map.emplace_back("issuer", ScriptValue{facts.issuer});
  map.emplace_back("serial", ScriptValue{facts.serial});
  map.emplace_back("not_before", ScriptValue{to_iso8601(facts.not_before)});
  map.emplace_back("not_after", ScriptValue{to_iso8601(facts.not_after)});
  map.emplace_back("days_left", ScriptValue{facts.days_left});
  map.emplace_back("fingerprint", ScriptValue{facts.fingerprint});
  return {std::move(map)};
}

Answer file_answer(const ScriptFiles& files, const script::FileWant& want) {
  using Action = script::FileWant::Action;
  if (want.action == Action::append || want.action == Action::overwrite) {
    auto done = want.action == Action::append ? files.append(want.path, want.content)
                                              : files.overwrite(want.path, want.content);
    if (!done) return raise(std::move(done).error());
    return values(true);
  }
  auto text =
      want.action == Action::read ? files.read_text(want.path) : files.read_binary(want.path);
  if (!text) return raise(std::move(text).error());
  if (!*text) return values(std::monostate());
  return values(std::move(**text));
}

// These coroutines own everything they use after their first step: the script may be gone when they
// end.
Async<Answer> run_file_action(std::shared_ptr<const ScriptFiles> files, script::FileWant want) {
  co_return file_answer(*files, want);
}

Async<Answer> answer_file(asio::thread_pool& thread, std::shared_ptr<const ScriptFiles> files,
                          script::FileWant want) {
  auto action = run_file_action(std::move(files), std::move(want));
  co_return co_await asio::co_spawn(thread, std::move(action), asio::use_awaitable);
}

Async<Answer> answer_key_value(store::ScriptDatabase& db, store::ScriptDatabase::Owner owner,
                               script::KeyValueWant want) {
  using Action = script::KeyValueWant::Action;
  if (want.action == Action::get) {
    auto found = co_await db.get(owner, want.key);
    if (!found) co_return raise(std::move(found).error());
    if (!*found) co_return values(std::monostate());
    co_return values(std::move(**found));
  }
  if (want.action == Action::set) {
    auto done = co_await db.set(owner, want.key, std::move(want.value));
    if (!done) co_return raise(std::move(done).error());
    co_return values(true);
  }
  if (want.action == Action::remove) {
    auto done = co_await db.remove(owner, want.key);
    if (!done) co_return raise(std::move(done).error());
    co_return values(*done);
  }
  auto sum =
      co_await db.increment(owner, want.key, number_from(want.initial), number_from(want.delta));
  if (!sum) co_return raise(std::move(sum).error());
  co_return Values{value_from(*sum)};
}

Async<Answer> answer_sql(store::ScriptDatabase& db, JobId job, script::SqlWant want) {
  auto params = params_from(want);
  if (!want.is_query) {
    auto count = co_await db.exec(job, std::move(want.sql), std::move(params));
    if (!count) co_return raise(std::move(count).error());
    co_return values(*count);
  }
  auto rows = co_await db.query(job, std::move(want.sql), std::move(params));
  if (!rows) co_return raise(std::move(rows).error());
  Values list;
  list.push_back(rows_value(std::move(*rows)));
  co_return list;
}

// Outlives the script call when the answer comes after the deadline.
struct PendingAnswer {
  explicit PendingAnswer(const asio::any_io_executor& loop) : alarm(loop) {}
  asio::steady_timer alarm;
  std::optional<Answer> answer;
};

Async<void> store_answer(Async<Answer> work, std::shared_ptr<PendingAnswer> pending) {
  pending->answer = co_await std::move(work);
  pending->alarm.cancel();
}

// Work on another thread cannot be cancelled. After the deadline it continues as detached work,
// which owns all it uses except the database and the thread.
Async<Answer> answer_before(Deadline deadline, DetachedWork& detached_work, Async<Answer> work) {
  const auto loop = co_await asio::this_coro::executor;
  const auto pending = std::make_shared<PendingAnswer>(loop);
  pending->alarm.expires_after(time_left(deadline));
  detached_work.start(loop, store_answer(std::move(work), pending));
  if (!pending->answer)  // an error may be set already
    co_await pending->alarm.async_wait(asio::as_tuple(asio::use_awaitable));
  if (pending->answer) co_return std::move(*pending->answer);
  co_return Raise{"no answer within the time limit; the operation may still complete later"};
}

}  // namespace

Async<Answer> WantHandler::handle(script::Want want, Deadline deadline) {
  if (auto* http = std::get_if<script::HttpWant>(&want))
    co_return co_await fetch(std::move(*http), deadline);
  if (auto* tls = std::get_if<script::TlsWant>(&want))
    co_return co_await probe(std::move(*tls), deadline);
  if (auto* nap = std::get_if<script::SleepWant>(&want)) co_return co_await sleep(*nap, deadline);
  if (auto* pair = std::get_if<script::KeyValueWant>(&want))
    co_return co_await key_value(std::move(*pair), deadline);
  if (auto* statement = std::get_if<script::SqlWant>(&want))
    co_return co_await sql(std::move(*statement), deadline);
  if (auto* path = std::get_if<script::FileWant>(&want))
    co_return co_await file(std::move(*path), deadline);
  if (auto* message = std::get_if<script::NotifyWant>(&want))
    co_return co_await notify(std::move(*message));
  if (!run_cycle_)
    co_return Raise{"heddle.run_cycle is available only in script tests (`heddle test`)"};
  co_return co_await run_cycle_(std::get<script::CycleWant>(std::move(want)));
}

Async<Answer> WantHandler::fetch(script::HttpWant want, Deadline deadline) {
  FetchRequest request = std::move(want.request);
  const auto url = Url::parse(request.url);
  if (!url) {
    FetchError error;
    error.message = url.error().message;
    co_return script::FetchAnswer(std::move(error));
  }
  if (!want.has_own_proxy) request.proxy = resources_.proxies.pick();
  const auto timeout = std::min(request.timeout, time_left(deadline));
  const auto by = std::chrono::steady_clock::now() + timeout;
  const auto grant = co_await enter_gate(resources_.gate, net::gate_key(*url), nullptr, by);
  if (!grant)
    co_return script::FetchAnswer(timeout_error(
        "the time ran out while waiting for a request slot at " + net::gate_key(*url)));
  request.timeout =
      std::max(milliseconds(1),
               std::chrono::duration_cast<milliseconds>(by - std::chrono::steady_clock::now()));
  net::FetchOptions options;
  options.cookies = &resources_.cookies;
  options.fails_on_http_error = false;
  auto outcome = co_await resources_.client.fetch(std::move(request), options);
  co_return script::FetchAnswer(std::move(outcome));
}

Async<Answer> WantHandler::probe(script::TlsWant want, Deadline deadline) {
  net::TlsProbeOptions options;
  options.guard = &resources_.client.guard(TrafficClass::fetch);
  options.resolver = &resources_.services.resolver();
  options.clock = &resources_.clock;
  options.timeout = std::min(options.timeout, time_left(deadline));
  auto facts = co_await net::tls_probe(std::move(want.host), want.port, options);
  if (!facts) co_return values(std::monostate(), std::move(facts.error().message));
  Values list;
  list.push_back(facts_value(*facts));
  co_return list;
}

Async<Answer> WantHandler::sleep(script::SleepWant want, Deadline deadline) {
  const auto until = std::chrono::steady_clock::now() + want.duration;
  asio::steady_timer timer(co_await asio::this_coro::executor, std::min(until, deadline));
  co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
  co_return Values{};
}

Async<Answer> WantHandler::key_value(script::KeyValueWant want, Deadline deadline) {
  auto database = resources_.services.database();
  if (!database) co_return raise(std::move(database).error());
  store::ScriptDatabase::Owner owner;
  if (!want.is_global) owner = resources_.job.id;
  auto work = answer_key_value(**database, std::move(owner), std::move(want));
  co_return co_await answer_before(deadline, resources_.services.detached_work(), std::move(work));
}

Async<Answer> WantHandler::sql(script::SqlWant want, Deadline deadline) {
  auto database = resources_.services.database();
  if (!database) co_return raise(std::move(database).error());
  auto work = answer_sql(**database, resources_.job.id, std::move(want));
  co_return co_await answer_before(deadline, resources_.services.detached_work(), std::move(work));
}

Async<Answer> WantHandler::file(script::FileWant want, Deadline deadline) {
  auto work = answer_file(resources_.services.file_thread(), files_, std::move(want));
  co_return co_await answer_before(deadline, resources_.services.detached_work(), std::move(work));
}

Async<Answer> WantHandler::notify(script::NotifyWant want) {
  const bool is_shown = co_await resources_.services.notify(std::move(want));
  co_return values(is_shown);
}

}  // namespace heddle::pipeline
