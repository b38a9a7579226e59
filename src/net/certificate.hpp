// Reads the fields of an X.509 certificate. Pure. Internal to the module.
#pragma once

#include <openssl/types.h>

#include "base/result.hpp"
#include "base/time.hpp"
#include "net/tls_probe.hpp"

namespace heddle::net {

// nullptr: the server showed none.
Result<TlsFacts> read_certificate(const X509* certificate, WallTime now);

}  // namespace heddle::net
