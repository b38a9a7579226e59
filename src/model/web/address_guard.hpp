// Decides which addresses Heddle may connect to: only public ones, unless [network] lists more.
// An immutable, pure value, so that the check at configuration time and the one at the socket
// agree. Thread-safe (const).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/job/job.hpp"
#include "model/web/address.hpp"
#include "model/web/url.hpp"

namespace heddle {

// fetch: pages and scripts. delivery: endpoints from the configuration (channels, proxies, remote
// browsers), for which [network] allow_delivery applies too.
enum class TrafficClass { fetch, delivery };

class AddressGuard {
 public:
  // Refuses an entry that is neither CIDR, address nor host name ("*.example.org" allowed).
  static Result<AddressGuard> make(const NetworkRules& rules, TrafficClass traffic);
  AddressGuard() = default;  // public addresses only

  // A guard that also refuses what `deny` lists: a job may narrow, never widen.
  [[nodiscard]] Result<AddressGuard> narrowed_by(const std::vector<std::string>& deny) const;

  // Why this address must not be connected to for this host name; nullopt: permitted.
  [[nodiscard]] std::optional<std::string> refusal(std::string_view host,
                                                   const IpAddress& address) const;
  // Why a host must not even be resolved: its name is denied, or it is a refused literal address.
  [[nodiscard]] std::optional<std::string> refusal_before_connecting(std::string_view host) const;
  // Whether `allow` lists this very name, so that every address it resolves to is permitted.
  [[nodiscard]] bool allows_host(std::string_view host) const;

  // Equal keys mean equal decisions: connections may be shared between such guards.
  [[nodiscard]] const std::string& key() const { return key_; }

 private:
  struct Rules {
    std::vector<AddressRange> ranges;
    std::vector<std::string> hosts;  // lower case; "*.example.org" for all names below

    Status add(const std::string& entry, std::string_view list);
    [[nodiscard]] bool has_address(const IpAddress& address) const;
    [[nodiscard]] bool has_host(std::string_view host) const;
    [[nodiscard]] std::string key() const;
  };

  [[nodiscard]] std::string how_to_permit() const;

  Rules allow_;
  Rules deny_;
  TrafficClass traffic_ = TrafficClass::fetch;
  std::string key_;
};

// For `check`: a warning when the URL's host is written as an address that will be refused.
std::optional<std::string> literal_address_warning(const Url& url, const AddressGuard& guard);

// "[::1]" or "127.0.0.1" as it stands in Url::host(); nullopt for names.
std::optional<IpAddress> literal_address(std::string_view host);

}  // namespace heddle
