// Feeds any bytes as a configuration file: parses, prints, reads as project and as job. Aborts when
// the printed text cannot be parsed again or a problem contains a secret.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

#include "base/log/redact.hpp"
#include "config/read/bind.hpp"
#include "config/read/job_builder.hpp"
#include "config/read/layer_reader.hpp"
#include "config/read/values/toml_value.hpp"
#include "config/show_config.hpp"

namespace heddle::config {
namespace {

constexpr std::string_view kSecret = "5EC2E7-5EC2E7";

void require(bool is_true) {
  if (!is_true) std::abort();
}

void check_printing(const TomlValue& document) {
  for (const TomlEntry& entry : *document.table()) {
    const std::string printed = to_toml(entry.value);
    const auto again = parse_toml("k = " + printed);
    const auto* value = std::get_if<TomlValue>(&again);
    // Printing adds one level, which may exceed the limit.
    const auto* error = std::get_if<SyntaxError>(&again);
    require(value != nullptr || error->message == "values are nested too deeply");
    if (value != nullptr) require(to_toml(*find_entry(*value->table(), "k")) == printed);
  }
}

void check_problems(const Settings& settings) {
  for (const auto& [path, setting] : settings) {
    require(setting.written.find(kSecret) == std::string::npos);
    for (const Problem& problem : setting.problems) {
      require(!problem.message.empty() && problem.line > 0);
      require(redact(problem.message, {std::string(kSecret)}).find(kSecret) == std::string::npos);
    }
  }
}

Environment fake_environment() {
  Environment machine;
  machine.variable = [](const std::string& name) -> std::optional<std::string> {
    if (name == "SECRET") return std::string(kSecret);
    return std::nullopt;
  };
  machine.zoneinfo = "/nonexistent";
  return machine;
}

void read_as_job(const TomlTable& table, LayerReader& reader) {
  LoadedJob loaded;
  loaded.origin = {"config.toml", 1};
  loaded.settings = reader.read(table, section_named("job"), {"config.toml", {}, nullptr});
  reader.finish(loaded.settings, {{"city", "Berlin"}});
  check_problems(loaded.settings);
  const Project project;
  const JobBuildContext context{project, job_of_presets(), {}, {}};
  const auto job = JobBuilder(context, loaded).build();
  require(!job || !job->id.text.empty());
  require(!job || job->kind != JobKind::web || (!job->urls.empty() && !job->fields.empty()));
  require(job || !loaded.problems.empty());
  require(!show_config(loaded).empty());
}

void read_as_project(const TomlTable& table, LayerReader& reader) {
  const Vars none;
  const Settings settings =
      reader.read(table, section_named("project"), {"heddle.toml", {}, &none});
  check_problems(settings);
  Project project;
  bind_project(settings, project);
}

void check(std::string_view text) {
  const auto parsed = parse_toml(text);
  const auto* document = std::get_if<TomlValue>(&parsed);
  if (document == nullptr) return require(std::get<SyntaxError>(parsed).line > 0);
  check_printing(*document);
  const Environment machine = fake_environment();
  Substitutor substitutor("/nonexistent", machine);
  LayerReader reader(substitutor, machine);
  read_as_job(*document->table(), reader);
  read_as_project(*document->table(), reader);
}

}  // namespace
}  // namespace heddle::config

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  heddle::config::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
