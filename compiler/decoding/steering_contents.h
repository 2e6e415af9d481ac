/// Whether what buffers contain decides where a kernel's work-items go.
#pragma once

#include "decoding/llvm.h"

#include <vector>

namespace aiwc::decoding {

struct SteeringContents {
  /// For each argument, whether addresses, branches or ends of loops depend on the contents of the
  /// memory behind it.
  std::vector<bool> arguments;
  /// Whether contents steer that are behind no argument: the kernel follows pointers that it finds
  /// in memory, or reads variables of the program.
  bool others = false;
};

/// Static: looks at the code of the kernel and of what it calls only, and says yes where it cannot
/// tell. Addresses in private memory do not count: no metric depends on them. Takes time in
/// proportion to the code times the variables and arguments. Arguments are taken for different
/// memory.
SteeringContents steeringContents(const llvm::Function &kernel);

} // namespace aiwc::decoding
