#include "lowering.h"

#include "inline_ptx.h"
#include "kernels.h"
#include "lowering/inlining.h"
#include "lowering/locations.h"
#include "lowering/passes.h"
#include "memory_accesses.h"
#include "symbols.h"
#include "warps_in_step.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <memory>

namespace aiwc::cuda {

using namespace lowering; // the passes that all languages share

namespace {

std::string bitcodeOf(const llvm::Module &module) {
  std::string problem;
  llvm::raw_string_ostream text(problem);
  if (llvm::verifyModule(module, &text))
    llvm::report_fatal_error(llvm::StringRef(text.str()), false);
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  llvm::WriteBitcodeToFile(module, out);
  return out.str();
}

/// Has conversions to integers saturate, as those of a GPU do, by LLVM's functions for that: LLVM
/// and Oclgrind leave open what a number becomes that the integer cannot be. Integers of less than
/// 32 bits are cut from one of 32. After all optimisation, which knows more of the instructions.
void saturateConversions(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &cast : llvm::make_early_inc_range(block)) {
        if (!llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(cast))
          continue;
        llvm::IRBuilder<> at(&cast);
        llvm::Type *type = cast.getType();
        const unsigned bits = std::max(type->getScalarSizeInBits(), 32U);
        llvm::Value *result = at.CreateIntrinsic(
            llvm::isa<llvm::FPToSIInst>(cast) ? llvm::Intrinsic::fptosi_sat
                                              : llvm::Intrinsic::fptoui_sat,
            {type->getWithNewBitWidth(bits), cast.getOperand(0)->getType()}, {cast.getOperand(0)});
        cast.replaceAllUsesWith(at.CreateTrunc(result, type));
        cast.eraseFromParent();
      }
}

DeviceCode lowerAll(llvm::Module &module) {
  DeviceCode code;
  module.setTargetTriple("spir64-unknown-unknown");
  run(pipeline(languagePasses(code)), module);
  saturateConversions(module);
  describeKernels(module, code);
  module.getOrInsertNamedMetadata("aiwc.cuda"); // for the plugin, which looks for the source
  code.bitcode = bitcodeOf(module);
  return code;
}

} // namespace

LanguagePasses languagePasses(DeviceCode &code) {
  return {.onFunctions = {{"symbols", separateConstants}, {"atomic_calls", replaceAtomicCalls}},
          .onKernels = {{"vector_copies", loadVectorsToCopy},
                        {"inline_ptx", translateInlinePtx},
                        {"private_types", forgetPrivateTypes},
                        {"warps_in_step", meetBetweenExchanges},
                        {"unsupported_code", checkCalls},
                        {"kernels",
                         [&code](llvm::Module &module) {
                           addHiddenArguments(module, placeSymbols(module, code), code);
                         }},
                        {"unsized_arrays", indexUnsizedArrays}}};
}

DeviceCode lower(llvm::Module &module, std::vector<std::string> &notes) {
  rememberNames(module);
  std::vector<Refusal> refusals;
  for (;;) {
    // A copy, since a refusal leaves the code half lowered.
    const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
    try {
      DeviceCode code = lowerAll(*copy);
      for (const Refusal &refusal : refusals) {
        code.refused.push_back({refusal.kernel, refusal.what()});
        notes.push_back(refusal.note + ": its launches fail");
      }
      return code;
    } catch (const Refusal &refusal) {
      llvm::Function *kernel = module.getFunction(refusal.kernel);
      if (!kernel || kernelsOf(module).size() == 1)
        throw refusals.empty() ? refusal : refusals.front();
      // Another kernel may call it.
      kernel->setCallingConv(llvm::CallingConv::SPIR_FUNC);
      refusals.push_back(refusal);
    }
  }
}

} // namespace aiwc::cuda
