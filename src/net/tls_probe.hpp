// Reads the certificate that a server presents, trusted or not.
#pragma once

#include <cstdint>
#include <string>

#include "base/async.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "model/web/address_guard.hpp"

namespace heddle::net {

class Resolver;

struct TlsFacts {
  std::string subject;  // RFC 2253: "CN=example.org,O=Example"
  std::string issuer;
  std::string serial;  // hexadecimal
  WallTime not_before{};
  WallTime not_after{};
  std::int64_t days_left = 0;  // whole days, negative when it has expired
  std::string fingerprint;     // SHA-256, "AB:CD:…"
};

// Trivial on purpose: GCC 12 destroys other aggregates twice inside co_await expressions.
struct TlsProbeOptions {
  const AddressGuard* guard = nullptr;  // the job's or Client::guard(); checks every address
  Resolver* resolver = nullptr;
  const Clock* clock = nullptr;
  std::chrono::milliseconds timeout{10'000};  // of the whole probe
};

// Resolves the host, connects to an address the guard permits and completes the handshake; sends
// nothing else. The objects in `options` must outlive the call. Cancelling or destroying the
// coroutine ends it.
Async<Result<TlsFacts>> tls_probe(std::string host, int port, TlsProbeOptions options);

}  // namespace heddle::net
