#include "config/read/values/secret_values.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "model/web/url.hpp"

namespace heddle::config {

namespace {

constexpr std::string_view kMark = "[redacted]";
constexpr std::array<std::string_view, 3> kSecretKeys{"secret", "token", "password"};
constexpr std::array<std::string_view, 6> kSecretHeaders{
    "authorization", "proxy-authorization", "cookie", "x-api-key", "x-auth-token", "api-key"};

constexpr std::array<std::string_view, 5> kSecretVariableParts{"password", "passwd", "secret",
                                                               "token", "api_key"};

bool is_secret_header(std::string_view name) {
  for (const std::string_view known : kSecretHeaders)
    if (equals_ignoring_case(name, known)) return true;
  return false;
}

// "http://user:password@host" -> "user:password"
std::string_view credentials_in(std::string_view url) {
  const std::size_t start = url.find("://");
  if (start == std::string_view::npos) return {};
  url.remove_prefix(start + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  const std::size_t at = url.rfind('@');
  return at == std::string_view::npos ? std::string_view() : url.substr(0, at);
}

void add_credentials(std::set<std::string>& out, std::string_view url) {
  const std::string_view credentials = credentials_in(url);
  const std::size_t colon = credentials.find(':');
  if (credentials.empty()) return;
  out.emplace(colon == std::string_view::npos ? credentials : credentials.substr(colon + 1));
}

constexpr std::size_t kShortestPart = 8;  // shorter ones would hit harmless text

void add_part(std::set<std::string>& out, std::string_view part) {
  part = trim(part);
  if (part.size() >= kShortestPart) out.emplace(part);
}

// "https://host/T0/B0/x?key=value" -> "/T0/B0/x?key=value", "value": a redirect or a message may
// have only these.
void add_url_parts(std::set<std::string>& out, std::string_view url) {
  add_credentials(out, url);
  url.remove_prefix(url.find("://") + 3);
  const std::size_t target = url.find_first_of("/?");
  if (target == std::string_view::npos) return;
  add_part(out, url.substr(target));
  const std::size_t question = url.find('?');
  if (question == std::string_view::npos) return;
  for (const std::string_view pair : split(url.substr(question + 1), '&'))
    add_part(out, pair.substr(pair.find('=') + 1));
}

// The hosts of all URLs in a text, as they are written.
std::vector<std::string_view> hosts_in(std::string_view text) {
  std::vector<std::string_view> out;
  constexpr std::string_view kScheme = "://";
  for (auto at = text.find(kScheme); at != std::string_view::npos; at = text.find(kScheme)) {
    text.remove_prefix(at + kScheme.size());
    const std::string_view authority = text.substr(0, text.find_first_of("/?#\"' \\"));
    const std::size_t user = authority.rfind('@');
    out.push_back(user == std::string_view::npos ? authority : authority.substr(user + 1));
  }
  return out;
}

std::string host_spelling(const std::string& value) {
  const bool is_ascii = std::all_of(value.begin(), value.end(),
                                    [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  const auto alone = is_ascii ? Result<Url>() : Url::parse("http://" + value + "/");
  return alone ? std::string(alone->host()) : to_lower_ascii(value);
}

}  // namespace

std::set<std::string> secret_parts(std::string_view value) {
  std::set<std::string> out;
  if (value.starts_with("http://") || value.starts_with("https://") ||
      value.starts_with("socks5://"))
    add_url_parts(out, value);
  else if (const std::size_t space = value.find(' '); space != std::string_view::npos)
    add_part(out, value.substr(space + 1));  // "Bearer token"
  if (value.find('=') != std::string_view::npos)
    for (const std::string_view pair : split(value, ';'))  // "session=1; id=2"
      add_part(out, pair.substr(pair.find('=') + 1));
  out.erase(std::string(value));
  return out;
}

bool is_secret_variable(std::string_view name) {
  const std::string lower = to_lower_ascii(name);
  for (const std::string_view part : kSecretVariableParts)
    if (lower.find(part) != std::string::npos) return true;
  return false;
}

void add_secret(std::vector<Secret>& secrets, Secret secret) {
  const auto is_known = [&](const Secret& secret_of_list) {
    return secret_of_list.value == secret.value &&
           (secret_of_list.shown == secret.shown || secret.shown == kMark);
  };
  if (secret.value.empty() || std::any_of(secrets.begin(), secrets.end(), is_known)) return;
  secrets.push_back(secret);
  for (const std::string& part : secret_parts(secret.value)) {
    secret = {std::string(kMark), part};
    if (std::none_of(secrets.begin(), secrets.end(), is_known)) secrets.push_back(secret);
  }
}

void add_host_spellings(std::vector<Secret>& secrets, const Settings& settings) {
  std::vector<Secret> changed;  // those whose form in a host differs
  for (const Secret& secret : secrets)
    if (std::string form = host_spelling(secret.value); form != secret.value)
      changed.push_back({secret.shown, std::move(form)});
  if (changed.empty()) return;
  std::set<std::string, std::less<>> hosts;
  for (const auto& [path, setting] : settings)
    for (const std::string_view host : hosts_in(setting.effective))
      hosts.insert(host_spelling(std::string(host)));
  for (Secret& form : changed) {
    const bool is_in_host = std::any_of(hosts.begin(), hosts.end(), [&](const std::string& host) {
      return host.find(form.value) != std::string::npos;
    });
    const bool is_known = std::any_of(secrets.begin(), secrets.end(),
                                      [&](const Secret& each) { return each.value == form.value; });
    if (is_in_host && !is_known) secrets.push_back(std::move(form));
  }
}

bool has_reference(std::string_view text) {
  for (auto at = text.find('$'); at != std::string_view::npos; at = text.find('$')) {
    text.remove_prefix(at);
    const std::size_t escaped = reference_length(text.substr(1));
    if (escaped == 0 && reference_length(text) > 0) return true;
    text.remove_prefix(1 + escaped);
  }
  return false;
}

bool is_distinctive(const Secret& secret) {
  constexpr std::size_t kShortestNamed = 6;
  constexpr std::size_t kShortestMixed = 8;
  constexpr std::size_t kShortestAny = 20;
  const std::string& value = secret.value;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const bool is_mixed = std::any_of(value.begin(), value.end(), is_digit) &&
                        std::any_of(value.begin(), value.end(), is_letter);
  // A literal stands under a key for secrets; of references the name tells.
  const bool is_named = secret.shown == kMark || secret.shown.starts_with("${file:") ||
                        is_secret_variable(secret.shown);
  return value.size() >= (is_named ? kShortestNamed : is_mixed ? kShortestMixed : kShortestAny);
}

bool is_secret(const Setting& setting) {
  if (setting.key == nullptr) return false;
  if (const auto* named = std::get_if<NamedText>(&setting.value))
    return setting.key->type == KeyType::header_map
               ? is_secret_header(named->first)
               : setting.key->name == "env" && is_secret_variable(named->first);
  for (const std::string_view name : kSecretKeys)
    if (setting.key->name == name) return true;
  return setting.key->type == KeyType::proxy_list;
}

std::set<std::string> literal_secrets(const Settings& settings) {
  std::set<std::string> out;
  for (const auto& [path, setting] : settings) {
    if (!is_secret(setting)) continue;
    const bool is_proxy = setting.key->type == KeyType::proxy_list;
    if (const auto* text = std::get_if<std::string>(&setting.value)) out.insert(*text);
    if (const auto* named = std::get_if<NamedText>(&setting.value)) out.insert(named->second);
    if (const auto* list = std::get_if<std::vector<std::string>>(&setting.value))
      for (const std::string& each : *list)
        is_proxy ? add_credentials(out, each) : static_cast<void>(out.insert(each));
  }
  out.erase("");
  return out;
}

std::string safe_text(const Setting& setting) {
  if (!is_secret(setting)) return setting.written;
  if (setting.key->type != KeyType::proxy_list)
    return setting.written.find("${") != std::string::npos ? setting.written : "\"[redacted]\"";
  Settings alone;
  alone.emplace("", setting);
  std::string text = setting.written;
  for (const std::string& secret : literal_secrets(alone)) {
    const std::string marked = secret + "@";
    std::size_t at = 0;
    while ((at = text.find(marked, at)) != std::string::npos) {
      text.replace(at, secret.size(), kMark);
      at += kMark.size() + 1;
    }
  }
  return text;
}

}  // namespace heddle::config
