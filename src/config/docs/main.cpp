// Writes docs/configuration.md, docs/roadmap.md and docs/heddle.schema.json from the key table.
// usage: config_docs DOCS_FOLDER
#include <filesystem>
#include <fstream>
#include <iostream>

#include "config/explain.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: config_docs DOCS_FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder(argv[1]);
  std::ofstream page(folder / "configuration.md", std::ios::binary);
  page << heddle::config::reference_page();
  std::ofstream roadmap(folder / "roadmap.md", std::ios::binary);
  roadmap << heddle::config::roadmap_page();
  std::ofstream schema(folder / "heddle.schema.json", std::ios::binary);
  schema << heddle::config::json_schema();
  return page.good() && roadmap.good() && schema.good() ? 0 : 1;
}
