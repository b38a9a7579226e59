#include "notify/webhook_signature.hpp"

#include <array>
#include <charconv>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "base/text.hpp"
#include "model/notify/webhook_secret.hpp"

namespace heddle::notify {

namespace {

constexpr std::int64_t kLatestSecond = 253'402'300'799;  // the year 9999
constexpr std::string_view kVersionPrefix = "v1,";

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string to_base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // OpenSSL ends it with a zero
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes_of(bytes),
                                   static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

std::int64_t seconds_of(WallTime time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

bool are_equal(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

Result<std::string> required(const Headers& headers, std::string_view name) {
  const std::string* value = find_header(headers, name);
  if (value == nullptr || value->empty())
    return Error{ErrorCode::bad_input, "missing header " + std::string(name)};
  return *value;
}

Result<WallTime> parse_timestamp(std::string_view text) {
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds < 0 ||
      seconds > kLatestSecond)
    return Error{ErrorCode::bad_input, "webhook-timestamp is not a number of seconds"};
  return WallTime{std::chrono::seconds(seconds)};
}

bool has_signature(std::string_view signatures, std::string_view expected) {
  bool found = false;
  // Compares all, also after a match, so that the time reveals nothing.
  for (const std::string_view signature : split(signatures, ' '))
    found = are_equal(signature, expected) || found;
  return found;
}

}  // namespace

Result<std::string> webhook_key(std::string_view secret) {
  const Error unreadable{ErrorCode::bad_input, "the webhook secret is not base64 (" +
                                                   std::string(kWebhookSecretShape) + ")"};
  // EVP_DecodeBlock accepts white space and "=" anywhere, and turns padding into zero bytes.
  const auto base64 = webhook_secret_base64(secret);
  if (!base64) return unreadable;
  std::string key(base64->text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(key.data()),
                                   bytes_of(base64->text), static_cast<int>(base64->text.size()));
  if (size < 0) return unreadable;
  key.resize(static_cast<std::size_t>(size) - base64->padding);
  return key;
}

std::string webhook_signature(std::string_view key, const WebhookMessage& message) {
  std::string content(message.id);
  content += '.';
  content += std::to_string(seconds_of(message.time));
  content += '.';
  content += message.body;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes_of(content), content.size(),
       digest.data(), &size);
  const std::string_view bytes(reinterpret_cast<const char*>(digest.data()), size);
  return std::string(kVersionPrefix) + to_base64(bytes);
}

Result<Headers> webhook_headers(std::span<const std::string> secrets,
                                const WebhookMessage& message) {
  Headers headers{{"webhook-id", std::string(message.id)},
                  {"webhook-timestamp", std::to_string(seconds_of(message.time))}};
  std::string signatures;
  for (const std::string& secret : secrets) {
    const auto key = webhook_key(secret);
    if (!key) return key.error();
    if (!signatures.empty()) signatures += ' ';
    signatures += webhook_signature(*key, message);
  }
  if (!signatures.empty()) headers.emplace_back("webhook-signature", std::move(signatures));
  return headers;
}

Status verify_webhook(std::span<const std::string> secrets, const Headers& headers,
                      std::string_view body, WallTime now, std::chrono::seconds tolerance) {
  const auto id = required(headers, "webhook-id");
  if (!id) return id.error();
  const auto timestamp = required(headers, "webhook-timestamp");
  if (!timestamp) return timestamp.error();
  const auto signatures = required(headers, "webhook-signature");
  if (!signatures) return signatures.error();
  const auto time = parse_timestamp(*timestamp);
  if (!time) return time.error();
  if (*time < now - tolerance || *time > now + tolerance)
    return Error{ErrorCode::bad_input, "webhook-timestamp is too far from now"};
  bool fits = false;
  for (const std::string& secret : secrets) {
    const auto key = webhook_key(secret);
    if (!key) return key.error();
    fits = has_signature(*signatures, webhook_signature(*key, {*id, *time, body})) || fits;
  }
  if (!fits) return Error{ErrorCode::bad_input, "no signature matches"};
  return Done{};
}

}  // namespace heddle::notify
