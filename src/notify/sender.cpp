#include "notify/sender.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "model/notify/template.hpp"
#include "net/hosts/retry_after.hpp"
#include "notify/webhook_signature.hpp"

namespace heddle::notify {

namespace {

constexpr std::chrono::seconds kPatience{30};
constexpr std::size_t kQuotedBytes = 200;
constexpr int kGone = 410;

// The engine's headers come last and replace those of the job's configuration.
void set_header(Headers& headers, const std::string& name, std::string value) {
  std::erase_if(headers,
                [&](const Header& header) { return equals_ignoring_case(header.first, name); });
  headers.emplace_back(name, std::move(value));
}

Result<FetchRequest> make_request(const Delivery& delivery, WebhookRule webhook, WallTime now) {
  auto signature = webhook_headers(webhook.secrets, {delivery.id.text, now, delivery.payload});
  if (!signature) return std::move(signature.error());
  FetchRequest request;
  request.url = std::move(webhook.url);
  request.method = "POST";
  request.headers = std::move(webhook.headers);
  if (find_header(request.headers, "Content-Type") == nullptr)
    request.headers.emplace_back("Content-Type", "application/json");
  set_header(request.headers, "Idempotency-Key", delivery.id.text);
  for (auto& [name, value] : *signature) set_header(request.headers, name, std::move(value));
  request.body = delivery.payload;
  request.timeout = kPatience;
  request.max_redirects = 0;
  return request;
}

SendOutcome failed(SendResult result, std::string error) {
  return {result, std::move(error)};
}

// One line of the receiver's response, for people.
std::string describe_refusal(const FetchResponse& response) {
  const std::string said =
      escape_text(utf8_prefix(trim(response.body), kQuotedBytes), TextFormat::single_line);
  std::string text = fmt::format("the receiver answered {}", response.status);
  if (response.status >= 300 && response.status < 400) text += " (redirects are not followed)";
  return said.empty() ? text : text + ": " + said;
}

SendOutcome outcome_of(const FetchResponse& response, WallTime now) {
  if (response.status >= 200 && response.status < 300) return {SendResult::delivered};
  SendOutcome outcome{SendResult::try_again, describe_refusal(response)};
  if (response.status == kGone) outcome.result = SendResult::give_up;
  if (const std::string* wanted = find_header(response.headers, "Retry-After"))
    outcome.retry_after = net::parse_retry_after(*wanted, now);
  return outcome;
}

SendOutcome outcome_of(const PostOutcome& outcome, WallTime now) {
  if (const auto* response = std::get_if<FetchResponse>(&outcome))
    return outcome_of(*response, now);
  const auto& error = std::get<FetchError>(outcome);
  if (error.response) return outcome_of(*error.response, now);
  return {SendResult::try_again, fmt::format("{}: {}", to_text(error.kind), error.message)};
}

}  // namespace

Async<SendOutcome> Sender::send(Delivery delivery, WebhookRule webhook) {
  if (delivery.kind == DeliveryKind::desktop) co_return co_await show(std::move(delivery));
  co_return co_await post(std::move(delivery), std::move(webhook));
}

Async<SendOutcome> Sender::post(Delivery delivery, WebhookRule webhook) {
  if (webhook.url.empty())
    co_return failed(SendResult::try_again, "the job no longer has a webhook.url");
  auto request = make_request(delivery, std::move(webhook), clock_.now());
  if (!request) co_return failed(SendResult::try_again, request.error().message);
  const PostOutcome outcome = co_await poster_.post(std::move(*request));
  co_return outcome_of(outcome, clock_.now());
}

Async<SendOutcome> Sender::show(Delivery delivery) {
  auto message = parse_desktop_payload(delivery.payload);
  if (!message) co_return failed(SendResult::give_up, message.error().message);
  co_await desktop_.show(std::move(*message));
  co_return SendOutcome{SendResult::delivered};
}

}  // namespace heddle::notify
