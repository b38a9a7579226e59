// JobBuilder makes a Job from its settings and checks values that depend on each other. Reads
// urls_file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "config/load_project.hpp"
#include "model/web/address_guard.hpp"
#include "model/web/url.hpp"

namespace heddle::config {

// What all jobs of a project share.
struct JobBuildContext {
  const Project& project;
  Job presets;
  AddressGuard fetch_guard;
  AddressGuard delivery_guard;
  std::uintmax_t longest_url_file = UINTMAX_MAX;  // longer ones are not read
  std::vector<Secret> secrets{};  // of settings of hosts: every job's requests may carry them
};

class JobBuilder {
 public:
  JobBuilder(const JobBuildContext& context, LoadedJob& loaded)
      : context_(context), loaded_(loaded), job_(context.presets) {}

  // Returns nullopt when the job has errors or uses a feature that is not available yet;
  // loaded.problems has the reason. Sets id and name of `loaded` where they can be determined.
  std::optional<Job> build();

 private:
  void resolve_name();
  void check_id(std::string_view id, const Setting* given);
  void add_urls();
  void add_single_url(const Setting& setting);
  void add_url_list(const Setting& setting);
  void add_urls_file(const Setting& setting);
  void warn_of_repeated_urls(const Setting& list);
  // `text` is the URL with ${…} in place of secrets.
  void add_url(const std::string& url, std::string_view text, const Origin& origin,
               std::string_view key, const Result<Url>& parsed);
  void add_secrets();
  void check_extraction();
  void watch_text_by_default();
  void use_text();
  void use_fixed_fields(std::vector<FieldRule> fields);
  void check_changes();
  void check_json_in();
  void check_namespaces();
  void check_kinds_of_selectors();
  void use_feed_fields();
  void refuse_extraction();
  void check_lists_of_fields();
  void check_field_names(const Setting& setting, const std::vector<std::string>& names);
  void check_schedule();
  void check_active_hours();
  void check_proxy();
  void check_expectations();
  void check_discovery();
  [[nodiscard]] bool may_have_links() const;
  [[nodiscard]] bool has_section(std::string_view prefix) const;
  void check_secrets(const Setting& secret);
  void check_webhook();
  void resolve_paths();
  void find_scripts();
  [[nodiscard]] std::filesystem::path beside(std::string_view name);

  [[nodiscard]] const Setting* find(std::string_view path) const;
  void report_problem(const Setting& at, std::string message,
                      ProblemSeverity severity = ProblemSeverity::error);
  void report_job_problem(std::string key, std::string message);
  [[nodiscard]] std::filesystem::path base_dir() const;  // the job's paths are relative to it

  const JobBuildContext& context_;
  LoadedJob& loaded_;
  Job job_;
};

// A hash of the job's values, the defaults, its URLs and scripts. Secrets count by their
// references.
std::string revision_of(const Settings& settings, const Job& job);

}  // namespace heddle::config
