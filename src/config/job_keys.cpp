// To make a key available, change its `later` to `now` (and give it a binding in bind_job.cpp).
#include "config/key_rows.hpp"

namespace heddle::config {

namespace {

using enum KeyType;
using enum Availability;

constexpr Key kJob[] = {
    {"name", text, "", "", now, "The job's name; required.", R"("Shop offers")"},
    {"id", text, "(from the name)", "", now,
     "Stable identity: lower-case letters and digits of any script, joined by \"-\". Unique in the "
     "project.",
     R"("shop-offers")"},
    {"group", text, "", "", now, "Takes the values of [groups.NAME] of heddle.toml.", R"("shops")"},
    {"tags", text_list, "", "", now, "Words to select jobs by.", R"(["daily", "prices"])"},
    {"vars", text_map, "", "", now, "Values for {{name}} in any text of the job.",
     R"({ city = "Berlin" })"},
    {"kind", word, "web", "web|command|service", now,
     "Fetch pages, run a program once, or keep a program running."},
    {"enabled", boolean, "true", "", now, "false: the job is known but never scheduled."},

    {"url", url, "", "", now, "The page to fetch; a web job needs this, `urls` or `urls_file`.",
     R"("https://example.com/offers")"},
    {"urls", url_list, "", "", now, "Many pages, worked through as a queue; wins over `url`.",
     R"(["https://example.com/?page=1", "https://example.com/?page=2"])"},
    {"urls_file", file, "", "", now,
     "A file with one URL per line (\"#\" at the start or after white space begins a comment), "
     "beside the job's config.toml; for jobs of "
     "jobs.toml in the project folder.",
     R"("urls.txt")"},
    {"interval", duration, "10m", "1s..365d", now,
     "Time between two runs. The default is for web jobs: a command job without `interval` and "
     "`schedule` runs only when it is triggered; a service has no interval. Not together with "
     "`schedule`."},
    {"schedule", text, "", "", now,
     "\"manual\" or a cron expression: minute hour day month weekday (with a second first: six "
     "fields), or @hourly, @daily, @weekly, @monthly, @yearly. Not together with `interval`.",
     R"("0 8 * * Mon-Fri")"},
    {"timezone", zone, "(the project's)", "", now, "Zone of schedule, active hours and templates.",
     R"("Europe/Berlin")"},
    {"active_hours", text_or_list, "", "", now,
     "Hours in which runs may start: \"08:00-18:00\" on every day, \"Mon-Fri 08:00-18:00\" on "
     "some; several spans are joined by commas.",
     R"("Mon-Fri 08:00-18:00, Sat 10:00-14:00")"},
    {"jitter", duration, "0s", "0s..1d", now,
     "Each start is delayed by a random time, at most this long."},
    {"misfire", word, "run_once", "run_once|skip", now,
     "What to do about runs missed while the daemon was down."},
    {"overlap", word, "skip", "skip|queue|replace", now,
     "What to do when a run is due while one is running."},
    {"after", names_or_tables, "", "after", now, "Runs when other jobs have run.",
     R"(["other-job"])"},

    {"method", token, "GET", "", now, "HTTP method."},
    {"headers", header_map, "", "", now, "Request headers.", R"({ Accept-Language = "de" })"},
    {"body", text, "", "", now, "Request body.", R"('{"query": "books"}')"},
    {"timeout", duration, "30s", "1ms..1h", now,
     "Longest time for one request, redirects and body included."},
    {"cookie_file", file, "", "", now,
     "Cookies in Netscape format, read before and written after a run.", R"("cookies.txt")"},
    {"proxy", table, "", "proxy", now, "Fetch through proxies."},
    {"robots", word, "discovered", "discovered|obey|ignore", now,
     "Which pages robots.txt can forbid. discovered: links that Heddle finds by itself, but not "
     "the pages of `url`, `urls` and `urls_file`; obey: all pages; ignore: none."},

    {"watch", word, "(items with selector or fields, else text)",
     "items|text|product|feed|file|status", now,
     "What the job looks at: repeated items; the readable text of a page, or of the parts that "
     "`selector` names; the one product of a page, without selectors, whose fields are url, name, "
     "price, currency, stock, sku and image; the entries of a feed (RSS, Atom, JSON Feed), whose "
     "fields are id, title, link, published, updated, author, summary and categories; a file, by "
     "its content, whose fields are url, hash, size and type; or only whether the page answers as "
     "[expect] says. A job without selector and fields whose script has `override_extract` watches "
     "items.",
     R"("text")"},
    {"convert", text_or_list, "", "", later,
     "A program that makes text, HTML, XML or JSON of a page's body: it reads the body on standard "
     "input and writes the result. \"pdf\" stands for pdftotext.",
     R"(["pdftotext", "-layout", "-", "-"])"},
    {"format", word, "auto", "auto|html|xml|json|jsonl|text", now,
     "How pages are read; auto: by content type and beginning. JSONPaths read every page as JSON."},
    {"json_in", text, "", "", now,
     "The element of an HTML page that holds JSON for JSONPath selectors: CSS, \"css@attribute\" "
     "or XPath; the first match is read.",
     R"("script#__NEXT_DATA__")"},
    {"namespaces", text_map, "", "", now, "Prefixes of XPath expressions on XML pages.",
     R"({ dc = "http://purl.org/dc/elements/1.1/" })"},
    {"selector", selector, "", "", now,
     "The container: each match is an item. A selector that begins with \"$\" is a JSONPath, one "
     "that begins with \"/\", \"./\", \"../\", \"(/\" or \"(.\" is an XPath expression, any other "
     "is CSS. With `fields` alone the whole page is one item; with neither its text is watched, "
     "unless a script has `override_extract`. With watch = \"text\": the parts whose text counts.",
     R"("li.offer")"},
    {"fields", field_list, "", "field", now,
     "What to take from each container: \"name:css\", \"name:css@attribute\", \"name:./xpath\", "
     "\"name:$.json.path\" or a table. With `selector` alone one field, `text`.",
     R"(["title:h2", "link:a@href", { name = "price", selector = ".price", type = "money" }])"},
    {"selectors_learned", boolean, "false", "", later,
     "Keep inferred selectors and propose new ones when matches collapse."},
    {"keywords", text_list, "", "", now,
     "An item is kept if any of these occurs in it, upper and lower case alike; none: all are "
     "kept.",
     R"(["laptop", "tablet"])"},
    {"search_fields", text_list, "(all)", "", now, "Fields in which keywords are looked for.",
     R"(["title"])"},
    {"hash_fields", text_list, "(all)", "", now,
     "Fields that identify an item: it is new when no stored item has the same values in all of "
     "them. With `key`: the fields whose differences are changes.",
     R"(["link"])"},
    {"key", text_or_list, "", "", now,
     "Fields that identify an item over time. The item is followed: a difference in another field "
     "is a change of it, and it can be gone and come back. See `heddle changes`.",
     R"(["link"])"},
    {"workers", integer, "1", "1..1000", now, "Pages of this job worked on at the same time."},
    {"stagger", duration, "200ms", "0s..1h", now,
     "With `workers` above 1: pause between the starts of the job's concurrent pages."},
    {"max_error_rate", number, "0.5", "0..1", now,
     "A run fails when more than this share of its pages fails."},

    {"webhook", table, "", "webhook", now, "Posts new items to an address."},
    {"notification", table, "", "notification", now, "Desktop notification for new items."},
    {"notify", names_or_tables, "", "notify_rule", later,
     "Channels that get messages, or rules with their own events and times.", R"(["phone"])"},
    {"alert", table_list, "", "alert_rule", later, "Rules on typed fields, written as [[alert]]."},
    {"alert_after", integer, "2", "1..1000", now,
     "Failed runs in a row before the job counts as failing."},

    {"ignore", css_list, "", "", now,
     "Parts of the page that never count as a change of its text or make a new version; items "
     "inside them are still found.",
     R"([".ads", "footer"])"},
    {"ignore_text", regex_list, "", "", now,
     "Text that never counts as a change of the page's text or makes a new version; fields of "
     "items "
     "keep it (RE2 syntax).",
     R"(['\d+ visitors'])"},
    {"trigger", css_list, "", "", now,
     "With watch = \"text\": only changes inside these parts are reported; all are stored.",
     R"(["main"])"},
    {"trigger_text", regex_list, "", "", now,
     "Only changes are reported whose text, before or after, matches (RE2 syntax); all are stored.",
     R"(["sold out"])"},
    {"must_not_contain", text_list, "", "", now,
     "A page with one of these texts fails and is not compared; as `not_contains` of [expect].",
     R"(["maintenance"])"},
    {"min_significance", word, "low", "low|medium|high", now,
     "Smaller changes are stored but not reported."},
    {"confirm", integer, "0", "0..10", now,
     "With watch = \"text\": a change counts when this many further fetches show the same text. "
     "Not for scripts with `after_fetch`."},
    {"discover", table, "", "discover", now,
     "Finds further pages from those that are fetched, in the same run."},
    {"expect", table, "", "expect", now, "What the job's pages are expected to be."},
    {"series", text_list, "", "", later, "Numeric fields to follow over time.", R"(["rating"])"},
    {"first_run", word, "(baseline with key, else report)", "baseline|report", now,
     "Whether items are reported when a page is read for the first time, also after an edit of "
     "selector, fields, key or a script that makes items; baseline stores them without a message.",
     R"("baseline")"},
    {"gone_after", integer, "2", "1..1000", now,
     "With `key`: in how many completed runs in a row each page that listed an item must be read "
     "without it before it counts as gone. Pages that fail or look wrong do not count."},

    {"render", word, "http", "http|~browser", now,
     "How pages are loaded: \"http\" fetches them without running scripts."},
    {"wait_for", css, "", "", later, "With render = \"browser\": wait until this is on the page.",
     R"(".list")"},
    {"steps", table_list, "", "step", later,
     "With render = \"browser\": what to do before reading the page.",
     R"([{ click = ".more" }, { wait = ".list" }])"},
    {"script", file, "(hooks.lua beside config.toml)", "", now,
     "A Lua script shared by several jobs, relative to the project; loaded before hooks.lua.",
     R"("shared/shop.lua")"},

    {"retry", table, "", "retry", now, "How failed pages are tried again."},
    {"limits", table, "", "limits", now,
     "What a run may use up; [limits] of heddle.toml sets it for all jobs."},
    {"hooks", table, "", "hooks", now, "Programs to run around each run."},
    {"snapshots", word, "changed", "changed|all|none", now, "Which page bodies are kept."},
    {"debug", boolean, "false", "", now,
     "Keep the response and fields of each page under data/jobs/ID/."},
    {"stop_timeout", duration, "30s", "0s..1h", now, "Time for a graceful stop, hooks included."},

    {"command", text, "", "", now, "Command or service job: a line for sh -c; this or `args`.",
     R"("./report.sh | mail me")"},
    {"args", text_list, "", "", now, "Command or service job: program and arguments, run directly.",
     R"(["./report.sh", "--all"])"},
    {"work_dir", file, "(job directory)", "", now, "Programs and hooks: where the program runs.",
     R"("work")"},
    {"env", text_map, "", "", now, "Programs and hooks: environment of the program.",
     R"({ MODE = "fast" })"},
    {"env_file", file, "", "", now, "Programs and hooks: NAME=value lines for the environment.",
     R"(".env")"},
    {"env_pass", text_list, "", "", now,
     "Programs and hooks: variables taken over from the daemon, besides PATH, HOME, LANG and TZ.",
     R"(["SSH_AUTH_SOCK"])"},
    {"parallelism", integer, "1", "1..1000", now, "Command job: processes at the same time."},
    {"completions", integer, "1", "1..100000", now,
     "Command job: successes that complete the run."},
    {"completion_mode", word, "any", "any|indexed", now,
     "Command job: any successes count, or each index must succeed."},
    {"restart", word, "never", "never|on_failure|always", now,
     "Command or service job: when an ended process is replaced (\"always\": services only)."},
    {"backoff_limit", integer, "6", "0..1000", now,
     "Command job: failed attempts before the run fails; the pauses between them are those of "
     "[retry]."},
    {"max_restarts", integer, "20", "0..100000", now,
     "Service job: restarts within `restart_window` before giving up."},
    {"restart_window", duration, "60s", "1s..1d", now, "Service job: see `max_restarts`."},
    {"ready_after", duration, "0s", "0s..1h", now,
     "Service job: a process counts as ready after running this long."},
    {"ready_check", text, "", "", now,
     "Service job: a process counts as ready when this address of the machine answers.",
     R"("http://127.0.0.1:8080/health")"},
    {"deadline", duration, "off", "1ms..365d", now,
     "Command job: longest time of a whole run; then everything it started is killed.", R"("10m")"},
    {"stop_signal", word, "TERM", "TERM|INT|HUP|QUIT|USR1|USR2|KILL", now,
     "Command or service job: signal that asks all its processes to end; after `stop_timeout` they "
     "are killed."},
    {"node", text_or_list, "", "", later, "Cluster: labels a machine must have to run this job.",
     R"(["gpu"])"},
    {"spread", boolean, "false", "", later,
     "Cluster: pages of a scripted job may run on many machines."},
};

constexpr Key kRetry[] = {
    {"max", integer, "3", "0..100", now, "Attempts after the first one, for transient errors."},
    {"base", duration, "1s", "0s..1d", now, "Pause before the first retry."},
    {"factor", number, "3", "1..100", now, "Each further pause is this many times longer."},
    {"jitter", number, "0.1", "0..1", now, "Random share added to or taken from each pause."},
    {"cap", duration, "5m", "0s..7d", now, "Longest pause."},
    {"runs", integer, "0", "0..100", now, "Times a failed run is tried again as a whole."},
};

constexpr Key kLimits[] = {
    {"pages_per_run", integer, "10000", "1..100000000", now, "Pages in one run."},
    {"run_time", duration, "1h", "1s..365d", now, "Time of one run (web jobs)."},
    {"body", size, "10MB", "1KB..2GB", now, "Bytes of one page, after decompression."},
    {"nodes", integer, "300000", "100..100000000", now, "Nodes of one page's tree."},
    {"html_depth", integer, "1000", "16..100000", now, "Nesting of one page's tree."},
    {"redirects", integer, "10", "0..100", now, "Redirects of one request."},
    {"depth", integer, "2", "0..1000", now, "Links followed from a start page by discovery."},
    {"pages_per_day", integer, "off", "1..", now,
     "Pages of one job in a day of its `timezone`; then it is paused until midnight.", "5000"},
    {"runs_per_day", integer, "off", "1..", now,
     "Runs of one job in a day of its `timezone`; then it is paused until midnight.", "48"},
};

constexpr Key kProxy[] = {
    {"enabled", boolean, "(true with `urls`)", "", now,
     "false: fetch directly although `urls` are given.", "false"},
    {"rotate", word, "RoundRobin", "RoundRobin|Sticky|Random", now,
     "How the next proxy is chosen."},
    {"urls", proxy_list, "", "", now, "Proxies: http, https or socks5.",
     R"(["http://user:${env:PROXY_PASSWORD}@proxy.example.com:3128"])"},
};

constexpr Key kWebhook[] = {
    {"enabled", boolean, "(true with a `url`)", "", now,
     "false: nothing is posted although a `url` is given.", "false"},
    {"url", url, "", "", now, "Where new items are posted.", R"("https://example.com/hook")"},
    {"headers", header_map, "", "", now, "Headers to send along.",
     R"({ Authorization = "Bearer ${env:HOOK_TOKEN}" })"},
    {"secret", text_or_list, "", "", now,
     "Signs as Standard Webhooks do: \"whsec_\" and 24 to 64 random bytes in base64 (`openssl rand "
     "-base64 32`); two during a rotation.",
     R"("${env:HOOK_SECRET}")"},
};

constexpr Key kNotification[] = {
    {"enabled", boolean, "true", "", now, "Show a desktop notification for new items."},
    {"title", text, "{job_name}", "", now,
     "May use {job_name} {url} {item_count} {timestamp} {matches} {match_count} and fields of the "
     "first item."},
    {"body", text, "{item_count} new on {url}", "", now, "As `title`."},
    {"timeout", milliseconds, "5000", "0..1h", now, "How long the notification is shown."},
};

constexpr Key kField[] = {
    {"name", text, "", "", now, "What the field is called; required, unique in the job.",
     R"("price")"},
    {"selector", selector, "", "", now,
     "Where in the container: CSS, XPath or JSONPath; empty: the container itself.", R"(".price")"},
    {"css", css, "", "", now, "As `selector`, always CSS.", R"(".price")"},
    {"xpath", text, "", "", now, "As `selector`, always an XPath expression.", R"("a/@href")"},
    {"json", text, "", "", now, "As `selector`, always a JSONPath.", R"("$.price")"},
    {"att", text, "", "", now, "Take this attribute instead of the text.", R"("href")"},
    {"attr", text, "", "", now, "As `att`.", R"("href")"},
    {"default", text, "", "", now, "The value when nothing matches or the match is empty.",
     R"("unknown")"},
    {"join", text, "", "", now, "Take all matches and join them with this; without it the first.",
     R"(", ")"},
    {"type", word, "text", "text|money|number|date", now,
     "Type of the value; other types than text are stored as typed values, too."},
    {"regex", text, "", "", now,
     "Keep what matches: the first group, or the whole match (RE2 syntax).", R"('(\d+) left')"},
};

constexpr Key kNotifyRule[] = {
    {"to", text_or_list, "", "", later, "Channels.", R"(["phone"])"},
    {"on", word_list, "item.*",
     "item.new|item.changed|item.gone|item.back|item.*|price.*|page.changed|check.*", later,
     "Events."},
    {"group", word, "run", "run|each", later, "One message per run, or one per event."},
    {"digest", time_of_day, "off", "", later, "Collect and send once a day at this time.",
     R"("08:00")"},
    {"quiet", time_span, "off", "", later, "Send nothing in these hours unless critical.",
     R"("22:00-07:00")"},
    {"throttle", duration, "0s", "0s..30d", later, "Shortest time between two messages."},
    {"min_significance", word, "negligible", "negligible|low|medium|high|significant", later,
     "Smaller changes are not reported."},
};

constexpr Key kAlertRule[] = {
    {"field", text, "", "", later, "The field to watch.", R"("price")"},
    {"below", number, "off", "", later, "Fires below this value.", "300"},
    {"above", number, "off", "", later, "Fires above this value.", "500"},
    {"drop_percent", number, "off", "0..100", later, "Fires on a fall by this much.", "10"},
    {"rise_percent", number, "off", "0..", later, "Fires on a rise by this much.", "10"},
    {"lowest_in", duration, "off", "1h..3650d", later, "Fires on the lowest value in this time.",
     R"("30d")"},
    {"changed", boolean, "false", "", later, "Fires on any change."},
    {"stock", word, "off", "in|out|preorder", later, "Fires when the stock becomes this.",
     R"("in")"},
    {"missing", boolean, "false", "", later, "Fires when the field is missing."},
    {"to", text_or_list, "", "", later, "Channels.", R"(["phone"])"},
    {"once", boolean, "false", "", later, "Fires only once."},
    {"repeat", duration, "off", "1m..365d", later,
     "Reports again after this time while the condition holds.", R"("1d")"},
};

constexpr Key kDiscover[] = {
    {"follow", word_list, "pagination", "pagination|items|~sitemap|links", now,
     "Which links to follow: the next page of a listing, the links of its items, or all links of a "
     "page. Pages that are no HTML lead on by their items only."},
    {"same_host", boolean, "true", "", now,
     "Stay on the host of the page that has the link, with or without \"www.\"."},
    {"include", text_list, "", "", now,
     "Patterns of whole URLs: one of them must match a link of an item or page, but not the next "
     "page of a listing. `*` stands for any characters.",
     R"(["*/offers/*"])"},
    {"exclude", text_list, "", "", now, "Patterns of URLs that are never followed.",
     R"(["*/login*"])"},
    {"depth", integer, "(limits.depth)", "0..1000", now,
     "Links followed from a start page. The next page of a listing is as deep as the listing.",
     "2"},
    {"max_pages", integer, "(limits.pages_per_run)", "1..100000000", now,
     "Pages of one run, start pages included; links beyond that are not followed, and the run ends "
     "as limited.",
     "500"},
};

constexpr Key kExpect[] = {
    {"status", text_or_list, "(200-299)", "", now,
     "HTTP statuses that are right: a number or a range; several in a list. Redirects are followed "
     "first; a page with another status fails.",
     R"("404")"},
    {"contains", text_or_list, "", "", now,
     "Texts that each page must have, upper and lower case alike: in the title and visible text of "
     "HTML, or in the body of anything else.",
     R"(["In stock"])"},
    {"not_contains", text_or_list, "", "", now, "Texts that no page may have; see `contains`.",
     R"(["maintenance"])"},
    {"max_ms", integer, "off", "1..3600000", now,
     "Milliseconds from the request to the last byte, redirects included; slower pages are stored, "
     "but the job has a warning.",
     "2000"},
    {"tls_days", integer, "off", "0..3650", now,
     "Days that the certificate must still be valid; else the job has a warning.", "14"},
    {"min_items", integer, "off", "0..100000000", now,
     "Items that each page must have, before `keywords` and filter_item; 0: it may have none "
     "from the start.",
     "1"},
};

constexpr Key kAfter[] = {
    {"job", text_or_list, "", "", now, "Id, name or folder of the other job.", R"("other-job")"},
    {"on", word, "completed", "completed|failed|finished", now,
     "Which outcome of its run starts this job."},
};

constexpr Key kStep[] = {
    {"click", css, "", "", later, "Click this element.", R"(".more")"},
    {"type", text_map, "", "", later, "Type into an element: its CSS and the text.",
     R"({ "#search" = "books" })"},
    {"wait", text, "", "", later, "Wait for this CSS, or for a duration.", R"(".list")"},
};

constexpr Key kHooks[] = {
    {"pre_start", table_list, "", "hook", now,
     "Before the run, one after another; written as [[hooks.pre_start]]."},
    {"post_start", table_list, "", "hook", now, "When the run has started."},
    {"pre_stop", table_list, "", "hook", now, "When a stop was requested."},
    {"post_stop", table_list, "", "hook", now, "After the run, once, however it ended."},
};

constexpr Key kHook[] = {
    {"name", text, "", "", now, "Required, unique within the job.", R"("warm-up")"},
    {"command", text, "", "", now, "A line for sh -c.", R"("./warm-up.sh")"},
    {"args", text_list, "", "", now, "Program and arguments, run directly.", R"(["./warm-up.sh"])"},
    {"failure", word, "fail", "fail|retry|ignore", now,
     "What a failure of the hook does: fail the run, run the hook again, or nothing."},
    {"mode", word, "blocking", "blocking|async", now,
     "blocking: the run waits for the hook; async: both run at the same time."},
    {"retries", integer, "3", "0..100", now, "Retries of the hook, with failure = \"retry\"."},
    {"retry_delay", duration, "1s", "0s..1h", now, "Pause between two attempts."},
    {"timeout", duration, "30s", "1ms..1d", now,
     "Longest time of the hook; then its whole process tree is killed."},
    {"env", text_map, "", "", now, "Environment of the hook, in addition to that of the job.",
     R"({ MODE = "fast" })"},
    {"work_dir", file, "(the job's)", "", now, "Where the hook runs.", R"("work")"},
    {"always", boolean, "false", "", now,
     "post_stop: run the hook also when the work of the run never began."},
};

constexpr Section kSections[] = {
    {"job", "A job: jobs/NAME/config.toml, [[jobs]] of jobs.toml, [defaults], [groups.NAME]", kJob},
    {"retry", "[retry] of a job", kRetry},
    {"limits", "[limits] of a job and of heddle.toml", kLimits},
    {"proxy", "[proxy] of a job", kProxy},
    {"webhook", "[webhook] of a job", kWebhook},
    {"notification", "[notification] of a job", kNotification},
    {"field", "A table in `fields`", kField},
    {"notify_rule", "[[notify]] of a job", kNotifyRule},
    {"alert_rule", "[[alert]] of a job", kAlertRule},
    {"discover", "[discover] of a job", kDiscover},
    {"expect", "[expect] of a job", kExpect},
    {"after", "A table in `after`", kAfter},
    {"step", "A table in `steps`", kStep},
    {"hooks", "[hooks] of a job", kHooks},
    {"hook", "[[hooks.pre_start]], [[hooks.post_start]], [[hooks.pre_stop]], [[hooks.post_stop]]",
     kHook},
};

}  // namespace

std::span<const Section> job_sections() {
  return kSections;
}

}  // namespace heddle::config
