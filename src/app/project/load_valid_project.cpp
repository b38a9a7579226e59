#include "app/project/load_valid_project.hpp"

#include <algorithm>

#include "config/load_project.hpp"

namespace heddle::app {

Result<Project> load_valid_project(const std::filesystem::path& folder, std::string settings_text,
                                   const config::Environment& environment) {
  auto loaded = config::load_project(folder, environment, std::move(settings_text));
  const auto& problems = loaded.project_problems;
  const auto mistake = std::find_if(problems.begin(), problems.end(), [](const auto& problem) {
    return problem.severity == config::ProblemSeverity::error;
  });
  if (mistake != problems.end())
    return Error{ErrorCode::bad_input, config::to_text(*mistake) + " (`heddle check` shows all)"};
  return std::move(loaded.project);
}

}  // namespace heddle::app
