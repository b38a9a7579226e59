// Makes a Job out of its settings and checks what one value alone cannot show. Reads urls_file.
#pragma once

#include <optional>
#include <string>

#include "config/load_project.hpp"
#include "model/address_guard.hpp"

namespace heddle::config {

// What all jobs of a project share.
struct JobSurroundings {
  const Project& project;
  Job presets;
  AddressGuard fetch_guard;
  AddressGuard delivery_guard;
};

class JobBuilder {
 public:
  JobBuilder(const JobSurroundings& surroundings, LoadedJob& loaded)
      : around_(surroundings), loaded_(loaded), job_(surroundings.presets) {}

  // nullopt when the job has errors or asks for what is not there yet; loaded.problems says which.
  // Sets id and name of `loaded` as far as they can be made out.
  std::optional<Job> build();

 private:
  void name_it();
  void check_id(std::string_view id, const Setting* given);
  void take_urls();
  void take_single_url(const Setting& setting);
  void take_url_list(const Setting& setting);
  void take_urls_file(const Setting& setting);
  void remark_repeated_urls(const Setting& list);
  void take_url(const std::string& url, const Origin& origin, std::string_view key);
  void check_extraction();
  void check_field_names(const Setting& setting, const std::vector<std::string>& names);
  void check_schedule();
  void check_active_hours();
  void check_proxy();
  void check_secrets(const Setting& secret);
  void check_webhook();
  void resolve_paths();
  void find_scripts();
  [[nodiscard]] std::filesystem::path beside(std::string_view name);

  [[nodiscard]] const Setting* find(std::string_view path) const;
  void complain(const Setting& at, std::string message, Severity severity = Severity::error);
  void complain_about_job(std::string key, std::string message);
  [[nodiscard]] std::filesystem::path home() const;  // what the job's paths are relative to

  const JobSurroundings& around_;
  LoadedJob& loaded_;
  Job job_;
};

// Changes whenever a value of the job, a preset or its URLs do.
std::string revision_of(const Settings& settings, const Job& job);

}  // namespace heddle::config
