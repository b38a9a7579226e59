#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/secrets/secret_mask.hpp"
#include "base/secrets/secret_text.hpp"

namespace heddle {
namespace {

const std::vector<Secret> kNamedSecrets{{"${env:TOKEN}", "s3cret/x y"},
                                        {"[redacted]", "literal-1"}};

std::string resolved(std::string_view text) {
  auto found = resolve_references(text, kNamedSecrets);
  return found ? *found : "error: " + found.error().message;
}

TEST(SecretText, ResolvesToItsValues) {
  EXPECT_EQ(resolved("a=${env:TOKEN}&b=${env:TOKEN}"), "a=s3cret/x y&b=s3cret/x y");
  EXPECT_EQ(resolved("no reference: $5, ${other}, ${env:"), "no reference: $5, ${other}, ${env:");
}

TEST(SecretText, ResolvesNoReferenceThatTheJobDoesNotHave) {
  EXPECT_EQ(resolved("${env:HOME}"),
            "error: ${env:HOME} is not in the job's configuration any more");
  EXPECT_EQ(resolved("${file:/etc/passwd}"),
            "error: ${file:/etc/passwd} is not in the job's configuration any more");
}

TEST(SecretText, IsAlsoWrittenForTextsThatOnlyLookLikeIt) {
  for (const char* text : {"${env:TOKEN}", "$${env:TOKEN}", "$$${file:x}", "$", "$$", "a$b", "",
                           "${env:TOKEN}${env:TOKEN}"})
    EXPECT_EQ(resolved(escape_references(text)), text) << text;
  EXPECT_EQ(escape_references("https://x.test/?a=$1"), "https://x.test/?a=$1");
}

std::string masked(std::string text, const std::vector<Secret>& secrets = kNamedSecrets) {
  SecretMask(secrets).apply(text);
  return text;
}

TEST(SecretMask, ReplacesValuesByWhatIsShown) {
  EXPECT_EQ(masked("s3cret/x y, literal-1."), "${env:TOKEN}, [redacted].");
  EXPECT_EQ(masked("nothing"), "nothing");
  EXPECT_TRUE(SecretMask().is_empty());
}

TEST(SecretMask, FindsTheEncodingsOfUrlsJsonAndHtml) {
  for (const char* text :
       {"s3cret%2Fx%20y", "s3cret%2fx%20y", "s3cret/x%20y", "s3cret%2Fx+y", "s3cret\\/x y"})
    EXPECT_EQ(masked(text), "${env:TOKEN}") << text;
  const std::vector<Secret> marks{{"${env:M}", "a<b>&'\"c!"}};
  for (const char* text : {"a&lt;b&gt;&amp;&#39;&quot;c!", "a&lt;b&gt;&amp;'&quot;c!",
                           "a%3Cb%3E%26'%22c!", "a%3Cb%3E&%27%22c!", "a<b>&'\\\"c!"})
    EXPECT_EQ(masked(text, marks), "${env:M}") << text;
}

TEST(SecretMask, PrefersTheLongerOfTwoOverlappingSecrets) {
  EXPECT_EQ(masked("token-long token", {{"${env:A}", "token"}, {"${env:B}", "token-long"}}),
            "${env:B} ${env:A}");
}

TEST(SecretMask, IgnoresValuesThatAreTooShort) {
  EXPECT_EQ(masked("port 80", {{"${env:PORT}", "80"}, {"${env:NONE}", ""}}), "port 80");
}

}  // namespace
}  // namespace heddle
