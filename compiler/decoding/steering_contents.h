/// Whether what buffers contain decides where a kernel's work-items go.
#pragma once

#include "decoding/llvm.h"

#include <cstdint>
#include <vector>

namespace aiwc::decoding {

/// What the contents of the memory behind an argument decide.
enum class Steers : uint8_t {
  kNothing, ///< they are data only, or the argument is no memory
  kLoops,   ///< how often loops are repeated
  kPaths,   ///< which addresses are accessed, or other branches
};

struct SteeringContents {
  std::vector<Steers> arguments; ///< by their places
  /// Whether contents steer that are behind no argument: the kernel follows pointers that it finds
  /// in memory, or reads variables of the program.
  bool others = false;
};

/// Static: looks at the code of the kernel and of what it calls only, and says `kPaths` where it
/// cannot tell. Addresses in private memory do not count: no metric depends on them. Takes time in
/// proportion to the code times the variables and arguments. Arguments are taken for different
/// memory.
SteeringContents steeringContents(const llvm::Function &kernel);

} // namespace aiwc::decoding
