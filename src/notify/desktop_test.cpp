#include "notify/desktop.hpp"

#include <fstream>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::notify {
namespace {

class LinesLog final : public Log {
 public:
  void write(const LogMessage& message) override {
    lines.push_back(std::string(level_prefix(message.level)) + std::string(message.text));
  }
  std::vector<std::string> lines;
};

class DesktopChannel : public ::testing::Test {
 protected:
  // A fake notify-send that records its arguments and environment.
  void install_notify_send(const std::string& last_line) {
    const auto file = folder_.write("bin/notify-send",
                                    "#!/bin/sh\n/usr/bin/env > '" + path("env") +
                                        "'\nfor a in \"$@\"; do printf '%s\\n' \"$a\"; done > '" +
                                        path("args") + "'\n" + last_line + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }

  [[nodiscard]] std::string path(const char* name) const {
    return (folder_.path() / name).string();
  }

  [[nodiscard]] std::string content(const char* name) const {
    std::ostringstream text;
    text << std::ifstream(folder_.path() / name).rdbuf();
    return text.str();
  }

  void show(const Environment& environment) {
    Desktop desktop(environment, log_);
    DesktopMessage message{"New\nlamp", "<b>5 € & more</b>\nline two"};
    testing::run_async(desktop.show(std::move(message)));
  }

  testing::TemporaryFolder folder_;
  LinesLog log_;
};

TEST_F(DesktopChannel, RunsNotifySendWithTextThatIsNoMarkup) {
  install_notify_send("exit 0");
  show({{"PATH", path("bin")}, {"DISPLAY", ":0"}});

  EXPECT_EQ(content("args"),
            "--app-name=Heddle\n--expire-time=5000\n--\nNew lamp\n"
            "&lt;b&gt;5 € &amp; more&lt;/b&gt;\nline two\n");
  EXPECT_TRUE(log_.lines.empty());
}

TEST_F(DesktopChannel, PassesOnlyWhatTheSessionNeeds) {
  install_notify_send("exit 0");
  show({{"PATH", path("bin")}, {"WAYLAND_DISPLAY", "wayland-0"}, {"API_TOKEN", "hunter2"}});

  EXPECT_NE(content("env").find("WAYLAND_DISPLAY=wayland-0"), std::string::npos);
  EXPECT_EQ(content("env").find("hunter2"), std::string::npos);
}

TEST_F(DesktopChannel, LogsInsteadWithoutASession) {
  install_notify_send("exit 0");
  show({{"PATH", path("bin")}, {"DISPLAY", ""}});

  EXPECT_EQ(content("args"), "");
  EXPECT_EQ(log_.lines, std::vector<std::string>{"New lamp: <b>5 € & more</b> line two"});
}

TEST_F(DesktopChannel, LogsInsteadWithoutNotifySend) {
  show({{"PATH", path("bin")}, {"DISPLAY", ":0"}});
  EXPECT_EQ(log_.lines.size(), 1U);
}

TEST_F(DesktopChannel, WarnsInTheLogWhenNotifySendFails) {
  install_notify_send("exit 1");
  show({{"PATH", path("bin")}, {"DBUS_SESSION_BUS_ADDRESS", "unix:path=/x"}});

  ASSERT_EQ(log_.lines.size(), 1U);
  EXPECT_EQ(log_.lines[0],
            "warning: New lamp: <b>5 € & more</b> line two (not shown: notify-send: exit code 1)");
}

TEST(DesktopPayload, IsReadBack) {
  const auto message = parse_desktop_payload(R"({"title":"t","body":"b","timeout_ms":700})");
  ASSERT_TRUE(message);
  EXPECT_EQ(message->title, "t");
  EXPECT_EQ(message->body, "b");
  EXPECT_EQ(message->timeout.count(), 700);
}

TEST(DesktopPayload, AcceptsMissingPartsAndRefusesGarbage) {
  EXPECT_EQ(parse_desktop_payload("{}")->timeout.count(), 5000);
  EXPECT_FALSE(parse_desktop_payload("[]"));
  EXPECT_FALSE(parse_desktop_payload("{"));
}

}  // namespace
}  // namespace heddle::notify
