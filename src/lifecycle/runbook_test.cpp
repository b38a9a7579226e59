// docs/runbook.md describes every alert.
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "model/notify/system_alert.hpp"

namespace heddle {
namespace {

TEST(Runbook, HasASectionForEveryAlert) {
  std::ifstream file(HEDDLE_DOCS_DIR "/runbook.md");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  ASSERT_FALSE(text.empty());
  for (const AlertKind kind : kAllAlertKinds)
    EXPECT_NE(text.find("\n### " + std::string(to_text(kind)) + "\n"), std::string::npos)
        << "docs/runbook.md needs a section \"### " << to_text(kind) << "\"";
}

}  // namespace
}  // namespace heddle
