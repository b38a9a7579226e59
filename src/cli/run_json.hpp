// Writes runs and records in the JSON format of the command line contract.
#pragma once

#include <string>

#include "model/json.hpp"
#include "model/run/item.hpp"
#include "model/run/run.hpp"

namespace heddle::cli {

void write_run(JsonWriter& json, const Run& run);
// The resource usage of a run, "1.2s of CPU time in worker 0"; empty when it is unknown.
std::string usage_text(const Run& run);
void write_record(JsonWriter& json, const Record& record);

}  // namespace heddle::cli
