// The JSON shapes of the command line's contract.
#pragma once

#include <string>

#include "model/item.hpp"
#include "model/json.hpp"
#include "model/run.hpp"

namespace heddle::cli {

void write_run(JsonWriter& json, const Run& run);
// "1.2s of CPU time in worker 0": what a run took of the machine; empty when that is not known.
std::string effort_text(const Run& run);
void write_record(JsonWriter& json, const Record& record);

}  // namespace heddle::cli
