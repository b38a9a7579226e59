#include "views/dead_letter_view.hpp"

#include <gtest/gtest.h>

namespace heddle::views {
namespace {

std::string json_of(const DeadLetter& letter) {
  JsonWriter json;
  write_dead_letter(json, letter);
  return json.take();
}

TEST(DeadLetterView, WritesTheAddressOfAPage) {
  DeadLetter letter;
  letter.id = 17;
  letter.job = JobId{"shop"};
  letter.run = RunId{"r1"};
  letter.task = 4;
  letter.payload = "http://x/";
  letter.error_kind = "timeout";
  letter.error = "took too long";
  letter.attempts = 3;
  letter.slot = "worker 1";

  EXPECT_EQ(json_of(letter),
            R"({"id":17,"origin":"page","job_id":"shop","run_id":"r1","task":4,"url":"http://x/",)"
            R"("error_kind":"timeout","error":"took too long","attempts":3,)"
            R"("first_failed_at":"1970-01-01T00:00:00.000Z",)"
            R"("last_failed_at":"1970-01-01T00:00:00.000Z","slot":"worker 1"})");
}

TEST(DeadLetterView, WritesTheTextOfAMessage) {
  DeadLetter letter;
  letter.origin = DeadLetterOrigin::delivery;
  letter.delivery = DeliveryId{"d1"};
  letter.payload = "{}";

  EXPECT_EQ(json_of(letter),
            R"({"id":0,"origin":"delivery","job_id":"","run_id":"","delivery":"d1","payload":"{}",)"
            R"("error_kind":"","error":"","attempts":0,)"
            R"("first_failed_at":"1970-01-01T00:00:00.000Z",)"
            R"("last_failed_at":"1970-01-01T00:00:00.000Z"})");
}

}  // namespace
}  // namespace heddle::views
