#include "bitcode/module_hash.h"

#include "embed/bitcode_module.h"
#include "embed/llvm_text_lines.h"
#include "profile/source_hash.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <memory>
#include <string_view>

namespace aiwc::bitcode {

namespace {

constexpr const char *kKeptHash = "aiwc.module_hash";

/// The hash of the text without its comments: they list the predecessors of a block in the order of
/// uses, which is no part of the program.
std::string hashOfCode(std::string_view text) {
  profile::SourceHasher hasher;
  embed::IrLineReader lines(text);
  while (const auto line = lines.next()) {
    const std::string_view code = text.substr(line->begin, line->comment - line->begin);
    hasher.add(code.substr(0, code.find_last_not_of(' ') + 1));
    hasher.add("\n");
  }
  return hasher.hash();
}

} // namespace

void keepModuleHash(llvm::Module &module, const std::string &hash) {
  llvm::NamedMDNode *kept = module.getOrInsertNamedMetadata(kKeptHash);
  kept->clearOperands();
  kept->addOperand(
      llvm::MDNode::get(module.getContext(), llvm::MDString::get(module.getContext(), hash)));
}

std::string moduleHash(const llvm::Module &module) {
  if (const llvm::NamedMDNode *kept = module.getNamedMetadata(kKeptHash))
    return llvm::cast<llvm::MDString>(kept->getOperand(0)->getOperand(0))->getString().str();
  const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  if (llvm::NamedMDNode *annotations = copy->getNamedMetadata(embed::kMetricsMetadata))
    copy->eraseNamedMetadata(annotations);
  llvm::StripDebugInfo(*copy);
  copy->setModuleIdentifier("");
  copy->setSourceFileName("");
  std::string text;
  llvm::raw_string_ostream stream(text);
  copy->print(stream, nullptr);
  stream.flush();
  return hashOfCode(text);
}

} // namespace aiwc::bitcode
