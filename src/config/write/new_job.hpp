// Writes the configuration of a new job, with comments for the person who will change it. Pure.
#pragma once

#include <string>
#include <string_view>

#include "config/load_project.hpp"
#include "model/job/watch_proposal.hpp"

namespace heddle::config {

struct NewJob {
  std::string name;                // its id follows from it
  std::string url;                 // may have references such as ${env:NAME}
  std::string interval;            // empty: that of [defaults], else the usual one
  bool inherits_schedule = false;  // [defaults] has an interval or a schedule
  WatchCandidate watch;
};

std::string new_job_text(const NewJob& job);

// Whether [defaults] of heddle.toml says when jobs run.
bool has_default_schedule(const Loaded& project);

// A name for a job of this page: from its title, else its host.
std::string suggested_job_name(const WatchProposal& page);

// "jobs/ID/config.toml" of a job with this name; empty when the name has no letters and digits.
std::string new_job_file(std::string_view name);

// The name, or "name 2", "name 3" … when the project has a job or a file like that.
std::string unused_job_name(const Loaded& project, const std::string& name);

// What has the name already: "jobs/shop/config.toml:1"; empty: nothing.
std::string holder_of_job_name(const Loaded& project, std::string_view name);

}  // namespace heddle::config
