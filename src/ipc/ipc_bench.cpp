// Two threads with an event loop each, as two processes would have, connected by a socket pair.
#include <memory>
#include <string>
#include <thread>

#include <benchmark/benchmark.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include "ipc/caller.hpp"
#include "ipc/channel.hpp"
#include "ipc/values/page.hpp"

namespace heddle::ipc {
namespace {

namespace asio = boost::asio;

Async<void> answer_all(Channel& channel) {
  for (;;) {
    auto frame = co_await channel.receive();
    if (!frame) co_return;
    auto status = co_await channel.send(std::move(*frame));
    if (!status) co_return;
  }
}

Async<void> swallow_all(Channel& channel) {
  for (;;) {
    const auto frame = co_await channel.receive();
    if (!frame) co_return;
    if (frame->type == 1) channel.post({1, 0, ""});  // everything before it has come
  }
}

class OtherSide {
 public:
  using Work = Async<void> (*)(Channel&);

  OtherSide(FileDescriptor socket, Work work) {
    thread_ = std::thread([work, end = std::make_shared<FileDescriptor>(std::move(socket))] {
      asio::io_context loop;
      Channel channel(loop.get_executor(), std::move(*end));
      asio::co_spawn(loop, work(channel), asio::detached);
      loop.run();
    });
  }
  ~OtherSide() { thread_.join(); }
  OtherSide(const OtherSide&) = delete;
  OtherSide& operator=(const OtherSide&) = delete;

 private:
  std::thread thread_;
};

Async<void> ask_and_wait(Channel& channel, benchmark::State& state) {
  const std::string body(static_cast<std::size_t>(state.range(0)), 'x');
  for (auto _ : state) {
    Frame frame{2, 0, body};
    static_cast<void>(co_await channel.send(std::move(frame)));
    const auto answer = co_await channel.receive();
    if (!answer) state.SkipWithError("closed");
  }
  channel.close();
}

Async<void> send_all(Channel& channel, benchmark::State& state) {
  const std::string body(static_cast<std::size_t>(state.range(0)), 'x');
  for (auto _ : state) {
    Frame frame{2, 0, body};
    const auto status = co_await channel.send(std::move(frame));
    if (!status) state.SkipWithError("closed");
  }
  channel.post({1, 0, ""});
  static_cast<void>(co_await channel.receive());
  channel.close();
}

void run_with(benchmark::State& state, OtherSide::Work there,
              Async<void> (*here)(Channel&, benchmark::State&)) {
  auto pair = make_socket_pair();
  const OtherSide other(std::move(pair->second), there);
  asio::io_context loop;
  Channel channel(loop.get_executor(), std::move(pair->first));
  asio::co_spawn(loop, here(channel, state), asio::detached);
  loop.run();
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

void there_and_back(benchmark::State& state) {
  run_with(state, answer_all, ask_and_wait);
}
BENCHMARK(there_and_back)->Arg(50)->Arg(200'000)->UseRealTime();

void one_way(benchmark::State& state) {
  run_with(state, swallow_all, send_all);
}
BENCHMARK(one_way)->Arg(50)->Arg(1'000)->Arg(200'000)->UseRealTime();

struct Askers {
  Caller& caller;
  benchmark::State& state;
  int left;  // who still ask
  bool is_done = false;

  bool go_on() {
    if (!is_done) is_done = !state.KeepRunning();
    return !is_done;
  }
};

Async<void> ask_until_done(Askers& askers) {
  while (askers.go_on()) {
    Frame question{2, 0, "question"};
    const auto answer = co_await askers.caller.ask(std::move(question));
    if (!answer) askers.state.SkipWithError("closed");
  }
  if (--askers.left == 0) askers.caller.close();
}

// Both callers in one loop: the cost of a question and its answer without waiting for a thread.
void questions(benchmark::State& state) {
  auto pair = make_socket_pair();
  asio::io_context loop;
  Caller here(std::make_unique<Channel>(loop.get_executor(), std::move(pair->first)));
  Caller there(std::make_unique<Channel>(loop.get_executor(), std::move(pair->second)));
  const Caller::Handler nothing = [](const Frame&) -> Status { return Done{}; };
  const Caller::Handler answer = [&](Frame frame) -> Status {
    const std::uint32_t number = frame.number;
    there.post_answer(number, std::move(frame));
    return Done{};
  };
  asio::co_spawn(loop, here.run(nothing), asio::detached);
  asio::co_spawn(loop, there.run(answer), asio::detached);
  Askers askers{here, state, static_cast<int>(state.range(0))};
  for (int i = askers.left; i > 0; --i)
    asio::co_spawn(loop, ask_until_done(askers), asio::detached);
  loop.run();
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(questions)->Arg(1)->Arg(100);

PageResult page_with_items(int count) {
  PageResult page;
  page.lease = {{{"01HZZZZZZZZZZZZZZZZZZZZZZZ"}, 7, "https://shop.example.org/catalogue?page=3"},
                9};
  page.job = {"shop"};
  page.final_url = page.lease.task.url;
  for (int i = 0; i < count; ++i) {
    KeyedItem keyed{hash128(std::to_string(i)), {}};
    keyed.item.fields = {{"title", "The long way home, volume " + std::to_string(i)},
                         {"price", std::to_string(i) + ".99"},
                         {"url", "https://shop.example.org/catalogue/the-long-way-home-volume-" +
                                     std::to_string(i) + "/index.html"}};
    page.keys.push_back(keyed.key);
    page.new_items.push_back(std::move(keyed));
  }
  page.snapshot = Snapshot{hash128("page"), 198'000, std::string(30'000, 'z')};
  return page;
}

void pack_page(benchmark::State& state) {
  const PageResult page = page_with_items(300);
  std::size_t bytes = 0;
  for (auto _ : state) {
    const std::string message = packed(page);
    benchmark::DoNotOptimize(message.data());
    bytes += message.size();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}
BENCHMARK(pack_page);

void unpack_page(benchmark::State& state) {
  const std::string message = packed(page_with_items(300));
  for (auto _ : state) {
    auto page = unpacked<PageResult>(message);
    benchmark::DoNotOptimize(page);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(message.size()));
}
BENCHMARK(unpack_page);

}  // namespace
}  // namespace heddle::ipc
