#include "model/notify/envelope.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

const Item kLamp{
    {{"title", "Lamp \"L\""}, {"link", "https://shop.example/1"}}, {"lamp", "led"}, ""};
const Item kDesk{{{"title", "Desk"}, {"keywords", "not mine"}}, {"led", "oak"}, ""};

Envelope two_items() {
  Envelope envelope;
  envelope.id = {"01ID"};
  envelope.time = *parse_iso8601("2026-03-12T10:00:00.250Z");
  envelope.job = {"shop"};
  envelope.job_name = "Shop";
  envelope.run = {"01RUN"};
  envelope.url = "https://shop.example/?q=1";
  envelope.items = {&kLamp, &kDesk};
  return envelope;
}

TEST(WebhookBody, ContainsTheEnvelopeAndTheFlatItems) {
  EXPECT_EQ(webhook_body(two_items()),
            R"({"version":1,"id":"01ID","event":"item.new","time":"2026-03-12T10:00:00.250Z",)"
            R"("job":{"id":"shop","name":"Shop"},"run_id":"01RUN",)"
            R"("url":"https://shop.example/?q=1","severity":"info","summary":"Shop: 2 new items",)"
            R"("items":[{"title":"Lamp \"L\"","link":"https://shop.example/1",)"
            R"("keywords":["lamp","led"]},{"title":"Desk","keywords":["led","oak"]}],)"
            R"("changes":[],"job_name":"Shop","item_count":2})");
}

TEST(WebhookBody, ContainsChangesAndTheGivenSummary) {
  Envelope envelope;
  envelope.summary = "Lamp got cheaper";
  envelope.changes = {{"lamp", "price", "10", "8"}};

  const std::string body = webhook_body(envelope);

  EXPECT_NE(body.find(R"("summary":"Lamp got cheaper")"), std::string::npos);
  EXPECT_NE(
      body.find(
          R"("changes":[{"key":"lamp","field":"price","before":"10","after":"8","significance":"medium"}])"),
      std::string::npos);
}

TEST(WebhookBody, CountsOneItemInTheSingular) {
  Envelope envelope = two_items();
  envelope.items.pop_back();
  EXPECT_NE(webhook_body(envelope).find("1 new item\""), std::string::npos);
}

TEST(DesktopPayload, FillsTheTemplatesOfTheRule) {
  NotificationRule rule;
  rule.title = "{job_name}: {item_count}";
  rule.body = "{title} {matches} {match_count} {timestamp} {url} {unknown}";
  rule.timeout = std::chrono::milliseconds(700);

  EXPECT_EQ(desktop_payload(rule, two_items()),
            R"({"title":"Shop: 2","body":"Lamp \"L\" lamp, led, oak 3 2026-03-12T10:00:00.250Z )"
            R"(https://shop.example/?q=1 {unknown}","timeout_ms":700})");
}

TEST(DesktopPayload, PutsTheTitleOnOneLineAndDropsControlCharacters) {
  Item item;
  item.fields = {{"t", "a\nb\x1b"}};
  Envelope envelope;
  envelope.items = {&item};
  NotificationRule rule;
  rule.title = "{t}";
  rule.body = "{t}";

  EXPECT_EQ(desktop_payload(rule, envelope), R"({"title":"a b","body":"a\nb","timeout_ms":5000})");
}

TEST(DesktopPayload, ShortensHugeValues) {
  Item item;
  item.fields = {{"t", std::string(100'000, 'x')}};
  Envelope envelope;
  envelope.items = {&item};
  NotificationRule rule;
  rule.title = "{t}";
  rule.body = "{t}{t}";

  EXPECT_LT(desktop_payload(rule, envelope).size(), 5000U);
}

}  // namespace
}  // namespace heddle
