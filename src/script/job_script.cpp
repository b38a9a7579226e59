#include "script/job_script.hpp"

#include "script/job_vm.hpp"

namespace heddle::script {

Result<std::unique_ptr<JobScript>> JobScript::make(const JobScriptSettings& settings,
                                                   VmHost& host) {
  auto vm = Vm::make(settings, host);
  if (!vm) return std::move(vm).error();
  std::unique_ptr<JobScript> script = std::make_unique<JobVm>(std::move(*vm));
  return script;
}

}  // namespace heddle::script
