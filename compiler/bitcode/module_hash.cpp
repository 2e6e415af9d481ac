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

std::string moduleHash(const llvm::Module &module) {
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
