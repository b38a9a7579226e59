#include <gtest/gtest.h>

#include "script/library/library_testing.hpp"

namespace heddle::script {
namespace {

TEST(EnvGet, GivesNilAndNotNothingForWhatIsNotThere) {
  EXPECT_EQ(run_sandboxed("return select('#', env_get('X')), json_encode(env_get('X')), "
                          "tostring(env_get('HOME'))"),
            "1|null|nil");
}

}  // namespace
}  // namespace heddle::script
