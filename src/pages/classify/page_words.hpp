// The phrases by which pages say that they are a login page, an error or a bot wall, or that they
// offer a service; in many languages.
#pragma once

#include <string_view>

#include "pages/outline/phrases.hpp"

namespace heddle::pages {

inline constexpr int kLogsIn = 1;
inline constexpr int kRegisters = 2;
inline constexpr int kResetsPassword = 3;
inline constexpr int kMustLogIn = 4;  // "you must be logged in"
const PhraseSet& access_phrases();

inline constexpr int kNotFound = 1;
inline constexpr int kServerFailed = 2;
inline constexpr int kForbidden = 3;
inline constexpr int kErrorNumber = 4;  // "404" alone
const PhraseSet& error_phrases();

inline constexpr int kChallenge = 1;       // hardly said by anything else
inline constexpr int kChallengeMaybe = 2;  // "captcha", "access denied"
const PhraseSet& challenge_phrases();

inline constexpr int kOffersService = 1;
const PhraseSet& service_phrases();

// The largest part of the text that one phrase of the set makes up, and its meaning.
struct PhraseShare {
  int meaning = 0;
  double share = 0;
};
// Looks at each part of a title ("Not found | Shop") by itself. `folded` as fold_case writes it.
PhraseShare largest_share(const PhraseSet& phrases, std::string_view folded);

}  // namespace heddle::pages
