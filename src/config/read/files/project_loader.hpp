// ProjectLoader reads the files of one project in order and collects the result of load_project().
// Use it once.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/load_project.hpp"
#include "config/read/files/project_files.hpp"
#include "config/read/job_builder.hpp"
#include "config/read/layer_reader.hpp"
#include "config/read/values/substitute.hpp"

namespace heddle::config {

class ProjectLoader {
 public:
  ProjectLoader(const std::filesystem::path& root, const Environment& environment);
  // Replaces the content of heddle.toml.
  void use_settings(std::string text) { settings_text_ = std::move(text); }
  void use_draft(DraftFile draft) { draft_ = std::move(draft); }
  // Their jobs have no URLs then.
  void skip_long_url_files() { skips_long_url_files_ = true; }
  Loaded load();
  // Without the jobs.
  Loaded load_settings();

 private:
  bool begin();
  [[nodiscard]] std::vector<std::filesystem::path> job_files();
  ProjectFiles::Document read_or_draft(const std::filesystem::path& file, std::size_t max_bytes);
  void read_project_file();
  void read_job_layers(const TomlTable& table);
  void finish_project();
  void check_budgets();
  void check_ca_file();

  void read_jobs_file();
  void add_listed_job(const TomlValue& value);
  void read_job_folder(const std::filesystem::path& file);
  void add_job(LoadedJob job, const TomlTable& table);
  [[nodiscard]] std::size_t inherited_memory(const Settings& own) const;
  // Counts memory of a job; false when the project has too much, which becomes the job's problem.
  bool take_memory(LoadedJob& job, std::size_t bytes);
  Settings merged_layers(const Settings& own, std::vector<Problem>& problems);
  const Settings* find_group(const Setting& given, std::vector<Problem>& problems);
  void build_jobs();
  void refuse_shared_ids();
  void drop_unusable_jobs();

  void collect_secrets();
  void collect_problems();

  std::filesystem::path root_;
  const Environment& environment_;
  std::optional<std::string> settings_text_;
  std::optional<DraftFile> draft_;
  Loaded loaded_;
  std::vector<Problem> file_problems_;  // of whole files and of unused layers
  ProjectFiles files_;
  Substitutor substitutor_;
  LayerReader reader_;
  bool project_file_ok_ = true;
  bool skips_long_url_files_ = false;
  std::size_t memory_of_jobs_ = 0;    // estimated
  std::size_t memory_of_layers_ = 0;  // that each job inherits, without its group
  Settings defaults_;
  std::map<std::string, Settings, std::less<>> groups_;
  std::map<std::string, std::size_t, std::less<>> memory_of_groups_;
};

}  // namespace heddle::config
