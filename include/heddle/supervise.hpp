// Includes all headers of the supervision library.
#pragma once

#include "heddle/child.hpp"
#include "heddle/coordinator.hpp"
#include "heddle/process_event.hpp"
#include "heddle/recovery.hpp"
