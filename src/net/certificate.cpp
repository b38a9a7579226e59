#include "net/certificate.hpp"

#include <array>
#include <chrono>
#include <ctime>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include "base/free_with.hpp"
#include "base/text.hpp"

namespace heddle::net {

namespace {

using Memory = std::unique_ptr<BIO, FreeWith<BIO_free_all>>;
using BigNumber = std::unique_ptr<BIGNUM, FreeWith<BN_free>>;

// Keeps non-ASCII letters unescaped.
constexpr unsigned long kNameStyle =
    XN_FLAG_RFC2253 & ~static_cast<unsigned long>(ASN1_STRFLGS_ESC_MSB);

std::string text_of(const X509_NAME* name) {
  const Memory out(BIO_new(BIO_s_mem()));
  if (!out || X509_NAME_print_ex(out.get(), name, 0, kNameStyle) < 0) return {};
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(out.get(), &bytes);
  return to_valid_utf8(std::string(bytes, static_cast<std::size_t>(size)));
}

std::string text_of(const ASN1_INTEGER* number) {
  const BigNumber big(ASN1_INTEGER_to_BN(number, nullptr));
  if (!big) return {};
  char* raw = BN_bn2hex(big.get());
  std::string text = raw != nullptr ? raw : "";
  OPENSSL_free(raw);
  return text;
}

std::optional<WallTime> time_of(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return std::nullopt;
  using namespace std::chrono;
  const auto day = year(parts.tm_year + 1900) / (parts.tm_mon + 1) / parts.tm_mday;
  return WallTime(sys_days(day)) + hours(parts.tm_hour) + minutes(parts.tm_min) +
         seconds(parts.tm_sec);
}

std::string fingerprint_of(const X509* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (X509_digest(certificate, EVP_sha256(), digest.data(), &size) != 1) return {};
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{}{:02X}", i > 0 ? ":" : "", digest[i]);
  return text;
}

}  // namespace

std::optional<WallTime> end_of_validity(const X509& certificate) {
  return time_of(X509_get0_notAfter(&certificate));
}

Result<TlsFacts> read_certificate(const X509* certificate, WallTime now) {
  if (certificate == nullptr)
    return Error{ErrorCode::unavailable, "the server showed no certificate"};
  const auto not_before = time_of(X509_get0_notBefore(certificate));
  const auto not_after = time_of(X509_get0_notAfter(certificate));
  if (!not_before || !not_after)
    return Error{ErrorCode::unavailable, "the certificate's dates cannot be read"};
  TlsFacts facts;
  facts.subject = text_of(X509_get_subject_name(certificate));
  facts.issuer = text_of(X509_get_issuer_name(certificate));
  facts.serial = text_of(X509_get0_serialNumber(certificate));
  facts.not_before = *not_before;
  facts.not_after = *not_after;
  facts.days_left = std::chrono::floor<std::chrono::days>(*not_after - now).count();
  facts.fingerprint = fingerprint_of(certificate);
  return facts;
}

}  // namespace heddle::net
