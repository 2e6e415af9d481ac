#include "bitcode/module_hash.h"

#include "embed/bitcode_module.h"
#include "profile/source_hash.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <memory>
#include <string_view>

namespace aiwc::bitcode {

namespace {

constexpr const char *kKeptHash = "aiwc.module_hash";

/// A line of LLVM's text without its comment, which begins at a semicolon outside of strings. LLVM
/// writes quotes and newlines within strings as escapes.
std::string_view codeOf(std::string_view line) {
  bool isInString = false;
  const auto *const end = std::ranges::find_if(line, [&](char c) {
    isInString = isInString != (c == '"');
    return c == ';' && !isInString;
  });
  line = line.substr(0, static_cast<size_t>(end - line.begin()));
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

/// The hash of the text without its comments: they list the predecessors of a block in the order of
/// uses, which is no part of the program.
std::string hashOfCode(std::string_view text) {
  profile::SourceHasher hasher;
  while (!text.empty()) {
    const size_t newline = std::min(text.find('\n'), text.size());
    hasher.add(codeOf(text.substr(0, newline)));
    hasher.add("\n");
    text.remove_prefix(std::min(newline + 1, text.size()));
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
