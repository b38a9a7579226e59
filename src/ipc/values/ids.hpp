// Packs ids and hashes.
#pragma once

#include "base/hash.hpp"
#include "base/ids.hpp"
#include "ipc/values/generic.hpp"

namespace heddle::ipc {

template <class Kind>
void pack(Packer& packer, const TextId<Kind>& id) {
  packer.text(id.text);
}

template <class Kind>
void unpack(Unpacker& unpacker, TextId<Kind>& id) {
  id.text = unpacker.text_view();
}

// Fixed size: the bits are uniform, so a variable-length number would not be shorter.
inline void pack(Packer& packer, const Hash128& hash) {
  packer.raw(&hash, sizeof hash);
}

inline void unpack(Unpacker& unpacker, Hash128& hash) {
  unpacker.raw(&hash, sizeof hash);
}

static_assert(std::has_unique_object_representations_v<Hash128>);

template <>
struct MinBytes<Hash128> : std::integral_constant<std::size_t, sizeof(Hash128)> {};

}  // namespace heddle::ipc
