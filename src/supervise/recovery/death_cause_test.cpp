#include "supervise/recovery/death_cause.hpp"

#include <csignal>

#include <gtest/gtest.h>

namespace heddle::supervise {
namespace {

DeathFacts left(int code) {
  DeathFacts facts;
  facts.exit.exit_code = code;
  return facts;
}

DeathFacts killed(int signal, KillCause cause = KillCause::none) {
  DeathFacts facts;
  facts.exit.signal = signal;
  facts.kill_cause = cause;
  facts.kill_detail = "because";
  return facts;
}

DeathFacts while_draining(DeathFacts facts) {
  facts.announced_draining = true;
  return facts;
}

DeathFacts with_stop_request(DeathFacts facts) {
  facts.was_stop_requested = true;
  return facts;
}

struct Case {
  const char* name;
  DeathFacts facts;
  SlotEventKind reason;
  bool may_recover;
};

class DeathClassification : public ::testing::TestWithParam<Case> {};

TEST_P(DeathClassification, MatchesTheTable) {
  const auto cause = classify_death(GetParam().facts);
  EXPECT_EQ(name_of(cause.reason), name_of(GetParam().reason));
  EXPECT_EQ(cause.may_recover, GetParam().may_recover);
  EXPECT_FALSE(cause.detail.empty());
}

DeathFacts with_term(DeathFacts facts) {
  facts.was_sent_term = true;
  return facts;
}

std::vector<Case> cases() {
  using enum SlotEventKind;
  using enum KillCause;
  return {
      {"zero", left(0), unpublished, true},
      {"failure", left(7), crash, true},
      {"signal", killed(SIGSEGV), crash, true},
      {"kill", killed(SIGKILL), crash, true},
      {"zero_draining", while_draining(left(0)), normal_exit, false},
      {"failure_draining", while_draining(left(7)), crash, false},
      {"signal_draining", while_draining(killed(SIGBUS)), crash, false},
      {"zero_asked", with_stop_request(left(0)), normal_exit, false},
      {"failure_asked", with_stop_request(left(1)), normal_exit, false},
      {"zero_asked_draining", with_stop_request(while_draining(left(0))), normal_exit, false},
      {"term_asked", with_stop_request(with_term(killed(SIGTERM))), normal_exit, false},
      {"term_by_a_stranger", killed(SIGTERM), crash, true},
      {"term_by_a_stranger_asked", with_stop_request(killed(SIGTERM)), crash, false},
      {"kill_at_deadline", with_stop_request(killed(SIGKILL, stop_timed_out)), normal_exit, false},
      {"kill_of_one_that_is_not_wanted", with_stop_request(killed(SIGKILL, not_wanted)),
       normal_exit, false},
      {"kill_by_a_stranger_asked", with_stop_request(killed(SIGKILL)), crash, false},
      {"fault_asked", with_stop_request(killed(SIGSEGV)), crash, false},
      {"hung", killed(SIGKILL, hung), crash, true},
      {"hung_draining", while_draining(killed(SIGKILL, hung)), crash, false},
      {"bad_frame", killed(SIGKILL, bad_frame), crash, true},
      {"bad_frame_asked", with_stop_request(killed(SIGKILL, bad_frame)), crash, false},
      {"lingered", killed(SIGKILL, lingered), unpublished, true},
      {"left_before_the_kill",
       [] {
         auto f = left(0);
         f.kill_cause = hung;
         return f;
       }(),
       unpublished, true},
      {"fault_before_the_kill", killed(SIGSEGV, lingered), crash, true},
  };
}

INSTANTIATE_TEST_SUITE_P(Of, DeathClassification, ::testing::ValuesIn(cases()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(DeathDetail, NamesTheKillCauseOnlyWhenTheKillEndedTheProcess) {
  EXPECT_EQ(
      classify_death(killed(SIGKILL, KillCause::hung)).detail.find("because") == std::string::npos,
      false);
  EXPECT_EQ(classify_death(killed(SIGSEGV, KillCause::hung)).detail.find("because"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::supervise
