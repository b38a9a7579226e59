#include <array>

#include "script/type_stubs.hpp"

namespace heddle::script {
namespace {

constexpr bool kWaits = true;
constexpr bool kAtOnce = false;

constexpr auto kBindings = std::to_array<BindingDoc>({
    {"http_get", "(url: string, headers?: Headers): Response?, FetchFailure?", kWaits,
     "Fetches a URL. Any answer of a server is a response, whatever its status; nil and a failure "
     "when there was none."},
    {"http_post", "(url: string, body?: string, headers?: Headers): Response?, FetchFailure?",
     kWaits, "Posts a body, which may hold any bytes."},
    {"http_request", "(options: HttpOptions): Response?, FetchFailure?", kWaits,
     "Sends any kind of request."},
    {"http_multipart",
     "(url: string, fields: table<string, string|MultipartFile>, headers?: Headers): Response?, "
     "FetchFailure?",
     kWaits, "Posts a form with files (multipart/form-data)."},
    {"tls_probe", "(host: string, port?: integer): TlsCertificate?, string?", kWaits,
     "Reads the certificate a server shows; self-signed ones are accepted. The port is 443 unless "
     "given."},

    {"json_encode", "(value: any, empty_as_list?: boolean): string", kAtOnce,
     "Writes a value as JSON, names in order, at most 10 MB. A table without elements is written "
     "as {}, or as [] with true. Raises an error that names the place of what JSON cannot say: "
     "functions, NaN, cycles, lists with holes, text that is not UTF-8."},
    {"json_decode", "(text: string): any, string?", kAtOnce,
     "Reads JSON, at most 10 MB: the value, or nil and a message with line and column. Integers "
     "stay integers, null becomes json_null, lists stay lists even when they are empty."},
    {"json_path", "(value: any, path: string): any[]", kAtOnce,
     "Copies of what a JSONPath (RFC 9535) selects in a value, or in a JSON text."},
    {"json_array", "(list?: any[]): any[]", kAtOnce,
     "Marks a table, or a new one, as a list, so that it is written as [] when it is empty."},

    {"store_get", "(key: string): string?", kWaits,
     "Returns the text stored under a key of this job, or nil."},
    {"store_set", "(key: string, value: string)", kWaits,
     "Stores a text under a key of this job; it outlasts restarts."},
    {"store_delete", "(key: string)", kWaits, "Deletes a key of this job."},
    {"global_store_get", "(key: string): string?", kWaits,
     "Returns the text stored under a key of all jobs, or nil."},
    {"global_store_set", "(key: string, value: string)", kWaits,
     "Stores a text under a key of all jobs; it outlasts restarts."},
    {"global_store_delete", "(key: string)", kWaits, "Deletes a key of all jobs."},
    {"global_store_incr", "(key: string, default?: number, delta?: number): number", kWaits,
     "Adds to a number under a key of all jobs and returns the new one. Atomic: no two callers get "
     "the same. The default is 0, the delta 1."},
    {"db_query", "(sql: string, params?: any[]|table<string, any>): table<string, any>[]", kWaits,
     "Runs one SQL statement in the scripts' database and returns its rows. Raises SQL errors. The "
     "tables records, items, changes and prices hold the job's own data (read-only)."},
    {"db_exec", "(sql: string, params?: any[]|table<string, any>): integer", kWaits,
     "Runs one SQL statement that changes something and returns how many rows it touched."},

    {"fs_read", "(path: string): string?", kWaits,
     "Reads a text file of the job's folder or of shared/; nil when there is none."},
    {"fs_read_binary", "(path: string): string?", kWaits,
     "The same for images, fonts, PDF and zip files too."},
    {"fs_append", "(path: string, content: string)", kWaits,
     "Appends to a text file; at 10 MB it is rotated, and five old ones are kept."},
    {"fs_overwrite", "(path: string, content: string)", kWaits, "Replaces a text file."},

    {"log", "(...: any)", kAtOnce,
     "Writes a line with the time into the job's log file and the live log."},
    {"print", "(...: any)", kAtOnce, "Writes a line into the live log only."},
    {"notify", "(title: string, body?: string, timeout_ms?: number)", kWaits,
     "Shows a desktop notification; where there is no desktop it is logged."},
    {"sleep", "(ms: number)", kWaits, "Waits; other cycles continue."},
    {"env_get", "(key: string): string?", kAtOnce,
     "Reads the environment variable HEDDLE_ENV_<key>, else SPYWEB_<key>. No other is visible."},
    {"require", "(name: string): any", kAtOnce,
     "Loads a module from the job's folder or the project: a.b is a/b.lua or a/b/init.lua. Loaded "
     "once."},
    {"defer", "(callback: fun())", kAtOnce,
     "Runs the function when the current hook ends, however it ends; the last one first. It may "
     "not wait for anything."},

    {"dump", "(value: any): string", kAtOnce,
     "Any value as readable text, keys in order, at most about 1 MB."},
    {"copy", "(value: any): any", kAtOnce,
     "A new table with the same elements and the same metatable."},
    {"deep_copy", "(value: any): any", kAtOnce,
     "A copy of a table and of all tables in it; what was shared or circular stays so. Metatables "
     "are shared."},
    {"html.parse", "(text: string, base_url?: string): HtmlDocument", kAtOnce,
     "Parses a page with the engine's own parser. With the page's URL given, links are absolute."},

    {"table.find", "(list: any[], value: any, from?: integer): integer?", kAtOnce,
     "The position of a value in a list, or nil."},
    {"table.create", "(count: integer, value?: any): any[]", kAtOnce,
     "A list of that many values; without one, an empty table with room for them."},
    {"table.clear", "(table: table)", kAtOnce, "Removes all elements."},
    {"table.clone", "(table: table): table", kAtOnce,
     "A new table with the same elements and the same metatable, not frozen."},
    {"table.freeze", "(table: table): table", kAtOnce,
     "Makes every later change of the table an error. Tables in it are not frozen."},
    {"table.isfrozen", "(table: table): boolean", kAtOnce,
     "Whether table.freeze was called for it."},
    {"string.split", "(text: string, separator?: string): string[]", kAtOnce,
     "The parts of a text between separators (a comma unless given); with an empty one, its "
     "characters."},
    {"math.clamp", "(number: number, min: number, max: number): number", kAtOnce,
     "The number, but at least min and at most max."},
    {"math.round", "(number: number): integer", kAtOnce,
     "The nearest integer; halves are rounded away from zero."},
    {"math.sign", "(number: number): integer", kAtOnce, "-1, 0 or 1."},
    {"typeof", "(value: any): string", kAtOnce, "The same as type()."},
    {"gcinfo", "(): integer", kAtOnce, "Kilobytes that the VM uses."},
    {"unpack", "(list: any[], first?: integer, last?: integer): any ...", kAtOnce,
     "table.unpack, where Lua 5.1 had it."},
    {"bit32.band", "(...: number): integer", kAtOnce, "Bitwise and of 32-bit words."},
    {"bit32.bor", "(...: number): integer", kAtOnce, "Bitwise or."},
    {"bit32.bxor", "(...: number): integer", kAtOnce, "Bitwise exclusive or."},
    {"bit32.bnot", "(word: number): integer", kAtOnce, "Bitwise not."},
    {"bit32.btest", "(...: number): boolean", kAtOnce, "Whether the bitwise and is not zero."},
    {"bit32.lshift", "(word: number, distance: integer): integer", kAtOnce,
     "Shifts left; right when the distance is negative."},
    {"bit32.rshift", "(word: number, distance: integer): integer", kAtOnce,
     "Shifts right; left when the distance is negative."},
    {"bit32.arshift", "(word: number, distance: integer): integer", kAtOnce,
     "Shifts right and keeps the sign."},
    {"bit32.lrotate", "(word: number, distance: integer): integer", kAtOnce, "Rotates left."},
    {"bit32.rrotate", "(word: number, distance: integer): integer", kAtOnce, "Rotates right."},
    {"bit32.extract", "(word: number, field: integer, width?: integer): integer", kAtOnce,
     "The bits of a field, counted from 0."},
    {"bit32.replace", "(word: number, value: number, field: integer, width?: integer): integer",
     kAtOnce, "The word with a field replaced."},
    {"bit32.countlz", "(word: number): integer", kAtOnce, "The number of leading zero bits."},
    {"bit32.countrz", "(word: number): integer", kAtOnce, "The number of trailing zero bits."},
    {"bit32.byteswap", "(word: number): integer", kAtOnce, "The four bytes in reverse."},
    {"bit.tobit", "(word: number): integer", kAtOnce, "The number as a signed 32-bit word."},
    {"bit.tohex", "(word: number, digits?: integer): string", kAtOnce,
     "In hexadecimal; in capitals when digits is negative."},
    {"bit.band", "(...: number): integer", kAtOnce, "Bitwise and; signed, as in LuaJIT."},
    {"bit.bor", "(...: number): integer", kAtOnce, "Bitwise or; signed."},
    {"bit.bxor", "(...: number): integer", kAtOnce, "Bitwise exclusive or; signed."},
    {"bit.bnot", "(word: number): integer", kAtOnce, "Bitwise not; signed."},
    {"bit.lshift", "(word: number, distance: number): integer", kAtOnce,
     "Shifts left by the lowest five bits of the distance."},
    {"bit.rshift", "(word: number, distance: number): integer", kAtOnce, "Shifts right."},
    {"bit.arshift", "(word: number, distance: number): integer", kAtOnce,
     "Shifts right and keeps the sign."},
    {"bit.rol", "(word: number, distance: number): integer", kAtOnce, "Rotates left."},
    {"bit.ror", "(word: number, distance: number): integer", kAtOnce, "Rotates right."},
    {"bit.bswap", "(word: number): integer", kAtOnce, "The four bytes in reverse."},

    {"heddle.assert_eq", "(actual: any, expected: any, message?: string)", kAtOnce,
     "In tests: fails unless both are equal; tables are compared in depth."},
    {"heddle.assert_ne", "(actual: any, unexpected: any, message?: string)", kAtOnce,
     "In tests: fails when both are equal."},
    {"heddle.assert_match", "(text: string, pattern: string, message?: string)", kAtOnce,
     "In tests: fails unless the text matches the Lua pattern."},
    {"heddle.assert_error", "(callback: fun(), pattern?: string): any", kAtOnce,
     "In tests: fails unless the function raises an error (that matches the pattern); returns the "
     "error."},
    {"heddle.run_cycle", "(options?: CycleOptions): CycleReport", kWaits,
     "In tests: runs a whole cycle on the given response and returns what it found and would have "
     "sent."},
});

}  // namespace

std::span<const BindingDoc> binding_docs() {
  return kBindings;
}

}  // namespace heddle::script
