// Checks the format of a webhook signing secret: "whsec_" and base64. Pure; notify derives the key.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace heddle {

struct Base64Text {
  std::string_view text;  // without the prefix, padding included
  std::size_t padding = 0;
};

// The base64 of a secret; nullopt when it is none. The prefix "whsec_" may be left out.
std::optional<Base64Text> webhook_secret_base64(std::string_view secret);

inline constexpr std::string_view kWebhookSecretShape =
    "\"whsec_\" and 24 to 64 random bytes in base64, as `openssl rand -base64 32` prints them";

}  // namespace heddle
