// Decides whether a fetched page is the one that its job wants: the rules of [expect], and pages
// that a site returns in place of the wanted one (bot checks, log-ins, error pages).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/web/fetch.hpp"
#include "net/client.hpp"
#include "pages/classify/page_class.hpp"
#include "pipeline/extract.hpp"
#include "pipeline/fetch/fetch_page.hpp"
#include "pipeline/services.hpp"

namespace heddle::pipeline {

// Whether any status is a matter of [expect]: otherwise one outside 2xx is an HTTP error.
bool expects_status(const Job& job);
// Makes a response with an expected status a success and one with another status an error.
void judge_status(const Job& job, net::FetchOutcome& outcome);

// nullopt: the page has the texts that the job expects, or the job expects none.
std::optional<PageFailure> check_text(const CycleServices& services, JobSession& job,
                                      const Extracted& page);
std::optional<PageFailure> check_item_count(const Job& job, std::size_t items);

// What kind of page the body is; nullopt: it is not HTML, or too complex to say. `body` is UTF-8.
std::optional<pages::ClassifiedPage> classify_body(const CycleServices& services, JobSession& job,
                                                   const FetchResponse& response,
                                                   std::string_view body);
// The failure of a page that is a bot check or asks to log in, whatever else is wrong with it; its
// message begins with what the page is. nullopt: it is neither.
std::optional<PageFailure> find_wrong_page(const CycleServices& services, JobSession& job,
                                           const FetchResponse& response, std::string_view body,
                                           std::string_view problem);
// The failure of a wrong page.
PageFailure wrong_page_failure(RunError error);
// Gives a failed fetch the kind of the page that came with it, if that is a wrong one.
void recognize_wrong_page(const CycleServices& services, JobSession& job, FailedFetch& failed);
// Lets the host wait when it returned a wrong page: kinds of other failures do nothing.
void slow_down_behind(const CycleServices& services, ErrorKind kind, const std::string& url);

}  // namespace heddle::pipeline
