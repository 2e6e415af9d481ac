#include "lowering/locations.h"

#include "lowering/inlining.h"

#include <llvm/IR/DebugInfoMetadata.h>

namespace aiwc::lowering {
namespace {

/// Whether the location is in the file that was compiled, not in a header.
bool isInMainFile(const llvm::DILocation &location) {
  const llvm::DISubprogram *function = location.getScope()->getSubprogram();
  return function && function->getUnit() &&
         function->getUnit()->getFilename() == location.getFilename();
}

constexpr const char *kNameAttribute = "aiwc-kernel";

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

void rememberNames(llvm::Module &module) {
  for (llvm::Function *kernel : kernelsOf(module))
    kernel->addFnAttr(kNameAttribute, kernel->getName());
}

namespace {

Refusal refusal(const llvm::Instruction &where, const std::string &reason) {
  const llvm::Function &kernel = *where.getFunction();
  return {kernel.getFnAttribute(kNameAttribute).getValueAsString().str(), placeOf(where),
          "kernel '" + sourceName(kernel) + "' " + reason};
}

} // namespace

void refuseWith(const llvm::Instruction &where, const std::string &reason) {
  throw refusal(where, reason);
}

void failWith(const llvm::Instruction &where, const std::string &reason) {
  throw Error(refusal(where, reason).what());
}

void refuse(const llvm::Instruction &where, const std::string &what) {
  refuseWith(where, "uses " + what + ", which the simulator has not");
}

} // namespace aiwc::lowering
