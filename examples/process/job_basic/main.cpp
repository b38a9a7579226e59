// Two jobs: one that succeeds, one that fails.
#include <iostream>

#include <heddle/jobs.hpp>

namespace {

heddle::jobs::Spec job(const std::string& name, const std::string& command) {
  heddle::jobs::Spec spec;
  spec.name = name;
  spec.command = command;
  return spec;
}

void run(heddle::jobs::Runner& runner, const heddle::jobs::Spec& spec) {
  const heddle::jobs::Status end = runner.start(spec).wait();
  std::cout << spec.name << ": " << to_text(end);
  if (!end.message.empty()) std::cout << ": " << end.message;
  std::cout << std::endl;
}

}  // namespace

int main() {
  const auto runner = heddle::jobs::Runner::create();
  run(*runner, job("greeting", "echo hello"));
  run(*runner, job("mistake", "exit 3"));
}
