---@meta heddle
-- What Heddle gives to scripts. Written by `heddle types`; changes here are lost.
---@diagnostic disable: missing-return, assign-type-mismatch

--- Header names and values; names are compared without case.
---@class Headers
---@field [string] string

--- What is about to be fetched. Every field may be changed.
---@class Request
---@field url string
---@field method string GET unless changed.
---@field headers Headers
---@field body string?
---@field timeout number Seconds.
---@field proxy string?
---@field max_body_size number MB, of decoded bytes.

--- What a server answered, HTTP errors included.
---@class Response
---@field status integer
---@field url string After redirects.
---@field headers Headers Names in lower case; looked up without case.
---@field body string Decompressed; may hold any bytes.
---@field proxy string? The one used.
---@field time_ms number
---@field size integer Bytes of the body.

--- Why there is no response, or not a good one.
---@class FetchError
---@field message string
---@field kind 'dns'|'timeout'|'proxy'|'tls'|'connect'|'size'|'http'|'blocked'|'unknown'
---@field proxy string? The one used.

--- How a fetch went: `result` of after_fetch, and ctx.last_fetch.
---@class FetchResult
---@field ok boolean True on 2xx, or on the statuses of [expect].
---@field request Request
---@field response Response? Present for HTTP errors too.
---@field error FetchError?
---@field class string? In after_fetch: what kind of page it is, as "listing" or "bot_wall". May be changed.

--- The second value of the http_ functions when there is no response.
---@class FetchFailure
---@field error string The message.
---@field kind 'dns'|'timeout'|'proxy'|'tls'|'connect'|'size'|'http'|'blocked'|'unknown'
---@field proxy string? The one used.

--- What http_request takes.
---@class HttpOptions
---@field url string
---@field method string? GET unless given.
---@field body string?
---@field headers Headers?
---@field proxy string? Instead of the job's.
---@field timeout number? Seconds, 30 unless given.
---@field max_body_size number? MB, 10 unless given.

--- A file in a form.
---@class MultipartFile
---@field filename string
---@field content string Any bytes.
---@field content_type string?

--- What override_fetch returns.
---@class OverrideResponse
---@field status integer?
---@field body string?
---@field url string?
---@field headers Headers?
---@field error string? Set instead of the rest when the fetch failed.

--- The certificate a server showed.
---@class TlsCertificate
---@field subject string
---@field issuer string
---@field serial string
---@field not_before string
---@field not_after string
---@field days_left number Negative when it has expired.
---@field fingerprint string

--- An item: what was extracted from one place of a page.
---@class Item
---@field fields table<string, string> Numbers and booleans put here become strings.
---@field matches string[] Keywords found; the engine owns and recomputes it.

--- What a webhook sends.
---@class WebhookPayload
---@field job_name string
---@field item_count integer
---@field items table<string, any>[] Each item flat: its fields plus `keywords`.
---@field version integer
---@field id string The same in every attempt to deliver it.
---@field event string
---@field time string
---@field job table id and name.
---@field run_id string
---@field url string
---@field severity string
---@field summary string
---@field changes table[] key, field, before, after and significance of each; of a text kind and context.

--- The job that runs.
---@class Job
---@field id string
---@field name string
---@field vars table<string, string> From the job's configuration.

--- What the hooks of one cycle share. Other fields may be set; they last until the cycle ends.
---@class Context
---@field last_fetch FetchResult?
---@field selector_matches integer? How many elements the item selector found.
---@field worker_id integer From 1; read-only.
---@field job Job
---@field run_id string
---@field attempt integer From 1.
---@field not_modified boolean The server said 304; the stored body is supplied.
---@field changes Change[]? Of followed items and the page's text, from before_notify on.
---@field shared table Values that the hooks of this cycle pass to each other.
---@field telemetry Telemetry Read-only.
---@field [string] any

--- A difference between the page and what is stored of it.
---@class Change
---@field kind string? Of a text: text.added, text.removed or text.changed.
---@field key string Of the item; of a text the URL of the page.
---@field field string "state" of an item that came back, "text" of a text.
---@field context string? Of a text: the unchanged line in front of it.
---@field before string Empty: it had no value.
---@field after string Empty: it has no value.
---@field significance string low, medium or high.

--- What the stages of this cycle did and cost.
---@class Telemetry
---@field job_name string
---@field start_time number Unix seconds.
---@field total_duration_ms number
---@field stages TelemetryStage[] In the order of a cycle.
---@field map table<string, TelemetryStage> The same by name.

--- One stage.
---@class TelemetryStage
---@field name string
---@field status 'success'|'error'|'skipped'|'inactive'
---@field type 'hook'|'internal'
---@field offset_ms number? From the start of the cycle; nil if it did not run.
---@field duration_ms number
---@field lua_mem_bytes number Of the VM, after the stage.
---@field mem_delta_bytes number
---@field browsers integer
---@field error string?

--- A parsed page.
---@class HtmlDocument
---@field select fun(self: HtmlDocument, css: string): HtmlNode[] All elements that match, in order.
---@field select_one fun(self: HtmlDocument, css: string): HtmlNode? The first of them.
---@field xpath fun(self: HtmlDocument, expression: string): any A list of the elements (attributes and texts as strings) that an XPath 1.0 expression selects, or its number, text or boolean.
---@field text fun(self: HtmlDocument): string The page's text as a person reads it.
---@field html fun(self: HtmlDocument): string

--- An element of a page. It keeps its page alive.
---@class HtmlNode
---@field select fun(self: HtmlNode, css: string): HtmlNode[] All elements inside this one that match.
---@field select_one fun(self: HtmlNode, css: string): HtmlNode? The first of them.
---@field xpath fun(self: HtmlNode, expression: string): any A list of the elements (attributes and texts as strings) that an XPath 1.0 expression selects, or its number, text or boolean.
---@field text fun(self: HtmlNode): string
---@field attr fun(self: HtmlNode, name: string): string? An absolute URL for links, when html.parse knew the page's.
---@field html fun(self: HtmlNode): string With its own tags.
---@field tag fun(self: HtmlNode): string In lower case.

--- What runs the script. Read-only.
---@class Engine
---@field os string
---@field arch string
---@field headless boolean Whether there is no desktop.
---@field version string
---@field lua_version string
---@field storage string

--- What heddle.run_cycle takes.
---@class CycleOptions
---@field url string? The job's unless given.
---@field body string? Of the canned response. Without body and status the page is fetched.
---@field status integer? 200 unless given.
---@field headers Headers?
---@field worker_id integer? 1 unless given.

--- What heddle.run_cycle returns.
---@class CycleReport
---@field ok boolean False when the cycle failed.
---@field error string? Why it failed.
---@field skipped boolean A hook ended it.
---@field items CycleItem[] As they would be stored.
---@field new_count integer
---@field webhooks table[] The payloads that would have been sent.
---@field notifications table[] Likewise.
---@field hooks string[] The names of those that ran, in order.
---@field telemetry Telemetry

--- An item of a CycleReport.
---@class CycleItem
---@field fields table<string, string>
---@field matches string[]
---@field is_new boolean

--- JSON's null; not nil, so that it can stand in a table.
---@type userdata
json_null = nil

--- An empty list that JSON shows as []; frozen.
---@type any[]
JSON_EMPTY_ARRAY = nil

--- What runs the script.
---@type Engine
engine = nil

--- ctx.last_fetch of the running cycle, for scripts without ctx.
---@type FetchResult?
last_fetch = nil

--- ctx.selector_matches of the running cycle.
---@type integer?
selector_matches = nil

--- ctx.telemetry as the running hook began.
---@type Telemetry?
spyweb_telemetry = nil

--- The engine's HTML parser.
---@class htmllib
html = {}

--- Bit operations as in Lua 5.2.
---@class bit32lib
bit32 = {}

--- Bit operations as in LuaJIT.
---@class bitlib
bit = {}

--- Assertions; only in script tests.
---@class heddlelib
heddle = {}

--- Another name for heddle.
spyweb = heddle

--- Fetches a URL. Any answer of a server is a response, whatever its status; nil and a failure when there was none.
---@async
---@param url string
---@param headers? Headers
---@return Response?
---@return FetchFailure?
function http_get(url, headers) end

--- Posts a body, which may hold any bytes.
---@async
---@param url string
---@param body? string
---@param headers? Headers
---@return Response?
---@return FetchFailure?
function http_post(url, body, headers) end

--- Sends any kind of request.
---@async
---@param options HttpOptions
---@return Response?
---@return FetchFailure?
function http_request(options) end

--- Posts a form with files (multipart/form-data).
---@async
---@param url string
---@param fields table<string, string|MultipartFile>
---@param headers? Headers
---@return Response?
---@return FetchFailure?
function http_multipart(url, fields, headers) end

--- Reads the certificate a server shows; self-signed ones are accepted. The port is 443 unless given.
---@async
---@param host string
---@param port? integer
---@return TlsCertificate?
---@return string?
function tls_probe(host, port) end

--- Writes a value as JSON, names in order, at most 10 MB. A table without elements is written as {}, or as [] with true. Raises an error that names the place of what JSON cannot say: functions, NaN, cycles, lists with holes, text that is not UTF-8.
---@param value any
---@param empty_as_list? boolean
---@return string
function json_encode(value, empty_as_list) end

--- Reads JSON, at most 10 MB: the value, or nil and a message with line and column. Integers stay integers, null becomes json_null, lists stay lists even when they are empty.
---@param text string
---@return any
---@return string?
function json_decode(text) end

--- Copies of what a JSONPath (RFC 9535) selects in a value, or in a JSON text.
---@param value any
---@param path string
---@return any[]
function json_path(value, path) end

--- Marks a table, or a new one, as a list, so that it is written as [] when it is empty.
---@param list? any[]
---@return any[]
function json_array(list) end

--- Returns the text stored under a key of this job, or nil.
---@async
---@param key string
---@return string?
function store_get(key) end

--- Stores a text under a key of this job; it outlasts restarts.
---@async
---@param key string
---@param value string
function store_set(key, value) end

--- Deletes a key of this job.
---@async
---@param key string
function store_delete(key) end

--- Returns the text stored under a key of all jobs, or nil.
---@async
---@param key string
---@return string?
function global_store_get(key) end

--- Stores a text under a key of all jobs; it outlasts restarts.
---@async
---@param key string
---@param value string
function global_store_set(key, value) end

--- Deletes a key of all jobs.
---@async
---@param key string
function global_store_delete(key) end

--- Adds to a number under a key of all jobs and returns the new one. Atomic: no two callers get the same. The default is 0, the delta 1.
---@async
---@param key string
---@param default? number
---@param delta? number
---@return number
function global_store_incr(key, default, delta) end

--- Runs one SQL statement in the scripts' database and returns its rows. Raises SQL errors. The tables records, items, changes and prices hold the job's own data (read-only).
---@async
---@param sql string
---@param params? any[]|table<string, any>
---@return table<string, any>[]
function db_query(sql, params) end

--- Runs one SQL statement that changes something and returns how many rows it touched.
---@async
---@param sql string
---@param params? any[]|table<string, any>
---@return integer
function db_exec(sql, params) end

--- Reads a text file of the job's folder or of shared/; nil when there is none.
---@async
---@param path string
---@return string?
function fs_read(path) end

--- The same for images, fonts, PDF and zip files too.
---@async
---@param path string
---@return string?
function fs_read_binary(path) end

--- Appends to a text file; at 10 MB it is rotated, and five old ones are kept.
---@async
---@param path string
---@param content string
function fs_append(path, content) end

--- Replaces a text file.
---@async
---@param path string
---@param content string
function fs_overwrite(path, content) end

--- Writes a line with the time into the job's log file and the live log.
---@param ... any
function log(...) end

--- Writes a line into the live log only.
---@param ... any
function print(...) end

--- Shows a desktop notification; where there is no desktop it is logged.
---@async
---@param title string
---@param body? string
---@param timeout_ms? number
function notify(title, body, timeout_ms) end

--- Waits; other cycles continue.
---@async
---@param ms number
function sleep(ms) end

--- Reads the environment variable HEDDLE_ENV_<key>, else SPYWEB_<key>. No other is visible.
---@param key string
---@return string?
function env_get(key) end

--- Loads a module from the job's folder or the project: a.b is a/b.lua or a/b/init.lua. Loaded once.
---@param name string
---@return any
function require(name) end

--- Runs the function when the current hook ends, however it ends; the last one first. It may not wait for anything.
---@param callback fun()
function defer(callback) end

--- Any value as readable text, keys in order, at most about 1 MB.
---@param value any
---@return string
function dump(value) end

--- A new table with the same elements and the same metatable.
---@param value any
---@return any
function copy(value) end

--- A copy of a table and of all tables in it; what was shared or circular stays so. Metatables are shared.
---@param value any
---@return any
function deep_copy(value) end

--- Parses a page with the engine's own parser. With the page's URL given, links are absolute.
---@param text string
---@param base_url? string
---@return HtmlDocument
function html.parse(text, base_url) end

--- The position of a value in a list, or nil.
---@param list any[]
---@param value any
---@param from? integer
---@return integer?
function table.find(list, value, from) end

--- A list of that many values; without one, an empty table with room for them.
---@param count integer
---@param value? any
---@return any[]
function table.create(count, value) end

--- Removes all elements.
---@param table table
function table.clear(table) end

--- A new table with the same elements and the same metatable, not frozen.
---@param table table
---@return table
function table.clone(table) end

--- Makes every later change of the table an error. Tables in it are not frozen.
---@param table table
---@return table
function table.freeze(table) end

--- Whether table.freeze was called for it.
---@param table table
---@return boolean
function table.isfrozen(table) end

--- The parts of a text between separators (a comma unless given); with an empty one, its characters.
---@param text string
---@param separator? string
---@return string[]
function string.split(text, separator) end

--- The number, but at least min and at most max.
---@param number number
---@param min number
---@param max number
---@return number
function math.clamp(number, min, max) end

--- The nearest integer; halves are rounded away from zero.
---@param number number
---@return integer
function math.round(number) end

--- -1, 0 or 1.
---@param number number
---@return integer
function math.sign(number) end

--- The same as type().
---@param value any
---@return string
function typeof(value) end

--- Kilobytes that the VM uses.
---@return integer
function gcinfo() end

--- table.unpack, where Lua 5.1 had it.
---@param list any[]
---@param first? integer
---@param last? integer
---@return any ...
function unpack(list, first, last) end

--- Bitwise and of 32-bit words.
---@param ... number
---@return integer
function bit32.band(...) end

--- Bitwise or.
---@param ... number
---@return integer
function bit32.bor(...) end

--- Bitwise exclusive or.
---@param ... number
---@return integer
function bit32.bxor(...) end

--- Bitwise not.
---@param word number
---@return integer
function bit32.bnot(word) end

--- Whether the bitwise and is not zero.
---@param ... number
---@return boolean
function bit32.btest(...) end

--- Shifts left; right when the distance is negative.
---@param word number
---@param distance integer
---@return integer
function bit32.lshift(word, distance) end

--- Shifts right; left when the distance is negative.
---@param word number
---@param distance integer
---@return integer
function bit32.rshift(word, distance) end

--- Shifts right and keeps the sign.
---@param word number
---@param distance integer
---@return integer
function bit32.arshift(word, distance) end

--- Rotates left.
---@param word number
---@param distance integer
---@return integer
function bit32.lrotate(word, distance) end

--- Rotates right.
---@param word number
---@param distance integer
---@return integer
function bit32.rrotate(word, distance) end

--- The bits of a field, counted from 0.
---@param word number
---@param field integer
---@param width? integer
---@return integer
function bit32.extract(word, field, width) end

--- The word with a field replaced.
---@param word number
---@param value number
---@param field integer
---@param width? integer
---@return integer
function bit32.replace(word, value, field, width) end

--- The number of leading zero bits.
---@param word number
---@return integer
function bit32.countlz(word) end

--- The number of trailing zero bits.
---@param word number
---@return integer
function bit32.countrz(word) end

--- The four bytes in reverse.
---@param word number
---@return integer
function bit32.byteswap(word) end

--- The number as a signed 32-bit word.
---@param word number
---@return integer
function bit.tobit(word) end

--- In hexadecimal; in capitals when digits is negative.
---@param word number
---@param digits? integer
---@return string
function bit.tohex(word, digits) end

--- Bitwise and; signed, as in LuaJIT.
---@param ... number
---@return integer
function bit.band(...) end

--- Bitwise or; signed.
---@param ... number
---@return integer
function bit.bor(...) end

--- Bitwise exclusive or; signed.
---@param ... number
---@return integer
function bit.bxor(...) end

--- Bitwise not; signed.
---@param word number
---@return integer
function bit.bnot(word) end

--- Shifts left by the lowest five bits of the distance.
---@param word number
---@param distance number
---@return integer
function bit.lshift(word, distance) end

--- Shifts right.
---@param word number
---@param distance number
---@return integer
function bit.rshift(word, distance) end

--- Shifts right and keeps the sign.
---@param word number
---@param distance number
---@return integer
function bit.arshift(word, distance) end

--- Rotates left.
---@param word number
---@param distance number
---@return integer
function bit.rol(word, distance) end

--- Rotates right.
---@param word number
---@param distance number
---@return integer
function bit.ror(word, distance) end

--- The four bytes in reverse.
---@param word number
---@return integer
function bit.bswap(word) end

--- In tests: fails unless both are equal; tables are compared in depth.
---@param actual any
---@param expected any
---@param message? string
function heddle.assert_eq(actual, expected, message) end

--- In tests: fails when both are equal.
---@param actual any
---@param unexpected any
---@param message? string
function heddle.assert_ne(actual, unexpected, message) end

--- In tests: fails unless the text matches the Lua pattern.
---@param text string
---@param pattern string
---@param message? string
function heddle.assert_match(text, pattern, message) end

--- In tests: fails unless the function raises an error (that matches the pattern); returns the error.
---@param callback fun()
---@param pattern? string
---@return any
function heddle.assert_error(callback, pattern) end

--- In tests: runs a whole cycle on the given response and returns what it found and would have sent.
---@async
---@param options? CycleOptions
---@return CycleReport
function heddle.run_cycle(options) end

--- May change the request. Returning nothing skips the cycle.
---@type fun(request: Request, ctx: Context): Request|false|nil
before_fetch = nil

--- Fetches in the engine's place: returns a response, or a table with `error`.
---@type fun(request: Request, ctx: Context): OverrideResponse|nil
override_fetch = nil

--- May change response.body, or supply a response after a failure. Returning nothing skips the rest; a failure stays one.
---@type fun(result: FetchResult, ctx: Context): FetchResult|OverrideResponse|false|nil
after_fetch = nil

--- Finds the items in the engine's place.
---@type fun(response: Response, ctx: Context): Item[]|nil
override_extract = nil

--- May change, add or remove items. Returning nothing ends the cycle as a success.
---@type fun(items: Item[], ctx: Context): Item[]|false|nil
after_extract = nil

--- Called for each item instead of the keyword filter. Returning nothing drops the item.
---@type fun(item: Item, ctx: Context): Item|false|nil
filter_item = nil

--- Sees the items right before they are stored. Returning nothing stores none.
---@type fun(items: Item[], ctx: Context): Item[]|false|nil
before_store = nil

--- Sees the new items only. Returning nothing sends no notification.
---@type fun(items: Item[], ctx: Context): Item[]|false|nil
before_notify = nil

--- May change what the webhook sends. Returning nothing sends none.
---@type fun(payload: WebhookPayload, ctx: Context): table|false|nil
before_webhook = nil

--- After a cycle that went well, skipped ones included.
---@type fun(ctx: Context)
on_success = nil

--- After a cycle that failed.
---@type fun(err: string, ctx: Context)
on_error = nil

--- After every cycle, whatever happened.
---@type fun(ctx: Context)
on_finally = nil

--- Once, after all cycles of a run.
---@type fun()
on_finished = nil
