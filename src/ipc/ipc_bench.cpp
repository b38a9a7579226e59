// Two threads with an event loop each, like two processes, connected by a socket pair.
#include <memory>
#include <string>
#include <thread>

#include <benchmark/benchmark.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include "ipc/channel.hpp"
#include "ipc/rpc_peer.hpp"
#include "ipc/worker_messages.hpp"

namespace heddle::ipc {
namespace {

namespace asio = boost::asio;

Async<void> reply_to_all(Channel& channel) {
  for (;;) {
    auto frame = co_await channel.receive();
    if (!frame) co_return;
    auto status = co_await channel.send(std::move(*frame));
    if (!status) co_return;
  }
}

Async<void> receive_all(Channel& channel) {
  for (;;) {
    const auto frame = co_await channel.receive();
    if (!frame) co_return;
    if (frame->type == 1) channel.post({1, 0, ""});  // all earlier frames have arrived
  }
}

class PeerThread {
 public:
  using Work = Async<void> (*)(Channel&);

  PeerThread(FileDescriptor socket, Work work) {
    thread_ = std::thread([work, end = std::make_shared<FileDescriptor>(std::move(socket))] {
      asio::io_context loop;
      Channel channel(loop.get_executor(), std::move(*end));
      asio::co_spawn(loop, work(channel), asio::detached);
      loop.run();
    });
  }
  ~PeerThread() { thread_.join(); }
  PeerThread(const PeerThread&) = delete;
  PeerThread& operator=(const PeerThread&) = delete;

 private:
  std::thread thread_;
};

Async<void> send_and_receive(Channel& channel, benchmark::State& state) {
  const std::string body(static_cast<std::size_t>(state.range(0)), 'x');
  for (auto _ : state) {
    Frame frame{2, 0, body};
    static_cast<void>(co_await channel.send(std::move(frame)));
    const auto reply = co_await channel.receive();
    if (!reply) state.SkipWithError("closed");
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

void run_with(benchmark::State& state, PeerThread::Work there,
              Async<void> (*here)(Channel&, benchmark::State&)) {
  auto pair = make_socket_pair();
  const PeerThread other(std::move(pair->second), there);
  asio::io_context loop;
  Channel channel(loop.get_executor(), std::move(pair->first));
  asio::co_spawn(loop, here(channel, state), asio::detached);
  loop.run();
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

void round_trip(benchmark::State& state) {
  run_with(state, reply_to_all, send_and_receive);
}
BENCHMARK(round_trip)->Arg(50)->Arg(200'000)->UseRealTime();

void one_way(benchmark::State& state) {
  run_with(state, receive_all, send_all);
}
BENCHMARK(one_way)->Arg(50)->Arg(1'000)->Arg(200'000)->UseRealTime();

struct CallLoad {
  RpcPeer& peer;
  benchmark::State& state;
  int left;  // coroutines still running
  bool is_done = false;

  bool keep_running() {
    if (!is_done) is_done = !state.KeepRunning();
    return !is_done;
  }
};

Async<void> call_until_done(CallLoad& load) {
  while (load.keep_running()) {
    Frame request{2, 0, "question"};
    const auto reply = co_await load.peer.call(std::move(request));
    if (!reply) load.state.SkipWithError("closed");
  }
  if (--load.left == 0) load.peer.close();
}

// Both peers on one loop: the cost of a call without thread switches.
void rpc_calls(benchmark::State& state) {
  auto pair = make_socket_pair();
  asio::io_context loop;
  RpcPeer here(std::make_unique<Channel>(loop.get_executor(), std::move(pair->first)));
  RpcPeer there(std::make_unique<Channel>(loop.get_executor(), std::move(pair->second)));
  const RpcPeer::Handler nothing = [](const Frame&) -> Status { return Done{}; };
  const RpcPeer::Handler reply = [&](Frame frame) -> Status {
    const std::uint32_t number = frame.number;
    there.post_reply(number, std::move(frame));
    return Done{};
  };
  asio::co_spawn(loop, here.run(nothing), asio::detached);
  asio::co_spawn(loop, there.run(reply), asio::detached);
  CallLoad load{here, state, static_cast<int>(state.range(0))};
  for (int i = load.left; i > 0; --i) asio::co_spawn(loop, call_until_done(load), asio::detached);
  loop.run();
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(rpc_calls)->Arg(1)->Arg(100);

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
