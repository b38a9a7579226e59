// Marks the exported symbols of the shared library.
#pragma once

#define HEDDLE_API __attribute__((visibility("default")))
