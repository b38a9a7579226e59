#include "config/read/job_builder.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/log/redact.hpp"
#include "base/text.hpp"
#include "config/read/bind.hpp"
#include "config/read/files/project_files.hpp"
#include "config/read/files/read_file.hpp"
#include "config/read/program_builder.hpp"
#include "config/read/values/field_rule.hpp"
#include "config/read/values/formats.hpp"
#include "config/read/values/references.hpp"
#include "config/read/values/secret_values.hpp"
#include "config/read/values/text_budget.hpp"
#include "config/read/values/toml_value.hpp"
#include "model/notify/webhook_secret.hpp"
#include "model/web/url.hpp"
#include "pages/feed/feed.hpp"
#include "pages/product/product_item.hpp"
#include "pages/source/file_item.hpp"
#include "pages/source/source_rules.hpp"
#include "schedule/active_hours.hpp"
#include "schedule/cron.hpp"

namespace heddle::config {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxUrlsFile = 64 << 20;
constexpr std::size_t kMaxScript = 16 << 20;
constexpr std::size_t kMaxName = 200;
constexpr std::size_t kMaxId = 100;  // it names a folder

// The text of a URL's setting with ${…} in place of secrets.
std::string stored_text(const Setting& setting, std::size_t index, const std::string& value) {
  const bool has_references = setting.secrets != nullptr && index < setting.secrets->texts.size();
  return has_references ? setting.secrets->texts[index] : value;
}

// Whether the value is part of a host's name, which is public.
bool is_in_host(const Job& job, const std::string& value) {
  return std::any_of(job.urls.begin(), job.urls.end(), [&](const std::string& text) {
    const auto resolved = resolve_references(text, job.secrets);
    const auto url = Url::parse(resolved ? *resolved : text);
    return url && url->host().find(to_lower_ascii(value)) != std::string_view::npos;
  });
}

// Secrets that are known only after the job is built.
void add_environment_secrets(Job& job) {
  const auto add = [&job](const auto& entries) {
    for (const auto& [name, value] : entries)
      if (is_secret_variable(name) && !value.empty())
        add_secret(job.secrets, {std::string(kRedacted), value});
  };
  add(job.program.file_env);
  for (const HookRule& hook : job.hooks) add(hook.env);
}

void decide_where_masked(Job& job) {
  for (Secret& secret : job.secrets)
    secret.in_pages = is_distinctive(secret) && !is_in_host(job, secret.value);
}

std::string hash_of_secrets(const Job& job) {
  if (job.secrets.empty() && job.program.file_env.empty()) return {};
  ListHasher hasher;
  for (const Secret& secret : job.secrets) hasher.add(secret.value);
  for (const auto& [name, value] : job.program.file_env) hasher.add(value);
  return hasher.finish().hex();
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

}  // namespace

std::optional<Job> JobBuilder::build() {
  for (const auto& [path, setting] : loaded_.settings)
    loaded_.problems.insert(loaded_.problems.end(), setting.problems.begin(),
                            setting.problems.end());
  bind_job(loaded_.settings, job_);
  job_.directory = loaded_.directory;
  if (loaded_.exceeds_memory) {
    resolve_name();
    return std::nullopt;
  }
  add_secrets();
  find_scripts();
  resolve_name();
  check_schedule();
  check_active_hours();
  if (job_.kind == JobKind::web) {
    add_urls();
    check_extraction();
    // What a followed item is like is known before it can change.
    if (!job_.key.empty() && find("key") != nullptr && find("first_run") == nullptr)
      job_.first_run = FirstRun::baseline;
    check_proxy();
    check_expectations();
    check_discovery();
  }
  ProgramBuilder(loaded_, job_, base_dir(), context_.project.root).build();
  check_webhook();
  resolve_paths();
  const bool may_run = std::none_of(loaded_.settings.begin(), loaded_.settings.end(),
                                    [](const auto& each) { return each.second.prevents_running; });
  if (!may_run || has_errors(loaded_.problems)) return std::nullopt;
  add_environment_secrets(job_);
  decide_where_masked(job_);
  job_.revision = revision_of(loaded_.settings, job_);
  job_.secret_hash = hash_of_secrets(job_);
  return std::move(job_);
}

void JobBuilder::resolve_name() {
  const Setting* name = find("name");
  const Setting* id = find("id");
  loaded_.name = job_.name;
  if (name == nullptr)
    report_job_problem("name", "is missing: every job needs a name");
  else if (name->problems.empty() && job_.name.empty())
    report_problem(*name, "must not be empty");
  else if (job_.name.size() > kMaxName || has_control(job_.name))
    report_problem(*name, fmt::format("must be at most {} bytes on one line", kMaxName));
  const auto* given = id == nullptr ? nullptr : std::get_if<std::string>(&id->value);
  job_.id.text = given != nullptr ? *given : to_slug(job_.name);
  if (id == nullptr ? !job_.name.empty() : given != nullptr) check_id(job_.id.text, id);
  loaded_.id = job_.id;
}

void JobBuilder::check_id(std::string_view id, const Setting* given) {
  const Setting& at = given != nullptr ? *given : *find("name");
  if (id.empty() && given == nullptr)
    report_problem(at, "has no letter or digit to make an id of: give an `id`");
  else if (id.size() > kMaxId)
    report_problem(at, fmt::format("the id is longer than {} bytes: give a shorter `id`", kMaxId));
  else if (id.empty() || to_slug(id) != id)
    report_problem(at,
                   fmt::format("found {}, expected lower-case letters and digits joined by \"-\"{}",
                               in_quotes(id),
                               to_slug(id).empty() ? "" : ", such as " + in_quotes(to_slug(id))));
}

void JobBuilder::add_urls() {
  const Setting* url = find("url");
  const Setting* urls = find("urls");
  const Setting* file = find("urls_file");
  const Setting* list = urls != nullptr ? urls : file;
  if (url == nullptr && list == nullptr)
    return report_job_problem("url", "is missing: a web job needs `url`, `urls` or `urls_file`");
  if (urls != nullptr && file != nullptr)
    report_problem(*file, "`urls` and `urls_file` cannot be given together");
  job_.is_url_list = list != nullptr;
  if (!job_.is_url_list) return add_single_url(*url);
  if (url != nullptr)
    report_problem(
        *url, fmt::format("is ignored, because `{}` is given", list == urls ? "urls" : "urls_file"),
        ProblemSeverity::warning);
  if (list == urls)
    add_url_list(*list);
  else
    add_urls_file(*list);
  warn_of_repeated_urls(*list);
}

void JobBuilder::add_single_url(const Setting& setting) {
  if (const auto* text = std::get_if<std::string>(&setting.value))
    add_url(*text, stored_text(setting, 0, *text), setting.origin, "url", Url::parse(*text));
}

void JobBuilder::add_url_list(const Setting& setting) {
  const auto* list = std::get_if<std::vector<std::string>>(&setting.value);
  if (list == nullptr) return;
  if (list->empty()) report_problem(setting, "the list is empty");
  for (std::size_t i = 0; i < list->size(); ++i)
    add_url((*list)[i], stored_text(setting, i, (*list)[i]), setting.origin, "urls",
            Url::parse((*list)[i]));
}

void JobBuilder::add_urls_file(const Setting& setting) {
  const auto* path = std::get_if<std::string>(&setting.value);
  if (path == nullptr) return;
  const fs::path file = base_dir() / *path;
  std::error_code unknown;
  const auto size = fs::file_size(file, unknown);
  if (!unknown && size > context_.longest_url_file) return;
  auto text = read_file(file, kMaxUrlsFile);
  if (!text)
    return report_problem(setting, fmt::format("{} {}", in_quotes(*path), text.error().message));
  const fs::path relative = file.lexically_normal().lexically_relative(context_.project.root);
  const std::string name = relative.empty() ? file.string() : relative.generic_string();
  const auto lines = url_lines(*text);
  if (lines.size() > kTextLimits.urls)
    return report_problem(
        setting, fmt::format("{} has more than {} URLs", in_quotes(*path), kTextLimits.urls));
  const std::size_t most_problems = loaded_.problems.size() + kTextLimits.listed_problems;
  for (const UrlLine& each : lines) {
    if (loaded_.problems.size() >= most_problems) {
      report_problem(setting, fmt::format("{} has more errors: those after line {} are not listed",
                                          in_quotes(*path), each.line - 1));
      break;
    }
    if (each.url.find_first_of(" \t\r\f\v") != std::string::npos)
      loaded_.problems.push_back({name,
                                  each.line,
                                  {},
                                  "white space inside a URL: write one per line, a space as %20, "
                                  "and a comment after \" #\""});
    else if (auto parsed = Url::parse(each.url); !parsed)
      loaded_.problems.push_back({name, each.line, {}, parsed.error().message});
    else
      add_url(each.url, escape_references(each.url), {name, each.line}, {}, parsed);
  }
  if (job_.urls.empty() && !has_errors(loaded_.problems))
    report_problem(setting, fmt::format("{} has no URL", in_quotes(*path)));
}

void JobBuilder::warn_of_repeated_urls(const Setting& list) {
  std::unordered_set<std::string_view> seen;
  seen.reserve(job_.urls.size());
  std::size_t repeated = 0;
  std::string_view first;
  for (const std::string& url : job_.urls) {
    if (seen.insert(url).second) continue;
    if (repeated++ == 0) first = url;
  }
  if (repeated > 0)
    report_problem(list,
                   fmt::format("{} of the {} URLs {} repeated, first: {}", repeated,
                               job_.urls.size(), repeated == 1 ? "is" : "are", first),
                   ProblemSeverity::warning);
}

void JobBuilder::add_secrets() {
  job_.secrets = context_.secrets;
  for (const auto& [path, setting] : loaded_.settings)
    if (setting.secrets != nullptr)
      for (const Secret& secret : setting.secrets->used) add_secret(job_.secrets, secret);
  for (const std::string& value : literal_secrets(loaded_.settings))
    add_secret(job_.secrets, {std::string(kRedacted), value});
  add_host_spellings(job_.secrets, loaded_.settings);
}

void JobBuilder::add_url(const std::string& url, std::string_view text, const Origin& origin,
                         std::string_view key, const Result<Url>& parsed) {
  job_.urls.emplace_back(trim(text));
  // Pages are found again by this text, so it must give the same URL whenever it is resolved.
  const bool is_plain = text == url && text.find('$') == std::string_view::npos;
  const auto resolved =
      is_plain ? Result<std::string>(url) : resolve_references(text, job_.secrets);
  if (!resolved || *resolved != url)
    loaded_.problems.push_back({origin.file, origin.line, std::string(key),
                                "a \"$\" directly before ${…} is ambiguous: write it as %24"});
  if (!parsed) return;  // reported when it was read
  if (auto warning = literal_address_warning(*parsed, context_.fetch_guard))
    loaded_.problems.push_back({origin.file, origin.line, std::string(key), *std::move(warning),
                                ProblemSeverity::warning});
}

void JobBuilder::check_extraction() {
  const Setting* selector = find("selector");
  const Setting* fields = find("fields");
  check_namespaces();
  watch_text_by_default();
  check_changes();
  if (job_.watch == WatchKind::feed) return use_feed_fields();
  if (job_.watch == WatchKind::status) return refuse_extraction();
  if (job_.watch == WatchKind::product) return use_fixed_fields(pages::product_fields());
  if (job_.watch == WatchKind::file) return use_fixed_fields(pages::file_fields());
  check_json_in();
  if (job_.watch == WatchKind::text) return use_text();
  if (selector == nullptr && fields == nullptr) {
    // A script may extract the items. Loading it shows whether it does.
    if (!job_.scripts.files.empty()) return;
    return report_job_problem(
        "selector",
        "is missing: give `selector` and `fields`, or a script with `override_extract`; or leave "
        "`watch` out to watch the text of the page");
  }
  if (fields != nullptr && fields->problems.empty() && job_.fields.empty())
    report_problem(*fields, "the list is empty");
  if (fields == nullptr) job_.fields.emplace_back().name = "text";
  check_kinds_of_selectors();
  check_lists_of_fields();
}

void JobBuilder::check_lists_of_fields() {
  if (const Setting* keywords = find("keywords"); keywords != nullptr) {
    const auto words = texts_of(*keywords, {});
    if (std::find(words.begin(), words.end(), "") != words.end())
      report_problem(*keywords, "an empty keyword has no effect: remove it, or write the word",
                     ProblemSeverity::warning);
  }
  for (const std::string_view key : {"search_fields", "hash_fields", "key", "series"})
    if (const Setting* setting = find(key); setting != nullptr && !has_errors(setting->problems))
      check_field_names(*setting, texts_of(*setting, {}));
  if (const Setting* alerts = find("alert"); alerts != nullptr && !has_errors(alerts->problems))
    check_field_names(*alerts, texts_of(*alerts, "field"));
}

void JobBuilder::check_json_in() {
  const Setting* json_in = find("json_in");
  if (json_in == nullptr || !json_in->problems.empty()) return;
  const auto* text = std::get_if<std::string>(&json_in->value);
  if (text == nullptr) return;
  if (auto element = parse_unnamed_field(*text); !element)
    report_problem(*json_in, element.error().message);
  else if (auto status = check_selector(element->kind, element->selector); !status)
    report_problem(*json_in, status.error().message);
}

void JobBuilder::check_namespaces() {
  constexpr std::string_view kBelow = "namespaces.";
  std::map<std::string_view, std::string_view> prefixes;  // by namespace
  for (auto at = loaded_.settings.lower_bound(kBelow);
       at != loaded_.settings.end() && at->first.starts_with(kBelow); ++at) {
    const auto* given = std::get_if<NamedText>(&at->second.value);
    if (given == nullptr) continue;
    const auto& [prefix, name] = *given;
    const auto [same, is_first] = prefixes.emplace(name, prefix);
    if (auto valid = check_namespace(prefix, name); !valid)
      report_problem(at->second, valid.error().message);
    else if (!is_first)
      report_problem(at->second, fmt::format("the prefix {} has the same namespace: keep one",
                                             in_quotes(same->second)));
  }
}

void JobBuilder::check_kinds_of_selectors() {
  if (has_errors(loaded_.problems)) return;
  std::string conflict = pages::conflict_of_selectors(job_);
  if (conflict.empty()) return;
  for (const std::string_view key : {"json_in", "format", "fields", "selector"})
    if (const Setting* setting = find(key)) return report_problem(*setting, std::move(conflict));
}

// A script that makes the items is only known once it is loaded.
void JobBuilder::watch_text_by_default() {
  const bool says_what =
      find("watch") != nullptr || find("selector") != nullptr || find("fields") != nullptr;
  if (!says_what && job_.scripts.files.empty()) job_.watch = WatchKind::text;
}

void JobBuilder::use_text() {
  for (const std::string_view key : {"fields", "key", "hash_fields", "search_fields"})
    if (const Setting* setting = find(key))
      report_problem(*setting,
                     find("watch") != nullptr
                         ? "is about items, but watch = \"text\" makes none: remove one "
                           "of the two"
                         : "is about items, but the job has neither `selector` nor "
                           "`fields`, nor a script with `override_extract`: give them, or "
                           "remove this key to watch the text of the page");
  if (const Setting* setting = find("keywords"))
    report_problem(*setting,
                   "is about items, but this job watches the text of its pages: `trigger_text` "
                   "selects changes by their words",
                   ProblemSeverity::warning);
  if (const Setting* setting = find("snapshots");
      setting != nullptr && job_.snapshots == SnapshotPolicy::none)
    report_problem(*setting,
                   "keeps no version of a page, but watch = \"text\" compares with the version "
                   "before: remove it");
  check_kinds_of_selectors();
}

// Of the one product or file of a page, which is the same one by the URL.
void JobBuilder::use_fixed_fields(std::vector<FieldRule> fields) {
  for (const std::string_view key : {"selector", "fields", "json_in", "format"})
    if (const Setting* setting = find(key))
      report_problem(*setting, fmt::format("is not allowed with watch = \"{}\", which needs none: "
                                           "remove it",
                                           to_text(job_.watch)));
  job_.fields = std::move(fields);
  if (job_.key.empty()) job_.key = {"url"};
  check_lists_of_fields();
}

void JobBuilder::check_changes() {
  if (job_.watch == WatchKind::text) return;
  for (const std::string_view key : {"trigger", "confirm"})
    if (const Setting* setting = find(key))
      report_problem(
          *setting,
          fmt::format("has an effect with watch = \"text\" only, but this job watches "
                      "its {}",
                      job_.watch == WatchKind::items ? "items" : std::string(to_text(job_.watch))),
          ProblemSeverity::warning);
}

// A feed has fields of its own; its entries are the same by their id.
void JobBuilder::use_feed_fields() {
  for (const std::string_view key : {"selector", "fields", "json_in"})
    if (const Setting* setting = find(key))
      report_problem(*setting,
                     "is not allowed with watch = \"feed\", whose fields are fixed: remove it");
  const Setting* format = find("format");
  const bool may_be_feed = job_.format == PageFormat::detected || job_.format == PageFormat::xml ||
                           job_.format == PageFormat::json;
  if (format != nullptr && !may_be_feed)
    report_problem(*format, "is not a format of feeds: remove it, or give \"xml\" or \"json\"");
  job_.fields = pages::feed_fields();
  if (job_.hash_fields.empty()) job_.hash_fields = {"id"};
  check_lists_of_fields();
}

// Nothing is read from such a page but its text, for [expect].
void JobBuilder::refuse_extraction() {
  constexpr std::string_view kProblem =
      "has no effect with watch = \"status\", which extracts nothing: remove it";
  for (const std::string_view key : {"selector", "fields", "json_in"})
    if (const Setting* setting = find(key)) report_problem(*setting, std::string(kProblem));
  // These may come from [defaults].
  for (const std::string_view key :
       {"keywords", "search_fields", "hash_fields", "key", "series", "expect.min_items"})
    if (const Setting* setting = find(key))
      report_problem(*setting, std::string(kProblem), ProblemSeverity::warning);
}

void JobBuilder::check_field_names(const Setting& setting, const std::vector<std::string>& names) {
  std::vector<std::string_view> known;
  for (const FieldRule& rule : job_.fields) known.push_back(rule.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string message = fmt::format("there is no field {}", in_quotes(name));
    const auto nearest = nearest_name(name, known);
    if (nearest)
      message += fmt::format(", did you mean {}?", in_quotes(*nearest));
    else if (!known.empty())
      message += fmt::format("; fields are \"{}\"", fmt::join(known, "\", \""));
    // A script may add fields that no rule names.
    const bool may_come = !job_.scripts.files.empty();
    report_problem(setting, std::move(message),
                   may_come ? ProblemSeverity::warning : ProblemSeverity::error);
  }
}

void JobBuilder::check_schedule() {
  const Setting* interval = find("interval");
  const Setting* schedule = find("schedule");
  if (interval != nullptr && schedule != nullptr)
    report_problem(*schedule, fmt::format("only one of `schedule` and `interval` ({}) can be given",
                                          interval->origin.text()));
  if (schedule != nullptr || (interval == nullptr && job_.kind != JobKind::web))
    job_.interval.reset();
  if (job_.kind == JobKind::service) {  // may come from a layer meant for other jobs
    job_.interval.reset();
    job_.schedule.clear();
  }
  if (job_.timezone.empty()) job_.timezone = context_.project.timezone;
  const auto* when = schedule == nullptr ? nullptr : std::get_if<std::string>(&schedule->value);
  if (when != nullptr && *when != "manual")
    if (auto cron = schedule::parse_cron(*when); !cron)
      report_problem(*schedule, cron.error().message + "; or \"manual\"");
}

void JobBuilder::check_active_hours() {
  const Setting* hours = find("active_hours");
  if (hours == nullptr || has_errors(hours->problems)) return;
  for (const std::string& each : texts_of(*hours, {}))
    if (auto spans = schedule::parse_active_hours(each); !spans)
      report_problem(*hours, spans.error().message);
}

void JobBuilder::check_proxy() {
  const Setting* enabled = find("proxy.enabled");
  const Setting* urls = find("proxy.urls");
  const bool has_urls = !job_.proxy.urls.empty();
  if (enabled != nullptr && job_.proxy.enabled && !has_urls && urls == nullptr)
    report_problem(*enabled, "a proxy needs `urls`");
  if (urls != nullptr && urls->problems.empty() && !has_urls)
    report_problem(*urls, "the list is empty");
  job_.proxy.enabled = has_urls && (enabled == nullptr || job_.proxy.enabled);
}

void JobBuilder::check_expectations() {
  for (const std::string_view key : {"expect.contains", "expect.not_contains", "must_not_contain"})
    if (const Setting* texts = find(key); texts != nullptr && !has_errors(texts->problems))
      for (const std::string& each : texts_of(*texts, {}))
        if (trim(each).empty()) report_problem(*texts, "an empty text is on every page: remove it");
  const Setting* status = find("expect.status");
  if (status == nullptr || has_errors(status->problems)) return;
  for (const std::string& each : texts_of(*status, {}))
    if (auto range = read_status_range(each); !range)
      report_problem(*status, range.error().message);
  const bool is_redirect =
      std::any_of(job_.expect.status.begin(), job_.expect.status.end(),
                  [](const StatusRange& range) { return range.first / 100 == 3; });
  if (is_redirect && job_.limits.redirects > 0)
    report_problem(*status,
                   "redirects are followed, so no page has their status: to expect a redirect, add "
                   "`redirects = 0` under [limits]",
                   ProblemSeverity::warning);
}

void JobBuilder::check_discovery() {
  DiscoverRule& rule = job_.discover;
  rule.is_enabled = has_section("discover.");
  if (!rule.is_enabled) return;
  job_.is_url_list = true;  // pages join the one of `url`: workers share them
  const auto follows = [&rule](FollowKind kind) {
    return std::ranges::find(rule.follow, kind) != rule.follow.end();
  };
  const Setting* follow = find("discover.follow");
  const Setting& at =
      follow != nullptr ? *follow : loaded_.settings.lower_bound("discover.")->second;
  const bool reads_html = job_.watch != WatchKind::feed && !job_.selector.starts_with('$') &&
                          (job_.format == PageFormat::detected || job_.format == PageFormat::html);
  if (!reads_html && !follows(FollowKind::items))
    report_problem(at,
                   "finds no pages: only HTML has links to follow; give follow = \"items\" to "
                   "follow those of the items",
                   ProblemSeverity::warning);
  if (follows(FollowKind::items) && !may_have_links())
    report_problem(at,
                   "the items have no field with a link to follow: add one, such as "
                   "\"link:a@href\"",
                   ProblemSeverity::warning);
  const bool goes_deeper = follows(FollowKind::items) || follows(FollowKind::links);
  const Setting* depth = find("discover.depth");
  if (depth != nullptr && rule.depth == 0 && goes_deeper)
    report_problem(*depth, "is 0: only the next pages of a listing are followed",
                   ProblemSeverity::warning);
  const Setting* most = find("discover.max_pages");
  if (most != nullptr && rule.max_pages.value_or(0) > job_.limits.pages_per_run)
    report_problem(*most,
                   fmt::format("is more than limits.pages_per_run = {}, which holds",
                               job_.limits.pages_per_run),
                   ProblemSeverity::warning);
}

// Whether a field of the items can be a URL. What scripts, XPath and JSONPath give is not known.
bool JobBuilder::may_have_links() const {
  if (!job_.scripts.files.empty() || job_.watch == WatchKind::feed) return true;
  return std::ranges::any_of(job_.fields, [](const FieldRule& field) {
    return field.kind != SelectorKind::css || !field.attribute.empty();
  });
}

bool JobBuilder::has_section(std::string_view prefix) const {
  const auto at = loaded_.settings.lower_bound(prefix);
  return at != loaded_.settings.end() && at->first.starts_with(prefix);
}

void JobBuilder::check_secrets(const Setting& secret) {
  const auto& secrets = job_.webhook.secrets;
  if (secrets.size() > 2)
    return report_problem(secret, "at most two secrets can be given, the second during a rotation");
  const bool can_sign = std::all_of(secrets.begin(), secrets.end(), [](const std::string& each) {
    return webhook_secret_base64(each).has_value();
  });
  if (!can_sign)
    report_problem(secret, "invalid secret: expected " + std::string(kWebhookSecretShape));
}

void JobBuilder::check_webhook() {
  const Setting* enabled = find("webhook.enabled");
  const Setting* url = find("webhook.url");
  const Setting* secret = find("webhook.secret");
  if (enabled != nullptr && job_.webhook.enabled && url == nullptr)
    report_problem(*enabled, "a webhook needs a `url`");
  if (secret != nullptr) check_secrets(*secret);
  const auto parsed = Url::parse(job_.webhook.url);
  if (url != nullptr && parsed)
    if (auto warning = literal_address_warning(*parsed, context_.delivery_guard))
      report_problem(*url, *std::move(warning), ProblemSeverity::warning);
  job_.webhook.enabled = !job_.webhook.url.empty() && (enabled == nullptr || job_.webhook.enabled);
}

void JobBuilder::resolve_paths() {
  if (!job_.cookie_file.empty())
    job_.cookie_file = (base_dir() / job_.cookie_file).lexically_normal().string();
}

void JobBuilder::find_scripts() {
  auto& files = job_.scripts.files;
  if (const Setting* shared = find("script"); shared != nullptr && !files.empty()) {
    files.front() = (context_.project.root / files.front()).lexically_normal();
    std::error_code ignored;
    if (!fs::is_regular_file(files.front(), ignored))
      report_problem(*shared, "there is no such file; the path is relative to the project");
  }
  if (loaded_.directory.empty()) return;
  for (const std::string_view name : {"hooks.lua", "defer.lua"})
    if (auto file = beside(name); !file.empty()) files.push_back(std::move(file));
  job_.scripts.tests = beside("tests.lua");
}

// An unreadable script must not be skipped silently: items that it filters would be reported.
fs::path JobBuilder::beside(std::string_view name) {
  std::error_code ignored;
  fs::path file = loaded_.directory / name;
  if (fs::is_regular_file(file, ignored)) return file;
  if (fs::exists(fs::symlink_status(file, ignored)))
    report_job_problem(std::string(name), fs::exists(file, ignored)
                                              ? "is not a file that can be read"
                                              : "is a link whose target does not exist");
  return {};
}

const Setting* JobBuilder::find(std::string_view path) const {
  const auto found = loaded_.settings.find(path);
  return found == loaded_.settings.end() ? nullptr : &found->second;
}

void JobBuilder::report_problem(const Setting& at, std::string message, ProblemSeverity severity) {
  loaded_.problems.push_back(
      {at.origin.file, at.origin.line, at.label, std::move(message), severity});
}

void JobBuilder::report_job_problem(std::string key, std::string message) {
  loaded_.problems.push_back(
      {loaded_.origin.file, loaded_.origin.line, std::move(key), std::move(message)});
}

fs::path JobBuilder::base_dir() const {
  return loaded_.directory.empty() ? context_.project.root : loaded_.directory;
}

std::string revision_of(const Settings& settings, const Job& job) {
  ListHasher hasher;
  for (const Key& key : section_named("job").keys) {
    hasher.add(key.name);
    hasher.add(key.preset);
  }
  for (const auto& [path, setting] : settings) {
    hasher.add(path);
    hasher.add(setting.secrets != nullptr ? setting.secrets->unresolved : setting.effective);
  }
  hasher.add("urls");
  for (const std::string& url : job.urls) hasher.add(url);
  for (const auto& [name, value] : job.program.file_env)
    hasher.add(fmt::format("{}={}", name, is_secret_variable(name) ? "" : value));
  for (const fs::path& script : job.scripts.files) {
    const auto text = read_file(script, kMaxScript);
    hasher.add(script.filename().string());
    hasher.add(text ? *text : text.error().message);
  }
  return hasher.finish().hex();
}

}  // namespace heddle::config
