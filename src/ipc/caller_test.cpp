#include "ipc/caller.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gtest/gtest.h>

namespace heddle::ipc {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

Status ignore(const Frame& /*frame*/) {
  return Done{};
}

// Two callers, each the other's other side.
class Callers : public ::testing::Test {
 protected:
  Callers() {
    auto pair = make_socket_pair();
    left_ = make_caller(std::move(pair->first));
    right_ = make_caller(std::move(pair->second));
  }

  std::unique_ptr<Caller> make_caller(FileDescriptor socket) {
    return std::make_unique<Caller>(
        std::make_unique<Channel>(loop_.get_executor(), std::move(socket)));
  }

  void run(Caller& caller, Caller::Handler handler, std::optional<Status>& end) {
    asio::co_spawn(loop_, caller.run(std::move(handler)),
                   [&end](const std::exception_ptr& thrown, Status status) {
                     EXPECT_FALSE(thrown);
                     end = std::move(status);
                   });
  }

  // Left asks, right keeps the questions.
  void run_with_questions_kept() {
    run(*left_, ignore, left_end_);
    const auto keep = [this](Frame frame) -> Status {
      questions_.push_back(std::move(frame));
      return Done{};
    };
    run(*right_, keep, right_end_);
  }

  using Answers = std::vector<std::optional<Result<Frame>>>;
  void ask(Answers& answers, std::size_t place, std::optional<Deadline> deadline = {}) {
    Frame question{7, 0, "question " + std::to_string(place)};
    asio::co_spawn(loop_, left_->ask(std::move(question), deadline),
                   [&answers, place](const std::exception_ptr& thrown, Result<Frame> result) {
                     if (!thrown) answers[place] = std::move(result);
                   });
  }

  void poll() {
    loop_.restart();
    loop_.poll();
  }

  template <class Condition>
  void run_until(Condition condition) {
    loop_.restart();
    while (!condition()) ASSERT_GT(loop_.run_one_for(20s), 0U);
  }

  asio::io_context loop_;
  std::unique_ptr<Caller> left_;
  std::unique_ptr<Caller> right_;
  std::deque<Frame> questions_;
  std::optional<Status> left_end_;
  std::optional<Status> right_end_;
};

TEST_F(Callers, GetTheirAnswersInWhateverOrderTheyCome) {
  run_with_questions_kept();
  Answers answers(500);
  for (std::size_t i = 0; i < answers.size(); ++i) ask(answers, i);
  run_until([&] { return questions_.size() == answers.size(); });
  std::shuffle(questions_.begin(), questions_.end(), std::mt19937(3));
  for (const Frame& question : questions_) {
    EXPECT_EQ(question.type, 7);
    EXPECT_TRUE(right_->post_answer(question.number, {8, 0, "answer to " + question.body}));
  }
  run_until([&] { return left_->unanswered() == 0; });
  poll();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    ASSERT_TRUE(answers[i] && *answers[i]);
    EXPECT_EQ((*answers[i])->type, 8);
    EXPECT_EQ((*answers[i])->body, "answer to question " + std::to_string(i));
  }
}

TEST_F(Callers, MayAskEachOtherAtTheSameTimeWithTheSameNumbers) {
  const auto echo_by = [](Caller& caller) {
    return [&caller](Frame frame) -> Status {
      frame.body += "!";
      const std::uint32_t number = frame.number;
      caller.post_answer(number, std::move(frame));
      return Done{};
    };
  };
  run(*left_, echo_by(*left_), left_end_);
  run(*right_, echo_by(*right_), right_end_);
  std::vector<std::string> answers;
  for (Caller* caller : {left_.get(), right_.get()})
    for (int i = 0; i < 20; ++i)
      asio::co_spawn(loop_, caller->ask({1, 0, std::to_string(i)}),
                     [&answers, i](const std::exception_ptr&, Result<Frame> result) {
                       EXPECT_EQ(result->body, std::to_string(i) + "!");
                       answers.push_back(result->body);
                     });
  run_until([&] { return answers.size() == 40; });
}

TEST_F(Callers, GetUnavailableWhenTheOtherSideEnds) {
  run_with_questions_kept();
  Answers answers(3);
  for (std::size_t i = 0; i < answers.size(); ++i) ask(answers, i);
  run_until([&] { return questions_.size() == 3; });
  right_.reset();
  run_until([&] { return left_end_ && answers[0] && answers[1] && answers[2]; });
  for (const auto& answer : answers) EXPECT_EQ(answer->error().code, ErrorCode::unavailable);
  EXPECT_EQ(left_end_->error().code, ErrorCode::unavailable);
  EXPECT_FALSE(left_->is_open());
  Answers late(1);
  ask(late, 0);
  poll();
  EXPECT_EQ(late[0]->error().code, ErrorCode::unavailable);
}

TEST_F(Callers, GetUnavailableWhenTheyCloseThemselves) {
  run_with_questions_kept();
  Answers answers(2);
  for (std::size_t i = 0; i < answers.size(); ++i) ask(answers, i);
  poll();
  left_->close();
  poll();
  for (const auto& answer : answers) EXPECT_EQ(answer->error().code, ErrorCode::unavailable);
  EXPECT_EQ(left_end_->error().code, ErrorCode::unavailable);
}

TEST_F(Callers, MayBeDestroyedWhileTheirCoroutinesWait) {
  run_with_questions_kept();
  Answers answers(2);
  for (std::size_t i = 0; i < answers.size(); ++i) ask(answers, i);
  poll();
  left_.reset();
  poll();
  for (const auto& answer : answers) EXPECT_EQ(answer->error().code, ErrorCode::unavailable);
  EXPECT_TRUE(left_end_);
}

TEST_F(Callers, CallAnAnswerToNoQuestionCorrupt) {
  run_with_questions_kept();
  Answers answers(1);
  ask(answers, 0);
  run_until([&] { return questions_.size() == 1; });
  right_->post_answer(questions_[0].number + 1, {8, 0, "x"});
  run_until([&] { return left_end_.has_value() && answers[0]; });
  EXPECT_EQ(left_end_->error().code, ErrorCode::corrupt);
  EXPECT_EQ(answers[0]->error().code, ErrorCode::unavailable);
}

TEST_F(Callers, CallASecondAnswerCorrupt) {
  run_with_questions_kept();
  Answers answers(1);
  ask(answers, 0);
  run_until([&] { return questions_.size() == 1; });
  for (int i = 0; i < 2; ++i) right_->post_answer(questions_[0].number, {8, 0, "x"});
  run_until([&] { return left_end_.has_value() && answers[0]; });
  EXPECT_EQ(left_end_->error().code, ErrorCode::corrupt);
  EXPECT_EQ((*answers[0])->body, "x");
}

TEST_F(Callers, StopWaitingAtTheDeadlineAndDropTheLateAnswer) {
  run_with_questions_kept();
  Answers answers(2);
  ask(answers, 0, std::chrono::steady_clock::now() + 1ms);
  run_until([&] { return answers[0] && questions_.size() == 1; });
  EXPECT_EQ(answers[0]->error().code, ErrorCode::timeout);
  EXPECT_EQ(left_->unanswered(), 1U);
  right_->post_answer(questions_[0].number, {8, 0, "late"});
  ask(answers, 1);
  run_until([&] { return questions_.size() == 2; });
  right_->post_answer(questions_[1].number, {8, 0, "in time"});
  run_until([&] { return answers[1].has_value(); });
  EXPECT_EQ((*answers[1])->body, "in time");
  EXPECT_EQ(left_->unanswered(), 0U);
  EXPECT_FALSE(left_end_);
}

TEST_F(Callers, AreNotUpsetByAnAskerThatWasCancelled) {
  run_with_questions_kept();
  asio::cancellation_signal stop;
  bool was_cancelled = false;
  asio::co_spawn(loop_, left_->ask({7, 0, "cancelled"}),
                 asio::bind_cancellation_slot(stop.slot(), [&](const std::exception_ptr& thrown,
                                                               const Result<Frame>& /*result*/) {
                   was_cancelled = thrown != nullptr;
                 }));
  run_until([&] { return questions_.size() == 1; });
  stop.emit(asio::cancellation_type::terminal);
  run_until([&] { return was_cancelled; });
  right_->post_answer(questions_[0].number, {8, 0, "late"});
  Answers answers(1);
  ask(answers, 0);
  run_until([&] { return questions_.size() == 2; });
  right_->post_answer(questions_[1].number, {8, 0, "fine"});
  run_until([&] { return answers[0].has_value(); });
  EXPECT_EQ((*answers[0])->body, "fine");
}

TEST_F(Callers, EndWhenTheirReceiverIsCancelled) {
  asio::cancellation_signal stop;
  bool has_ended = false;
  asio::co_spawn(loop_, left_->run(ignore),
                 asio::bind_cancellation_slot(
                     stop.slot(), [&](const std::exception_ptr& thrown, const Status& /*status*/) {
                       has_ended = thrown != nullptr;
                     }));
  Answers answers(1);
  ask(answers, 0);
  poll();
  stop.emit(asio::cancellation_type::terminal);
  run_until([&] { return has_ended && answers[0]; });
  EXPECT_EQ(answers[0]->error().code, ErrorCode::unavailable);
  EXPECT_FALSE(left_->is_open());
}

TEST_F(Callers, EndWithTheHandlersFailure) {
  run(
      *left_,
      [](const Frame&) -> Status {
        return Error{ErrorCode::corrupt, "not understood"};
      },
      left_end_);
  right_->post({1, 0, "gibberish"});
  run_until([&] { return left_end_.has_value(); });
  EXPECT_EQ(left_end_->error().message, "not understood");
  EXPECT_FALSE(left_->is_open());
}

TEST_F(Callers, GiveNoticesToTheHandlerWithoutANumber) {
  run_with_questions_kept();
  EXPECT_TRUE(left_->post({3, 99, "notice"}));
  run_until([&] { return questions_.size() == 1; });
  EXPECT_EQ(questions_[0].number, 0U);
  EXPECT_TRUE(right_->post_answer(0, {8, 0, "nobody wants this"}));
  Answers answers(1);
  ask(answers, 0);
  run_until([&] { return questions_.size() == 2; });
  right_->post_answer(questions_[1].number, {8, 0, "fine"});
  run_until([&] { return answers[0].has_value(); });
  EXPECT_TRUE(*answers[0]);
}

TEST_F(Callers, RefuseTypesThatLookLikeAnswers) {
  EXPECT_THROW(left_->post({kAnswerBit, 0, ""}), std::invalid_argument);
  EXPECT_THROW(left_->post_answer(1, {kAnswerBit | 1, 0, ""}), std::invalid_argument);
}

TEST_F(Callers, RunOnce) {
  run_with_questions_kept();
  std::optional<Status> second;
  run(*left_, ignore, second);
  poll();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->error().code, ErrorCode::bug);
  EXPECT_TRUE(left_->is_open());
}

TEST_F(Callers, RefuseTooLongQuestions) {
  auto pair = make_socket_pair();
  Caller caller(std::make_unique<Channel>(loop_.get_executor(), std::move(pair->first),
                                          ChannelLimits{.max_frame = 100}));
  std::optional<Result<Frame>> answer;
  asio::co_spawn(
      loop_, caller.ask({1, 0, std::string(101, 'x')}),
      [&](const std::exception_ptr&, Result<Frame> result) { answer = std::move(result); });
  poll();
  EXPECT_EQ(answer->error().code, ErrorCode::bad_input);
}

TEST(Caller, DropsItsCoroutinesWithTheLoop) {
  auto loop = std::make_unique<asio::io_context>();
  auto pair = make_socket_pair();
  auto caller = std::make_unique<Caller>(
      std::make_unique<Channel>(loop->get_executor(), std::move(pair->first)));
  asio::co_spawn(*loop, caller->run(ignore), asio::detached);
  asio::co_spawn(*loop, caller->ask({1, 0, "x"}), asio::detached);
  loop->poll();
  caller.reset();
  loop.reset();  // the leak checker looks on
}

}  // namespace
}  // namespace heddle::ipc
