#include "model/notify/webhook_secret.hpp"

namespace heddle {

namespace {

constexpr std::string_view kPrefix = "whsec_";
constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::optional<Base64Text> webhook_secret_base64(std::string_view secret) {
  if (secret.starts_with(kPrefix)) secret.remove_prefix(kPrefix.size());
  const std::size_t padding = secret.ends_with("==") ? 2 : secret.ends_with("=") ? 1 : 0;
  const std::string_view digits = secret.substr(0, secret.size() - padding);
  if (digits.empty() || secret.size() % 4 != 0) return std::nullopt;
  if (digits.find_first_not_of(kDigits) != std::string_view::npos) return std::nullopt;
  return Base64Text{secret, padding};
}

}  // namespace heddle
