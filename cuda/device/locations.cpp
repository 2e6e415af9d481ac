#include "locations.h"

#include "names.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

namespace aiwc::cuda {
namespace {

/// Whether the location is in the file that was compiled, not in a header.
bool isInMainFile(const llvm::DILocation &location) {
  const llvm::DISubprogram *function = location.getScope()->getSubprogram();
  return function && function->getUnit() &&
         function->getUnit()->getFilename() == location.getFilename();
}

std::string placeOf(const llvm::Instruction &where) {
  const llvm::DILocation *outermost = nullptr;
  for (const llvm::DILocation *at = where.getDebugLoc(); at; at = at->getInlinedAt()) {
    if (at->getLine() == 0)
      continue;
    outermost = at;
    if (isInMainFile(*at))
      break;
  }
  if (outermost)
    return outermost->getFilename().str() + ":" + std::to_string(outermost->getLine());
  if (const llvm::DISubprogram *function = where.getFunction()->getSubprogram())
    return function->getFilename().str() + ":" + std::to_string(function->getLine());
  return where.getModule()->getSourceFileName() + ":0";
}

} // namespace

std::string sourceName(const llvm::Function &kernel) {
  if (const llvm::DISubprogram *function = kernel.getSubprogram())
    return function->getName().str();
  return plainName(kernel.getName());
}

void refuseWith(const llvm::Instruction &where, const std::string &reason) {
  throw Error(placeOf(where) + ": error: kernel '" + sourceName(*where.getFunction()) + "' " +
              reason);
}

void refuse(const llvm::Instruction &where, const std::string &what) {
  refuseWith(where, "uses " + what + ", which the simulator has not");
}

} // namespace aiwc::cuda
