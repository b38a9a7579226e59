// Calls a control verb of the project's daemon. Include from source files only.
#pragma once

#include "cli/command_context.hpp"
#include "control/client.hpp"

namespace heddle::cli {

// `not_found` when no daemon runs.
template <class Request, class Response>
Result<Response> call_daemon(CommandContext& context, const Project& project,
                             const control::Verb<Request, Response>& verb, const Request& request) {
  auto client = context.backend.connect(project);
  if (!client) return std::move(client).error();
  return (*client)->call(verb, request);
}

}  // namespace heddle::cli
