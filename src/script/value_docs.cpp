#include <array>

#include "script/type_stubs.hpp"

namespace heddle::script {
namespace {

// clang-format off: one row per name
constexpr auto kHooks = std::to_array<HookDoc>({
    {"before_fetch", "(request: Request, ctx: Context): Request|false|nil",
     "May change the request. Returning nothing skips the cycle."},
    {"override_fetch", "(request: Request, ctx: Context): OverrideResponse|nil",
     "Fetches in the engine's place: returns a response, or a table with `error`."},
    {"after_fetch", "(result: FetchResult, ctx: Context): FetchResult|false|nil",
     "May change response.body, or supply a response after a failure. Returning nothing skips the rest."},
    {"override_extract", "(response: Response, ctx: Context): Item[]|nil",
     "Finds the items in the engine's place."},
    {"after_extract", "(items: Item[], ctx: Context): Item[]|false|nil",
     "May change, add or remove items. Returning nothing ends the cycle as a success."},
    {"filter_item", "(item: Item, ctx: Context): Item|false|nil",
     "Called for each item instead of the keyword filter. Returning nothing drops the item."},
    {"before_store", "(items: Item[], ctx: Context): Item[]|false|nil",
     "The last look at the items before they are stored. Returning nothing stores none."},
    {"before_notify", "(items: Item[], ctx: Context): Item[]|false|nil",
     "Sees the new items only. Returning nothing sends no notification."},
    {"before_webhook", "(payload: WebhookPayload, ctx: Context): table|false|nil",
     "May change what the webhook sends. Returning nothing sends none."},
    {"on_success", "(ctx: Context)", "After a cycle that went well, skipped ones included."},
    {"on_error", "(err: string, ctx: Context)", "After a cycle that failed."},
    {"on_finally", "(ctx: Context)", "After every cycle, whatever happened."},
    {"on_finished", "()", "Once, after all cycles of a run."},
});

constexpr auto kClasses = std::to_array<ClassDoc>({
    {"Headers", "Header names and values; names are compared without case."},
    {"Request", "What is about to be fetched. Every field may be changed."},
    {"Response", "What a server answered, HTTP errors included."},
    {"FetchError", "Why there is no response, or not a good one."},
    {"FetchResult", "How a fetch went: `result` of after_fetch, and ctx.last_fetch."},
    {"FetchFailure", "The second value of the http_ functions when there is no response."},
    {"HttpOptions", "What http_request takes."},
    {"MultipartFile", "A file in a form."},
    {"OverrideResponse", "What override_fetch returns."},
    {"TlsCertificate", "The certificate a server showed."},
    {"Item", "One thing found on a page."},
    {"WebhookPayload", "What a webhook sends."},
    {"Job", "The job that runs."},
    {"Context", "What the hooks of one cycle share. Other fields may be set; they last until the cycle ends."},
    {"Telemetry", "What the stages of this cycle did and cost."},
    {"TelemetryStage", "One stage."},
    {"HtmlDocument", "A parsed page."},
    {"HtmlNode", "An element of a page. It keeps its page alive."},
    {"Engine", "What runs the script. Read-only."},
    {"CycleOptions", "What heddle.run_cycle takes."},
    {"CycleReport", "What heddle.run_cycle returns."},
});

constexpr auto kFields = std::to_array<FieldDoc>({
    {"Headers", "[string]", "string", ""},
    {"Request", "url", "string", ""},
    {"Request", "method", "string", "GET unless changed."},
    {"Request", "headers", "Headers", ""},
    {"Request", "body", "string?", ""},
    {"Request", "timeout", "number", "Seconds."},
    {"Request", "proxy", "string?", ""},
    {"Request", "max_body_size", "number", "MB, of decoded bytes."},
    {"Response", "status", "integer", ""},
    {"Response", "url", "string", "After redirects."},
    {"Response", "headers", "Headers", "Names in lower case; looked up without case."},
    {"Response", "body", "string", "Decompressed; may hold any bytes."},
    {"Response", "proxy", "string?", "The one used."},
    {"Response", "time_ms", "number", ""},
    {"Response", "size", "integer", "Bytes of the body."},
    {"FetchError", "message", "string", ""},
    {"FetchError", "kind", "'dns'|'timeout'|'proxy'|'tls'|'connect'|'size'|'http'|'blocked'|'unknown'", ""},
    {"FetchResult", "ok", "boolean", "True on 2xx."},
    {"FetchResult", "request", "Request", ""},
    {"FetchResult", "response", "Response?", "Present for HTTP errors too."},
    {"FetchResult", "error", "FetchError?", ""},
    {"FetchFailure", "error", "string", "The message."},
    {"FetchFailure", "kind", "'dns'|'timeout'|'proxy'|'tls'|'connect'|'size'|'http'|'blocked'|'unknown'", ""},
    {"FetchFailure", "proxy", "string?", "The one used."},
    {"HttpOptions", "url", "string", ""},
    {"HttpOptions", "method", "string?", "GET unless given."},
    {"HttpOptions", "body", "string?", ""},
    {"HttpOptions", "headers", "Headers?", ""},
    {"HttpOptions", "proxy", "string?", "Instead of the job's."},
    {"HttpOptions", "timeout", "number?", "Seconds, 30 unless given."},
    {"HttpOptions", "max_body_size", "number?", "MB, 10 unless given."},
    {"MultipartFile", "filename", "string", ""},
    {"MultipartFile", "content", "string", "Any bytes."},
    {"MultipartFile", "content_type", "string?", ""},
    {"OverrideResponse", "status", "integer?", ""},
    {"OverrideResponse", "body", "string?", ""},
    {"OverrideResponse", "url", "string?", ""},
    {"OverrideResponse", "headers", "Headers?", ""},
    {"OverrideResponse", "error", "string?", "Set instead of the rest when the fetch failed."},
    {"TlsCertificate", "subject", "string", ""},
    {"TlsCertificate", "issuer", "string", ""},
    {"TlsCertificate", "serial", "string", ""},
    {"TlsCertificate", "not_before", "string", ""},
    {"TlsCertificate", "not_after", "string", ""},
    {"TlsCertificate", "days_left", "number", "Negative when it has expired."},
    {"TlsCertificate", "fingerprint", "string", ""},
    {"Item", "fields", "table<string, string>", "Numbers and booleans put here become strings."},
    {"Item", "matches", "string[]", "Keywords found; the engine owns and recomputes it."},
    {"WebhookPayload", "job_name", "string", ""},
    {"WebhookPayload", "item_count", "integer", ""},
    {"WebhookPayload", "items", "table<string, any>[]", "Each item flat: its fields plus `keywords`."},
    {"WebhookPayload", "version", "integer", ""},
    {"WebhookPayload", "id", "string", "The same in every attempt to deliver it."},
    {"WebhookPayload", "event", "string", ""},
    {"WebhookPayload", "time", "string", ""},
    {"WebhookPayload", "job", "table", "id and name."},
    {"WebhookPayload", "run_id", "string", ""},
    {"WebhookPayload", "url", "string", ""},
    {"WebhookPayload", "severity", "string", ""},
    {"WebhookPayload", "summary", "string", ""},
    {"WebhookPayload", "changes", "table[]", "key, field, before and after of each."},
    {"Job", "id", "string", ""},
    {"Job", "name", "string", ""},
    {"Job", "vars", "table<string, string>", "From the job's configuration."},
    {"Context", "last_fetch", "FetchResult?", ""},
    {"Context", "selector_matches", "integer?", "How many elements the item selector found."},
    {"Context", "worker_id", "integer", "From 1; read-only."},
    {"Context", "job", "Job", ""},
    {"Context", "run_id", "string", ""},
    {"Context", "attempt", "integer", "From 1."},
    {"Context", "not_modified", "boolean", "The server said 304; the stored body is supplied."},
    {"Context", "changes", "table[]?", "What changed or came back, from before_notify on."},
    {"Context", "shared", "table", "For what the hooks of this cycle hand to each other."},
    {"Context", "telemetry", "Telemetry", "Read-only."},
    {"Context", "[string]", "any", ""},
    {"Telemetry", "job_name", "string", ""},
    {"Telemetry", "start_time", "number", "Unix seconds."},
    {"Telemetry", "total_duration_ms", "number", ""},
    {"Telemetry", "stages", "TelemetryStage[]", "In the order of a cycle."},
    {"Telemetry", "map", "table<string, TelemetryStage>", "The same by name."},
    {"TelemetryStage", "name", "string", ""},
    {"TelemetryStage", "status", "'success'|'error'|'skipped'|'inactive'", ""},
    {"TelemetryStage", "type", "'hook'|'internal'", ""},
    {"TelemetryStage", "duration_ms", "number", ""},
    {"TelemetryStage", "lua_mem_bytes", "number", "Of the VM, after the stage."},
    {"TelemetryStage", "mem_delta_bytes", "number", ""},
    {"TelemetryStage", "browsers", "integer", ""},
    {"TelemetryStage", "error", "string?", ""},
    {"HtmlDocument", "select", "fun(self: HtmlDocument, css: string): HtmlNode[]", "All elements that match, in order."},
    {"HtmlDocument", "select_one", "fun(self: HtmlDocument, css: string): HtmlNode?", "The first of them."},
    {"HtmlDocument", "text", "fun(self: HtmlDocument): string", "The page's text as a person reads it."},
    {"HtmlDocument", "html", "fun(self: HtmlDocument): string", ""},
    {"HtmlNode", "select", "fun(self: HtmlNode, css: string): HtmlNode[]", "All elements inside this one that match."},
    {"HtmlNode", "select_one", "fun(self: HtmlNode, css: string): HtmlNode?", "The first of them."},
    {"HtmlNode", "text", "fun(self: HtmlNode): string", ""},
    {"HtmlNode", "attr", "fun(self: HtmlNode, name: string): string?", "An absolute URL for links, when html.parse knew the page's."},
    {"HtmlNode", "html", "fun(self: HtmlNode): string", "With its own tags."},
    {"HtmlNode", "tag", "fun(self: HtmlNode): string", "In lower case."},
    {"Engine", "os", "string", ""},
    {"Engine", "arch", "string", ""},
    {"Engine", "headless", "boolean", "Whether there is no desktop."},
    {"Engine", "version", "string", ""},
    {"Engine", "lua_version", "string", ""},
    {"Engine", "storage", "string", ""},
    {"CycleOptions", "url", "string?", ""},
    {"CycleOptions", "body", "string?", "Of the canned response."},
    {"CycleOptions", "[string]", "any", ""},
    {"CycleReport", "items", "Item[]", ""},
    {"CycleReport", "telemetry", "Telemetry", ""},
    {"CycleReport", "[string]", "any", ""},
});

constexpr auto kGlobals = std::to_array<GlobalDoc>({
    {"json_null", "userdata", "JSON's null; not nil, so that it can stand in a table."},
    {"engine", "Engine", "What runs the script."},
    {"last_fetch", "FetchResult?", "ctx.last_fetch of the running cycle, for scripts without ctx."},
    {"selector_matches", "integer?", "ctx.selector_matches of the running cycle."},
    {"html", "table", "The engine's HTML parser."},
    {"bit32", "table", "Bit operations as in Lua 5.2."},
    {"bit", "table", "Bit operations as in LuaJIT."},
    {"heddle", "table", "Assertions; only in script tests."},
    {"spyweb", "table", "Another name for heddle."},
});
// clang-format on

}  // namespace

std::span<const HookDoc> hook_docs() {
  return kHooks;
}

std::span<const ClassDoc> class_docs() {
  return kClasses;
}

std::span<const FieldDoc> field_docs() {
  return kFields;
}

std::span<const GlobalDoc> global_docs() {
  return kGlobals;
}

}  // namespace heddle::script
