// LayerReader turns one table of a file into Settings: unknown keys, invalid values and keys
// without effect become problems of their setting. Not thread-safe: it shares the project's
// Substitutor.
#pragma once

#include <string>

#include "config/environment.hpp"
#include "config/read/values/read_value.hpp"
#include "config/read/values/substitute.hpp"
#include "config/settings.hpp"

namespace heddle::config {

class LayerReader {
 public:
  LayerReader(Substitutor& substitutor, const Environment& environment)
      : substitutor_(substitutor), environment_(environment) {}

  struct Source {
    std::string file;            // relative to the project
    std::string label;           // prefix of keys in problems: "groups.shops."; usually empty
    const Vars* vars = nullptr;  // nullptr: finish() fills texts with {{…}}
  };
  Settings read(const TomlTable& table, const Section& section, const Source& source);

  // Substitutes the job's vars in texts that read() left open.
  void finish(Settings& settings, const Vars& vars);

 private:
  // The table that is being read.
  struct Scope {
    const Source& source;
    std::string path;       // ends in "." unless empty
    bool is_later = false;  // an outer table is not available yet and has the notice
  };

  void read_section(const TomlTable& table, const Section& section, const Scope& scope,
                    Settings& out);
  void read_entry(const TomlEntry& entry, const Key& key, const Scope& scope, Settings& out);
  void read_below(const TomlEntry& entry, const Key& key, const Scope& scope, Settings& out);
  void read_named_tables(const TomlEntry& entry, const Key& key, const Scope& scope, Settings& out);
  void read_map(const TomlEntry& entry, const Key& key, const Scope& scope, Settings& out);
  Setting read_setting(const TomlEntry& entry, const Key& key, const Scope& scope);
  Setting make_setting(const TomlEntry& entry, const Key* key, const Scope& scope);
  void evaluate(Setting& setting, const TomlEntry& entry, const Vars* vars);

  // A copy with all texts substituted; a problem for each that cannot be.
  TomlValue fill(const TomlValue& value, const Vars* vars, ValueProblems& value_problems);

  Substitutor& substitutor_;
  const Environment& environment_;
};

}  // namespace heddle::config
