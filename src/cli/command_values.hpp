// The values of all arguments and options, as the parser fills them in.
#pragma once

#include "cli/commands.hpp"

namespace heddle::cli {

struct CommandValues {
  std::filesystem::path init_dir = ".";
  AddArguments added;
  RepairArguments repaired;
  SpywebImportRequest imported;
  std::string job;  // of a command without other arguments
  std::string key;
  std::string trace_run;
  RunArguments run;
  UpOptions up;
  int worker_number = 0;
  bool stop_now = false;
  JobSelection listed;
  ActionArguments action;
  bool dry_run = false;
  ListArguments listed_dead_letters{.limit = 50};
  DeadLetterSelection dead_letters;
  DeadLetterId dead_letter = 0;
  DebugArguments debug;
  TestArguments test;
  std::string types_file;
  RecordsArguments records;
  ChangesArguments changes;
  DiffArguments diff;
  ListArguments runs{.limit = 20};
  LogsArguments logs;
  BackupRequest backup;
  std::filesystem::path restored;
  DoctorArguments doctor;
  DemoOptions demo;
  int demo_pause = 4000;
};

}  // namespace heddle::cli
