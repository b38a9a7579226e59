#include "supervise/slot_event.hpp"

#include "model/names.hpp"

namespace heddle::supervise {

namespace {

constexpr NameTable<SlotEventKind, 9> kNames{{
    {SlotEventKind::started, "started"},
    {SlotEventKind::ready, "ready"},
    {SlotEventKind::draining, "draining"},
    {SlotEventKind::crash, "crash"},
    {SlotEventKind::normal_exit, "normal_exit"},
    {SlotEventKind::unpublished, "unpublished"},
    {SlotEventKind::start_failed, "start_failed"},
    {SlotEventKind::countdown, "countdown"},
    {SlotEventKind::gave_up, "gave_up"},
}};

}  // namespace

std::string_view name_of(SlotEventKind kind) {
  return heddle::name_of(kNames, kind);
}

}  // namespace heddle::supervise
