// Takes out of texts what differs from run to run, and nothing else.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/golden/json_layout.hpp"

namespace heddle::testing {

// The rules; everything else is compared as it is, and so are names, order, types and nulls.
//
// Everywhere, in texts and in the strings of JSON:
//   what replace() names: the project's folder, the test site's address
//   2026-11-15T21:23:07.412Z           <time>; 20261115T212307412Z likewise
//   01kbe0c3sjq9w1x4tn5m7r8v2d         <id 1>: the same number for the same id
//   pid 1234, kill 1234                pid <pid>, kill <pid>
//   time="0.001234" (JUnit)            time="<time>"
//   a carriage return                  <CR>, which is seen in a diff and which git leaves alone
// In JSON, by the name of a member, when its value is of that type:
//   pid: number                        <pid>
//   duration_ms, cpu_ms and the like, members of stage_us: number
//                                      <time>; <time.3> when it has three decimals
//   rss_bytes and the like: number     <bytes>
//   stage_us: object                   only its members fetch, decode, parse, select, store: of the
//                                      others the program leaves out what took no microsecond
//   revision: string of digits a-f     "<revision>"
//   day: string 2026-11-15             "<day>"
//   arrays of objects with a text      those that programs wrote (" stdout: ", " stderr: ") come
//                                      last: of two in one moment either may be noted first
//   text: string "# HELP …"            "<metrics>": compared in another document
// (normaliser.cpp has the whole list of names.)
class Normaliser {
 public:
  // Puts <name> in the place of this text from now on; longer texts go first.
  void replace(std::string text, std::string name);

  // Numbers of this name differ in this test, besides those above.
  void vary(std::string name) { varying_.insert(std::move(name)); }

  std::string text(std::string_view text);
  // Laid out. Throws when it is not JSON.
  std::string json(std::string_view document);

 private:
  void apply(JsonText& value, std::string_view name, std::string_view parent);
  std::string with_numbered_ids(const std::string& text);

  std::vector<std::pair<std::string, std::string>> replaced_;
  std::set<std::string, std::less<>> varying_;
  std::map<std::string, std::size_t> ids_;
};

}  // namespace heddle::testing
