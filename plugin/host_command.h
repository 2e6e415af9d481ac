/// What Oclgrind does for the host on a thread. Headers only: the preloaded library includes this
/// file, too.
#pragma once

#include <cstdint>

namespace aiwc::plugin {

/// Oclgrind reports what it does to memory in pieces: a rectangle row by row, a fill pattern by
/// pattern. This is the command that the pieces belong to.
struct HostCommand {
  enum class Kind : uint8_t {
    kTransfer,       ///< a write or a read, of a buffer, a rectangle or an image
    kWithinDevice,   ///< a copy or a fill
    kInitialisation, ///< of a program's constants
  };

  Kind kind;
  bool isCounted = false; ///< whether a piece of it has been counted
};

} // namespace aiwc::plugin
