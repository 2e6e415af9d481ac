/// What a profile says of each access: where in the source it is, how it steps through memory and
/// which idiom it belongs to. docs/metrics.md ("Idioms") defines all of this.
#pragma once

#include "profile/kernel_profile.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::profile {

/// The key of an idiom, in JSON and on the command line: "matrix_multiply".
std::string_view toString(Idiom idiom);
/// The idiom with this key; none if there is none.
std::optional<Idiom> idiomOf(std::string_view key);

std::string_view toString(AccessKind kind);
std::optional<AccessKind> accessKindOf(std::string_view key);
std::string_view toString(MemorySpace space);
std::optional<MemorySpace> memorySpaceOf(std::string_view key);

/// An idiom in one loop of a kernel, or outside of loops: the accesses that belong to it.
struct IdiomInstance {
  Idiom idiom = Idiom::kStream;
  std::string function;
  uint64_t loop = 0; ///< source line of the innermost loop around the accesses; 0: none, or unknown
  std::vector<std::string> arrays; ///< sorted; without accesses to unnamed memory
  uint64_t bytes = 0;              ///< read and written in global and constant memory
  uint64_t localBytes = 0;         ///< likewise in local memory
  /// Bytes of global and constant memory that it touches: the sum over its arrays, of each the
  /// largest footprint of an access.
  uint64_t footprint = 0;
  std::vector<const AccessRow *> accesses; ///< into the rows it was made from
};

/// The idioms of a kernel, in the order of the enumeration, then of their first access.
std::vector<IdiomInstance> idiomInstances(const std::vector<AccessRow> &accesses);

} // namespace aiwc::profile
