#include "model/redact.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace heddle {
namespace {

const std::vector<std::string> kSecrets{"hunter22", "ab", ""};

TEST(Redact, BlanksOutEverySecretWhereverItStands) {
  EXPECT_EQ(redact("hunter22 says hunter22!", kSecrets), "*** says ***!");
}

TEST(Redact, LeavesTextWithoutSecretsAlone) { EXPECT_EQ(redact("nothing here", kSecrets), "nothing here"); }

TEST(Redact, DoesNotBlankOutWhatIsTooShortToBeASecret) { EXPECT_EQ(redact("about", kSecrets), "about"); }

}  // namespace
}  // namespace heddle
