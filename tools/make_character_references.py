#!/usr/bin/env python3
"""Writes the table of named character references (HTML standard) as packed C++ data.

usage: make_character_references.py > src/html/parser/character_reference_table.cpp
"""
import html.entities

SLOTS = 8192  # kReferenceSlots of character_reference_table.hpp

HEADER = """\
// Made by tools/make_character_references.py: do not edit.
#include "html/parser/tokenizer/character_reference_table.hpp"

namespace heddle::html::parser {

// clang-format off
"""


def literal(text):
    """A C++ string literal of the UTF-8 bytes; every byte above ASCII and '"' as an octal escape."""
    parts = []
    for byte in text.encode():
        plain = 0x20 <= byte < 0x7F and chr(byte) not in '"\\?'
        parts.append(chr(byte) if plain else f"\\{byte:03o}")
    return '"' + "".join(parts) + '"'


def slot_table(names):
    """Open addressing by the hash that reference_hash() computes; 0 is free, else row + 1."""
    slots = [0] * SLOTS
    for row, name in enumerate(names):
        value = 0
        for byte in name.encode():
            value = (value * 31 + byte) % 2**32
        slot = value % SLOTS
        while slots[slot]:
            slot = (slot + 1) % SLOTS
        slots[slot] = row + 1
    return slots


def main():
    names = sorted(name[:-1] for name in html.entities.html5 if name.endswith(";"))
    bare = {name for name in html.entities.html5 if not name.endswith(";")}
    assert bare <= set(names) and all(name.isalnum() and name.isascii() for name in names)

    print(HEADER, end="")
    print("// A name, then what it stands for, over and over.")
    print("const char kReferenceText[] =")
    rows, offset = [], 0
    for name in names:
        value = html.entities.html5[name + ";"]
        assert len(value.encode()) <= 8
        rows.append(f"{{{offset},{len(name)},{len(value.encode())},{int(name in bare)}}}")
        offset += len(name) + len(value.encode())
        print(f"    {literal(name)} {literal(value)}" + (";" if name == names[-1] else ""))
    assert offset < 65536
    print(f"\nconst std::array<NamedReference, kNamedReferences> kReferenceRows = {{{{")
    for start in range(0, len(rows), 8):
        print("    " + ", ".join(rows[start:start + 8]) + ",")
    print("}};\n")
    slots = slot_table(names)
    print("const std::array<std::uint16_t, kReferenceSlots> kReferenceIndex = {{")
    for start in range(0, SLOTS, 16):
        print("    " + ",".join(map(str, slots[start:start + 16])) + ",")
    print("}};\n// clang-format on\n\n}  // namespace heddle::html::parser")


if __name__ == "__main__":
    main()
