#include "supervise/process_event.hpp"

#include "model/names.hpp"

namespace heddle::supervise {

namespace {

constexpr NameTable<EventKind, 9> kNames{{
    {EventKind::started, "started"},
    {EventKind::ready, "ready"},
    {EventKind::draining, "draining"},
    {EventKind::crash, "crash"},
    {EventKind::normal_exit, "normal_exit"},
    {EventKind::unpublished, "unpublished"},
    {EventKind::start_failed, "start_failed"},
    {EventKind::countdown, "countdown"},
    {EventKind::gave_up, "gave_up"},
}};

}  // namespace

std::string_view name_of(EventKind kind) {
  return heddle::name_of(kNames, kind);
}

}  // namespace heddle::supervise
