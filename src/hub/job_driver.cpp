#include "hub/job_driver.hpp"

#include <utility>

#include "lifecycle/run_keeper.hpp"
#include "lifecycle/waiting_run.hpp"

namespace heddle::hub {

using lifecycle::JobAction;

JobDriver::JobDriver(boost::asio::any_io_executor loop, DriverParts parts, DriverRules rules)
    : parts_(std::move(parts)),
      rules_(rules),
      book_(parts_),
      places_(rules.runs_in_parallel,
              [this](JobEntry& entry, std::string trigger, RunPlaces::HeldPlace place) {
                tools_.spawn(start(entry, std::move(trigger), std::move(place)));
              }),
      quotas_(book_, places_, parts_),
      patience_(parts_.log, rules.waits_for_store),
      course_(book_, quotas_, patience_, parts_,
              {[this](const FinishedRun& finished) { return on_ended(finished); },
               [this](const Run& run) { return !followers_of(run).empty(); },
               [this](JobEntry& entry) { tools_.spawn(resume_when_idle(entry)); }}),
      tools_{std::move(loop), book_, places_, quotas_, course_, patience_, parts_},
      actions_(tools_),
      leftovers_(tools_) {}

void JobDriver::set_rules(const DriverRules& rules) {
  rules_ = rules;
  patience_.set_endless(rules.waits_for_store);
  places_.set_count(rules.runs_in_parallel);
}

void JobDriver::leave() {
  is_leaving_ = true;
  places_.close();
  patience_.end();
  book_.planned().ring();
}

const Job* JobDriver::find_job(const JobId& job) const {
  const JobEntry* found = book_.find(job);
  return found == nullptr || !found->is_there ? nullptr : &found->job;
}

bool JobDriver::has_unwritten(const JobId& job) const {
  const JobEntry* found = book_.find(job);
  return found != nullptr && found->unwritten;
}

Async<Result<JobLife>> JobDriver::act(JobId job, JobAction action, bool at_once) {
  auto acted = co_await actions_.act(job, action, at_once);
  JobEntry* entry = book_.find(job);
  const bool is_new_life = acted && action == JobAction::start;
  if (!is_new_life || entry == nullptr || !entry->is_there) co_return acted;
  auto synced = co_await sync(*entry);
  if (!synced) co_return std::move(synced).error();
  co_return life_of(*entry);
}

Async<Result<FinishedRun>> JobDriver::run_now(JobId job, RunFollower* follower,
                                              std::function<void(const Run&)> on_begun) {
  RunWish wish;
  wish.trigger = "manual";
  wish.follower = follower;
  wish.on_begun = std::move(on_begun);
  co_return co_await run_wish(std::move(job), std::move(wish));
}

Async<Result<FinishedRun>> JobDriver::retry_letters(JobId job, std::vector<LetterId> letters,
                                                    RunFollower* follower,
                                                    std::function<void(const Run&)> on_begun) {
  RunWish wish;
  wish.trigger = lifecycle::kDeadLetterTrigger;
  wish.follower = follower;
  wish.on_begun = std::move(on_begun);
  wish.letters = std::move(letters);
  wish.run = RunId{make_unique_id(parts_.clock.now())};
  co_return co_await run_wish(std::move(job), std::move(wish));
}

Async<Result<FinishedRun>> JobDriver::run_wish(JobId job, RunWish wish) {
  JobEntry* entry = book_.find(job);
  if (entry == nullptr) co_return Error{ErrorCode::not_found, "there is no job '" + job.text + "'"};
  if (entry->is_busy()) co_return no_trigger(*entry, life_of(*entry));
  auto place = places_.take(*entry);
  auto day = co_await quotas_.claim(*entry);
  if (!day) co_return std::move(day).error();
  wish.pages_left = day->pages_left;
  auto entered = co_await course_.enter(*entry, wish.trigger, wish.run);
  if (!entered) co_return std::move(entered).error();
  co_return co_await course_.run(*entry, std::move(wish), std::move(place));
}

Async<void> JobDriver::start(JobEntry& entry, std::string trigger, RunPlaces::HeldPlace place) {
  if (trigger == lifecycle::kResumeTrigger) co_return co_await go_on(entry, std::move(place));
  const WallTime since = entry.wish->since;
  const auto day = co_await quotas_.claim(entry);
  if (!day) {
    parts_.log.info(day.error().message);
    co_return co_await drop_wish(entry);
  }
  std::function<Async<Result<JobLife>>()> attempt = [this, &entry, &trigger] {
    return course_.enter(entry, trigger, std::nullopt, true);
  };
  auto entered =
      co_await patience_.insist<JobLife>("job '" + entry.job.name + "'", std::move(attempt));
  if (!entered) {
    // Somebody paused or stopped it meanwhile, or the store cannot be written.
    parts_.log.warn(entered.error().message);
    if (book_.is_storage_full()) co_await hold(entry.job.id);
    co_return co_await drop_wish(entry);
  }
  if (parts_.on_begun_late && trigger == "time") parts_.on_begun_late(parts_.clock.now() - since);
  RunWish wish;
  wish.trigger = std::move(trigger);
  wish.pages_left = day->pages_left;
  co_await course_.run_unfollowed(entry, std::move(wish), std::move(place));
}

// A place is free for the paused run of the job.
Async<void> JobDriver::go_on(JobEntry& entry, RunPlaces::HeldPlace place) {
  std::function<Async<Result<JobLife>>()> attempt = [this, &entry, &place] {
    return actions_.resume_with(entry, place);
  };
  const auto resumed =
      co_await patience_.insist<JobLife>("job '" + entry.job.name + "'", std::move(attempt));
  if (resumed) co_return;
  parts_.log.warn(resumed.error().message);
  co_await drop_wish(entry);
}

// Its run could not begin. What is in the store stays there while that cannot be written.
Async<void> JobDriver::drop_wish(JobEntry& entry) {
  if (places_.is_closed()) co_return;  // the next daemon takes it up
  lifecycle::JobKeeper::Edit edit = [this, &entry](JobChange& change) {
    if (!entry.is_waiting) entry.wish.reset();
    book_.keep_plans(entry, change.now);
  };
  auto noting = book_.keeper().note(entry.job.id, std::move(edit));
  const auto noted = co_await std::move(noting);
  if (!noted) parts_.log.warn(noted.error().message);
}

Async<void> JobDriver::on_ended(const FinishedRun& finished) {
  const std::set<JobId> nobody;  // knows it yet
  if (parts_.on_run_ended) parts_.on_run_ended(finished);
  if (!followers_of(finished.run).empty()) co_await tell_followers(finished.run, nobody);
}

}  // namespace heddle::hub
