// Reads the fields of an X.509 certificate. Pure. Internal to the module.
#pragma once

#include <optional>

#include <openssl/types.h>

#include "base/result.hpp"
#include "base/time.hpp"
#include "net/tls_probe.hpp"

namespace heddle::net {

// The end of its validity; nullopt: it cannot be read.
std::optional<WallTime> end_of_validity(const X509& certificate);

// nullptr: the server showed none.
Result<TlsFacts> read_certificate(const X509* certificate, WallTime now);

}  // namespace heddle::net
