#include "app/scripts/script_tester.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "pipeline/cycle.hpp"
#include "pipeline/scripts/json_value.hpp"

namespace heddle::app {

using script::Answer;
using script::ScriptValue;

namespace {

const ScriptValue* find(const script::Map& map, std::string_view name) {
  for (const auto& [key, value] : map)
    if (key == name) return &value;
  return nullptr;
}

// nullptr: it is missing or has another type.
template <class T>
const T* find_as(const script::Map& map, std::string_view name) {
  const ScriptValue* value = find(map, name);
  return value == nullptr ? nullptr : std::get_if<T>(&value->data);
}

int number_of(const script::Map& map, std::string_view name, int preset) {
  const auto* number = find_as<std::int64_t>(map, name);
  return number == nullptr ? preset : static_cast<int>(*number);
}

struct Option {
  std::string_view name;
  std::string_view kind;
  bool (*fits)(const ScriptValue&);
};

template <class T>
bool is(const ScriptValue& value) {
  return std::holds_alternative<T>(value.data);
}

bool is_table(const ScriptValue& value) {  // an empty table is converted to a list
  const auto* list = std::get_if<script::List>(&value.data);
  return is<script::Map>(value) || (list != nullptr && list->empty());
}

constexpr std::array<Option, 5> kOptions{{{"url", "a string", is<std::string>},
                                          {"body", "a string", is<std::string>},
                                          {"status", "a whole number", is<std::int64_t>},
                                          {"headers", "a table", is_table},
                                          {"worker_id", "a whole number", is<std::int64_t>}}};

std::string names_of_options() {
  std::string names;
  for (const Option& option : kOptions) names.append(names.empty() ? "" : ", ").append(option.name);
  return names;
}

// Returns an empty text for valid options. A misspelt option would otherwise let a test pass that
// tests nothing.
std::string mistake_in(const script::Map& options) {
  for (const auto& [name, value] : options) {
    const auto* option = std::find_if(kOptions.begin(), kOptions.end(),
                                      [&](const Option& each) { return each.name == name; });
    if (option == kOptions.end())
      return fmt::format("there is no option '{}'; options are {}", name, names_of_options());
    if (!option->fits(value)) return fmt::format("{} must be {}", name, option->kind);
  }
  return {};
}

// The canned response of heddle.run_cycle{url=, body=, status=, headers=}.
FetchResponse response_of(const script::Map& options, const std::string& url) {
  FetchResponse response;
  response.url = url;
  response.status = number_of(options, "status", 200);
  if (const auto* body = find_as<std::string>(options, "body")) response.body = *body;
  response.wire_bytes = response.body.size();
  response.headers.emplace_back("content-type", "text/html; charset=utf-8");
  if (const auto* headers = find_as<script::Map>(options, "headers"))
    for (const auto& [name, value] : *headers)
      if (const auto* text = std::get_if<std::string>(&value.data))
        response.headers.emplace_back(name, *text);
  return response;
}

ScriptValue texts(const std::vector<std::string>& list) {
  script::List values;
  for (const std::string& text : list) values.push_back(ScriptValue{text});
  return {std::move(values)};
}

ScriptValue item_value(const Item& item, bool is_new) {
  script::Map fields;
  for (const auto& [name, value] : item.fields) fields.emplace_back(name, ScriptValue{value});
  return {script::Map{
      {"fields", {std::move(fields)}}, {"matches", texts(item.matches)}, {"is_new", {is_new}}}};
}

double milliseconds(std::chrono::microseconds duration) {
  return static_cast<double>(duration.count()) / 1000.0;
}

bool has_run(const StageTrace& trace) {
  return trace.status == StageStatus::success || trace.status == StageStatus::error;
}

ScriptValue stage_value(const NamedStage& stage) {
  const StageTrace& trace = stage.trace;
  script::Map map;
  map.emplace_back("name", ScriptValue{std::string(stage.name)});
  map.emplace_back("status", ScriptValue{std::string(to_text(trace.status))});
  map.emplace_back("type",
                   ScriptValue{std::string(stage.type == StageType::hook ? "hook" : "internal")});
  if (has_run(trace)) map.emplace_back("offset_ms", ScriptValue{milliseconds(trace.offset)});
  map.emplace_back("duration_ms", ScriptValue{milliseconds(trace.duration)});
  map.emplace_back("lua_mem_bytes", ScriptValue{trace.lua_mem_bytes});
  map.emplace_back("mem_delta_bytes", ScriptValue{trace.mem_delta_bytes});
  map.emplace_back("browsers", ScriptValue{std::int64_t{trace.browsers}});
  if (trace.status == StageStatus::error) map.emplace_back("error", ScriptValue{trace.note});
  return {std::move(map)};
}

// The values of ctx.telemetry besides the stages.
struct CycleSpan {
  std::string job_name;
  WallTime began;
  std::chrono::microseconds took{0};
};

// Adds `telemetry` and `hooks`, the names of the hooks that ran.
void add_trace(script::Map& map, const CycleTrace& trace, const CycleSpan& span) {
  script::List stages;
  script::Map by_name;
  std::vector<std::string> hooks;
  for (std::size_t i = 0; i < kTelemetryStageCount; ++i) {
    const NamedStage stage = telemetry_stage(trace, i);
    stages.push_back(stage_value(stage));
    by_name.emplace_back(std::string(stage.name), stage_value(stage));
    if (has_run(stage.trace) && stage.type == StageType::hook) hooks.emplace_back(stage.name);
  }
  script::Map telemetry;
  telemetry.emplace_back("job_name", ScriptValue{span.job_name});
  const std::chrono::duration<double> start = span.began.time_since_epoch();
  telemetry.emplace_back("start_time", ScriptValue{start.count()});
  telemetry.emplace_back("total_duration_ms", ScriptValue{milliseconds(span.took)});
  telemetry.emplace_back("stages", ScriptValue{std::move(stages)});
  telemetry.emplace_back("map", ScriptValue{std::move(by_name)});
  map.emplace_back("telemetry", ScriptValue{std::move(telemetry)});
  map.emplace_back("hooks", texts(hooks));
}

void add_messages(script::Map& map, const std::vector<Delivery>& deliveries) {
  script::List webhooks;
  script::List notifications;
  for (const Delivery& delivery : deliveries) {
    auto payload = pipeline::value_from_json(delivery.payload);
    if (!payload) continue;
    auto& list = delivery.kind == DeliveryKind::webhook ? webhooks : notifications;
    list.push_back(std::move(*payload));
  }
  map.emplace_back("webhooks", ScriptValue{std::move(webhooks)});
  map.emplace_back("notifications", ScriptValue{std::move(notifications)});
}

ScriptValue end_value(const pipeline::CycleResult& end, const pipeline::Artefacts& artefacts,
                      const CycleSpan& span) {
  script::Map map;
  const auto* failure = std::get_if<pipeline::PageFailure>(&end.outcome);
  map.emplace_back("ok", ScriptValue{failure == nullptr});
  if (failure != nullptr) map.emplace_back("error", ScriptValue{failure->error.message});
  const auto* done = std::get_if<pipeline::PageDone>(&end.outcome);
  map.emplace_back("skipped", ScriptValue{done != nullptr && done->is_skipped});
  map.emplace_back("new_count", ScriptValue{done == nullptr ? std::int64_t{0} : done->items.fresh});
  script::List items;
  for (std::size_t i = 0; i < artefacts.items.size(); ++i)
    items.push_back(
        item_value(artefacts.items[i], i < artefacts.is_new.size() && artefacts.is_new[i]));
  map.emplace_back("items", ScriptValue{std::move(items)});
  add_messages(map, artefacts.deliveries);
  add_trace(map, end.trace, span);
  return {std::move(map)};
}

// What the cycles of one test run with; they store into the test's database.
struct TestCycles {
  const pipeline::CycleServices& services;
  store::Store& store;
  pipeline::JobSession& session;

  Async<Answer> run(script::CycleWant want) const {
    const script::Map none;
    const auto* list = std::get_if<script::List>(&want.options.data);
    if (list != nullptr && !list->empty())
      co_return script::Raise{"options need names, such as {url = …, body = …}"};
    const auto* given = std::get_if<script::Map>(&want.options.data);
    const script::Map& options = given == nullptr ? none : *given;
    const std::string mistake = mistake_in(options);
    if (!mistake.empty()) co_return script::Raise{mistake};
    const Job& job = session.plan.job;
    std::string text = job.urls.empty() ? std::string() : job.urls.front();
    if (const auto* given_url = find_as<std::string>(options, "url"))
      text = escape_references(*given_url);
    const auto url = resolve_references(text, job.secrets);
    if (!url) co_return script::Raise{url.error().message};
    auto lease = co_await lease_page(text);
    if (!lease) co_return script::Raise{lease.error().message};
    pipeline::Artefacts artefacts;
    pipeline::CycleSpec order;
    order.lease = std::move(*lease);
    order.worker_id = number_of(options, "worker_id", 1);
    order.artefacts = &artefacts;
    const FetchResponse canned = response_of(options, *url);
    if (find(options, "body") != nullptr || find(options, "status") != nullptr)
      order.canned = &canned;
    session.script->vm().find_hooks();  // the test may have replaced them
    CycleSpan span{job.name, services.clock.now(), {}};
    const auto start = std::chrono::steady_clock::now();
    auto end = co_await pipeline::run_cycle(services, session, order);
    span.took = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - start);
    script::Values values;
    values.push_back(end_value(end, artefacts, span));
    co_return values;
  }

  Async<Result<Lease>> lease_page(std::string url) const {
    Run run;
    run.id = RunId{make_unique_id(services.clock.now())};
    run.job = session.plan.job.id;
    run.started_at = services.clock.now();
    const RunId id = run.id;
    store::JobName name;
    name.id = run.job;
    name.name = session.plan.job.name;
    auto named = co_await store.put_job_name(std::move(name));
    if (!named) co_return std::move(named).error();
    std::vector<std::string> urls{std::move(url)};
    auto begun = co_await store.begin_run(std::move(run), std::move(urls));
    if (!begun) co_return std::move(begun).error();
    auto batch = co_await store.lease_tasks(id, 1, services.clock.now());
    if (!batch) co_return std::move(batch).error();
    if (batch->leases.empty()) co_return Error{ErrorCode::bug, "the test's page was not leased"};
    co_return std::move(batch->leases.front());
  }
};

}  // namespace

Async<Result<cli::ScriptTest>> run_script_test(const pipeline::CycleServices& services,
                                               store::Store& store, pipeline::JobSession& session,
                                               std::string name) {
  const TestCycles cycles{services, store, session};
  session.script->want_handler().set_cycle_runner(
      [&cycles](script::CycleWant want) { return cycles.run(std::move(want)); });
  const auto start = std::chrono::steady_clock::now();
  auto end = co_await session.script->run(session.script->vm().function(name));
  cli::ScriptTest test;
  test.name = std::move(name);
  test.has_passed = !end.error.has_value();
  if (end.error) test.message = std::move(end.error->message);
  test.duration = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - start);
  co_return test;
}

}  // namespace heddle::app
