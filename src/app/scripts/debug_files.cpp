#include "app/scripts/debug_files.hpp"

#include <fstream>

#include <fmt/format.h>

#include "base/files/private_files.hpp"
#include "base/log/redact.hpp"
#include "model/json.hpp"

namespace heddle::app {

namespace {

std::string fields_json(const pipeline::Artefacts& artefacts) {
  JsonWriter json;
  json.begin_object().field("url", artefacts.response.url);
  json.field("status", artefacts.response.status).key("headers").begin_object();
  for (const Header& header : artefacts.response.headers) json.field(header.first, header.second);
  json.end_object().key("items").begin_array();
  for (const Item& item : artefacts.items) {
    json.begin_object();
    for (const Field& field : item.fields) json.field(field.first, field.second);
    json.end_object();
  }
  return json.end_array().end_object().take();
}

}  // namespace

Result<std::vector<std::filesystem::path>> write_debug_files(const Project& project, const Job& job,
                                                             const Task& task,
                                                             const pipeline::Artefacts& artefacts) {
  const auto folder = project.job_data_dir(job);
  if (const std::error_code failed = make_private_folders(folder))
    return Error{ErrorCode::unavailable,
                 fmt::format("cannot make {}: {}", folder.string(), failed.message())};
  const std::pair<std::filesystem::path, std::string> files[] = {
      {folder / fmt::format("response-{}.html", task.number), artefacts.body},
      {folder / fmt::format("fields-{}.json", task.number), fields_json(artefacts)}};
  std::vector<std::filesystem::path> written;
  for (const auto& [file, text] : files) {
    make_private_file(file);
    std::ofstream out(file, std::ios::binary);
    out << redact(text, project.secrets);
    out.close();
    if (!out) return Error{ErrorCode::unavailable, "cannot write " + file.string()};
    written.push_back(file);
  }
  return written;
}

}  // namespace heddle::app
