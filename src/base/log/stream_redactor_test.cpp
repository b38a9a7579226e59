#include "base/log/stream_redactor.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

const std::vector<std::string> kSecrets{"open sesame", "first line\nsecond", "abab"};

TEST(StreamRedactor, FindsASecretSplitAnywhere) {
  const std::string text = "say open sesame now";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    StreamRedactor stream;
    std::string out = stream.feed(text.substr(0, cut), kSecrets);
    out += stream.feed(text.substr(cut), kSecrets);
    out += stream.finish(kSecrets);
    EXPECT_EQ(out, "say [redacted] now") << cut;
  }
}

TEST(StreamRedactor, FindsASecretOfSeveralLines) {
  StreamRedactor stream;
  EXPECT_EQ(stream.feed("a\nfirst line\n", kSecrets), "a\n");
  EXPECT_EQ(stream.feed("second\n", kSecrets), "[redacted]\n");
}

TEST(StreamRedactor, PassesOtherTextImmediately) {
  StreamRedactor stream;
  EXPECT_EQ(stream.feed("nothing to hide\n", kSecrets), "nothing to hide\n");
  EXPECT_EQ(stream.feed("open the door\n", kSecrets), "open the door\n");
}

TEST(StreamRedactor, ReleasesHeldTextThatIsNoSecret) {
  StreamRedactor stream;
  EXPECT_EQ(stream.feed("open ses", kSecrets), "");
  EXPECT_EQ(stream.feed("son", kSecrets), "open sesson");
}

TEST(StreamRedactor, FindsASecretThatBeginsWithItsOwnEnd) {
  StreamRedactor stream;
  EXPECT_EQ(stream.feed("xabab", kSecrets), "x[redacted]");
}

TEST(StreamRedactor, ShowsNoBeginningOfASecretAtTheEnd) {
  StreamRedactor stream;
  EXPECT_EQ(stream.feed("open sesam", kSecrets), "");
  EXPECT_EQ(stream.finish(kSecrets), "[redacted]");
  EXPECT_EQ(stream.feed("op", kSecrets), "");
  EXPECT_EQ(stream.finish(kSecrets), "op");
}

TEST(StreamRedactor, ShowsNoEndOfASecretAfterAGap) {
  StreamRedactor stream;
  EXPECT_EQ(stream.feed("before", kSecrets), "before");
  EXPECT_EQ(stream.finish(kSecrets), "");
  stream.skip();
  EXPECT_EQ(stream.feed("en ses", kSecrets), "") << "too short to tell";
  EXPECT_EQ(stream.feed("ame after\nopen sesame\n", kSecrets), "[redacted] after\n[redacted]\n");
  EXPECT_EQ(stream.feed("en sesame\n", kSecrets), "en sesame\n") << "there was no gap";
}

TEST(StreamRedactor, ShowsWhatFollowsAGapThoughItIsShort) {
  StreamRedactor stream;
  stream.skip();
  EXPECT_EQ(stream.feed("an end", kSecrets), "");
  EXPECT_EQ(stream.finish(kSecrets), "an end");
  stream.skip();
  EXPECT_EQ(stream.feed("e\nsecond", kSecrets), "");
  EXPECT_EQ(stream.finish(kSecrets), "[redacted]");
}

}  // namespace
}  // namespace heddle
