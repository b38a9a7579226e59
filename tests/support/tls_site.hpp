// TlsSite is a real TLS server on 127.0.0.1: nginx with a certificate of its own for 127.0.0.1 and
// tls.example. Tests that need it are skipped where nginx or openssl is not installed.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include "tests/support/temporary_folder.hpp"

namespace heddle::testing {

class TlsSite {
 public:
  static bool is_available() {
    return std::system("command -v nginx openssl >/dev/null 2>&1") == 0;
  }

  // The certificate is valid for so many days. `location`: what nginx does with every request.
  explicit TlsSite(int days, std::string_view location = "root www;") {
    const std::string make_certificate = fmt::format(
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days {1} "
        "-subj /CN=tls.example -addext subjectAltName=DNS:tls.example,IP:127.0.0.1 "
        "-keyout {0}/key.pem -out {0}/cert.pem 2>/dev/null",
        folder_.path().string(), days);
    if (std::system(make_certificate.c_str()) != 0) return;
    folder_.write("nginx.conf", configuration(location));
    start();
    for (int i = 0; i < 500 && !is_listening(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ~TlsSite() {
    if (process_ <= 0) return;
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
  }
  TlsSite(const TlsSite&) = delete;
  TlsSite& operator=(const TlsSite&) = delete;

  [[nodiscard]] bool is_listening() const {
    boost::asio::io_context loop;
    boost::asio::ip::tcp::socket socket(loop);
    boost::system::error_code failure;
    socket.connect({boost::asio::ip::address_v4::loopback(), port_}, failure);
    return !failure;
  }
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::string url(std::string_view host = "127.0.0.1") const {
    return fmt::format("https://{}:{}/", host, port_);
  }
  // What trusts it.
  [[nodiscard]] std::string ca_file() const { return (folder_.path() / "cert.pem").string(); }
  // The page at "/", unless the location is another one.
  void show(std::string_view page) const { folder_.write("www/index.html", std::string(page)); }

 private:
  static std::uint16_t free_port() {
    boost::asio::io_context loop;
    const boost::asio::ip::tcp::acceptor acceptor(loop,
                                                  {boost::asio::ip::address_v4::loopback(), 0});
    return acceptor.local_endpoint().port();
  }

  [[nodiscard]] std::string configuration(std::string_view location) const {
    return fmt::format(
        "daemon off; master_process off; pid {0}/pid; error_log {0}/error.log;\n"
        "events {{}}\n"
        "http {{ access_log off; client_body_temp_path {0}/t1; proxy_temp_path {0}/t2;\n"
        "  fastcgi_temp_path {0}/t3; uwsgi_temp_path {0}/t4; scgi_temp_path {0}/t5;\n"
        "  types {{ text/html html; }}\n"
        "  server {{ listen 127.0.0.1:{1} ssl http2; ssl_certificate {0}/cert.pem;\n"
        "    ssl_certificate_key {0}/key.pem;\n"
        "    location / {{ {2} }} }} }}\n",
        folder_.path().string(), port_, location);
  }

  void start() {
    std::string config = (folder_.path() / "nginx.conf").string();
    std::string prefix = folder_.path().string();
    std::string log = (folder_.path() / "error.log").string();
    std::string program = "nginx", c = "-c", p = "-p", e = "-e";
    char* arguments[] = {program.data(), c.data(), config.data(), p.data(),
                         prefix.data(),  e.data(), log.data(),    nullptr};
    if (posix_spawnp(&process_, "nginx", nullptr, nullptr, arguments, environ) != 0) process_ = 0;
  }

  TemporaryFolder folder_;
  std::uint16_t port_ = free_port();
  pid_t process_ = 0;
};

}  // namespace heddle::testing
