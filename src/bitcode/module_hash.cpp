#include "bitcode/module_hash.h"

#include "embed/bitcode_module.h"
#include "profile/source_hash.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <memory>

namespace aiwc::bitcode {

std::string moduleHash(const llvm::Module &module) {
  const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  if (llvm::NamedMDNode *annotations = copy->getNamedMetadata(embed::kMetricsMetadata))
    copy->eraseNamedMetadata(annotations);
  llvm::StripDebugInfo(*copy);
  copy->setModuleIdentifier("");
  copy->setSourceFileName("");
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*copy, stream);
  return profile::sourceHash({bitcode.data(), bitcode.size()});
}

} // namespace aiwc::bitcode
