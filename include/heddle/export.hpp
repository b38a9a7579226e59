// Marks what the shared library shows to the outside.
#pragma once

#define HEDDLE_API __attribute__((visibility("default")))
