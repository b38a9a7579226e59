#include "config/read/values/references.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/read/values/toml_value.hpp"

namespace heddle::config {

namespace {

void add_texts(const TomlValue& value, std::string_view key, std::vector<std::string>& out) {
  if (const std::string* text = value.text()) out.push_back(*text);
  if (const TomlList* list = value.list())
    for (const TomlValue& element : *list) add_texts(element, key, out);
  if (const TomlTable* table = value.table())
    if (const TomlValue* found = find_entry(*table, key)) add_texts(*found, key, out);
}

const Setting* find_good(const Settings& settings, std::string_view path) {
  const auto found = settings.find(path);
  if (found == settings.end() || has_errors(found->second.problems)) return nullptr;
  return &found->second;
}

Problem problem_at(const Setting& at, std::string message) {
  return {at.origin.file, at.origin.line, at.label, std::move(message)};
}

std::string missing(std::string_view thing, const std::string& name,
                    const std::set<std::string>& known) {
  const std::vector<std::string_view> names(known.begin(), known.end());
  std::string message = fmt::format("there is no {} {}", thing, in_quotes(name));
  if (const auto nearest = nearest_name(name, names))
    message += fmt::format(", did you mean {}?", in_quotes(*nearest));
  return message;
}

// [channels.a.b]: the name may contain dots; the length of the key and of a map's entry is known.
std::set<std::string> channel_names(const Settings& settings) {
  std::set<std::string> names;
  for (const auto& [path, setting] : settings) {
    if (!path.starts_with(kChannels) || setting.key == nullptr) continue;
    std::string_view name = std::string_view(path).substr(kChannels.size());
    if (const auto* entry = std::get_if<NamedText>(&setting.value))
      name.remove_suffix(std::min(name.size(), entry->first.size() + 1));
    name.remove_suffix(std::min(name.size(), setting.key->name.size() + 1));
    if (!name.empty()) names.emplace(name);
  }
  return names;
}

void check_channels(const Setting* at, const std::set<std::string>& known,
                    std::vector<Problem>& problems) {
  if (at == nullptr) return;
  for (const std::string& name : texts_of(*at, "to"))
    if (!known.contains(name))
      problems.push_back(problem_at(*at, missing("channel", name, known) +
                                             "; channels are [channels.NAME] of "
                                             "heddle.toml"));
}

TriggerOn trigger_from(std::string_view word) {
  if (word == "failed") return TriggerOn::failed;
  return word == "finished" ? TriggerOn::finished : TriggerOn::completed;
}

// Collects the jobs of `after`: plain names, or tables with a name and the run state that triggers.
void add_dependencies(const TomlValue& value, std::vector<UpstreamTrigger>& out) {
  if (const std::string* text = value.text()) out.push_back({JobId{*text}});
  if (const TomlList* list = value.list())
    for (const TomlValue& element : *list) add_dependencies(element, out);
  const TomlTable* table = value.table();
  if (table == nullptr) return;
  const TomlValue* on = find_entry(*table, "on");
  const std::string* word = on == nullptr ? nullptr : on->text();
  std::vector<std::string> names;
  add_texts(value, "job", names);
  for (std::string& name : names)
    out.push_back({JobId{std::move(name)}, trigger_from(word == nullptr ? "" : *word)});
}

std::vector<UpstreamTrigger> dependencies_of(const Setting& setting) {
  std::vector<UpstreamTrigger> out;
  // Tables are kept as the TOML they were written in.
  const auto parsed = parse_toml("value = " + setting.effective);
  if (const auto* document = std::get_if<TomlValue>(&parsed))
    add_dependencies(*find_entry(*document->table(), "value"), out);
  return out;
}

// Resolves `after` of all jobs and refuses cyclic dependencies.
class DependencyGraph {
 public:
  explicit DependencyGraph(Loaded& loaded) : loaded_(loaded) {
    for (Job& job : loaded.project.jobs) built_.emplace(job.id.text, &job);
    for (const LoadedJob& job : loaded.jobs)
      if (!job.id.text.empty()) ids_.insert(job.id.text);
  }

  void check() {
    for (LoadedJob& job : loaded_.jobs) add(job);
    for (LoadedJob& job : loaded_.jobs) refuse_cycle(job);
  }

 private:
  void add(LoadedJob& job) {
    const Setting* after = find_good(job.settings, "after");
    if (after == nullptr) return;
    const auto built = built_.find(job.id.text);
    for (UpstreamTrigger& dependency : dependencies_of(*after)) {
      const LoadedJob* other = loaded_.find_job(dependency.job.text);
      if (other == nullptr) {
        job.problems.push_back(problem_at(*after, missing("job", dependency.job.text, ids_)));
      } else if (!other->id.text.empty()) {
        dependencies_[job.id.text].insert(other->id.text);
        dependency.job = other->id;
        if (built != built_.end()) built->second->after.push_back(std::move(dependency));
      }
    }
  }

  void refuse_cycle(LoadedJob& job) {
    const Setting* after = find_good(job.settings, "after");
    if (after == nullptr || job.id.text.empty()) return;
    const auto cycle = cycle_through(job.id.text);
    if (!cycle.empty())
      job.problems.push_back(
          problem_at(*after, fmt::format("`after` has a cycle: {}", fmt::join(cycle, " -> "))));
  }

  // Returns "a -> b -> a", or an empty list. Iterative, because chains may be long.
  [[nodiscard]] std::vector<std::string> cycle_through(const std::string& start) const {
    std::map<std::string, std::string> reached_from;  // predecessor of each job
    std::vector<std::string> open{start};
    while (!open.empty() && !reached_from.contains(start)) {
      const std::string at = std::move(open.back());
      open.pop_back();
      const auto next = dependencies_.find(at);
      if (next == dependencies_.end()) continue;
      for (const std::string& other : next->second)
        if (reached_from.emplace(other, at).second) open.push_back(other);
    }
    if (!reached_from.contains(start)) return {};
    std::vector<std::string> cycle{start};
    do {
      cycle.push_back(reached_from.at(cycle.back()));
    } while (cycle.back() != start);
    std::reverse(cycle.begin(), cycle.end());
    return cycle;
  }

  Loaded& loaded_;
  std::set<std::string> ids_;
  std::map<std::string, Job*> built_;  // by id
  std::map<std::string, std::set<std::string>> dependencies_;
};

}  // namespace

std::vector<std::string> texts_of(const Setting& setting, std::string_view key) {
  std::vector<std::string> out;
  // Tables are kept as the TOML they were written in.
  const auto parsed = parse_toml("value = " + setting.effective);
  if (const auto* document = std::get_if<TomlValue>(&parsed))
    add_texts(*find_entry(*document->table(), "value"), key, out);
  return out;
}

void check_references(Loaded& loaded, bool project_file_ok) {
  DependencyGraph(loaded).check();
  if (!project_file_ok) return;
  const std::set<std::string> channels = channel_names(loaded.project_settings);
  check_channels(find_good(loaded.project_settings, "alerts.to"), channels,
                 loaded.project_problems);
  for (LoadedJob& job : loaded.jobs)
    for (const std::string_view key : {"notify", "alert"})
      check_channels(find_good(job.settings, key), channels, job.problems);
}

}  // namespace heddle::config
