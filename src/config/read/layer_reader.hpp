// Turns one table of a file into Settings: unknown keys, wrong values and keys without effect
// become problems of their setting. Not thread-safe: it shares the project's Substitutor.
#pragma once

#include <string>

#include "config/environment.hpp"
#include "config/read/read_value.hpp"
#include "config/read/substitute.hpp"
#include "config/settings.hpp"

namespace heddle::config {

class LayerReader {
 public:
  LayerReader(Substitutor& substitutor, const Environment& environment)
      : substitutor_(substitutor), environment_(environment) {}

  struct Source {
    std::string file;            // relative to the project
    std::string label;           // before every key in problems: "groups.shops."; mostly empty
    const Vars* vars = nullptr;  // nullptr: texts with {{…}} wait for finish()
  };
  Settings read(const Table& table, const Section& section, const Source& source);

  // Fills in what waited for the job's vars.
  void finish(Settings& settings, const Vars& vars);

 private:
  // Where the walk stands.
  struct Place {
    const Source& source;
    std::string path;       // ends in "." unless empty
    bool is_later = false;  // a table above is not available yet, and says so itself
  };

  void read_section(const Table& table, const Section& section, const Place& place, Settings& out);
  void read_entry(const Entry& entry, const Key& key, const Place& place, Settings& out);
  void read_below(const Entry& entry, const Key& key, const Place& place, Settings& out);
  void read_named_tables(const Entry& entry, const Key& key, const Place& place, Settings& out);
  void read_map(const Entry& entry, const Key& key, const Place& place, Settings& out);
  Setting read_setting(const Entry& entry, const Key& key, const Place& place);
  Setting make_setting(const Entry& entry, const Key* key, const Place& place);
  void evaluate(Setting& setting, const Entry& entry, const Vars* vars);

  // A copy with all texts filled in; complaints for those that cannot be.
  Value fill(const Value& value, const Vars* vars, Complaints& complaints);

  Substitutor& substitutor_;
  const Environment& environment_;
};

}  // namespace heddle::config
