#include "lowering.h"

#include "decoding/builtins.h"
#include "lowering/inlining.h"
#include "lowering/locations.h"
#include "lowering/passes.h"
#include "passes.h"
#include "symbols.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

namespace aiwc::cuda {

using namespace lowering; // the passes that all languages share

namespace {

/// Whether an index of the address is one behind a pointer to an element, and says nothing of the
/// array that LLVM names: in an array of 0 elements, or in the first row (`p = &tile[0][0]; p[i]`).
bool isBehindPointer(const llvm::GetElementPtrInst &address) {
  const auto *array = llvm::dyn_cast<llvm::ArrayType>(address.getSourceElementType());
  const auto *first = llvm::dyn_cast<llvm::ConstantInt>(address.idx_begin()->get());
  if (!array || !first || !first->isZero() || address.getNumIndices() < 2)
    return false;
  const auto before = llvm::make_range(address.idx_begin(), std::prev(address.idx_end()));
  return array->getNumElements() == 0 ||
         (address.getNumIndices() > 2 && llvm::isa<llvm::Constant>(address.getPointerOperand()) &&
          !llvm::isa<llvm::Constant>(std::prev(address.idx_end())->get()) &&
          llvm::all_of(before, [](llvm::Value *index) {
            const auto *number = llvm::dyn_cast<llvm::ConstantInt>(index);
            return number && number->isZero();
          }));
}

constexpr unsigned kVectorLanes = 4;
constexpr unsigned kVectorBytes = 16;

bool copiesVector(const llvm::MemCpyInst &copy) {
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  // Of an array of shared memory, clang knows the alignment of its elements only.
  return length && length->equalsInt(kVectorBytes) && !copy.isVolatile() &&
         std::max(copy.getSourceAlign().valueOrOne(), copy.getDestAlign().valueOrOne()) >=
             kVectorBytes;
}

void copyAsVector(llvm::MemCpyInst &copy) {
  llvm::IRBuilder<> builder(&copy);
  llvm::Type *vector = llvm::FixedVectorType::get(builder.getInt32Ty(), kVectorLanes);
  const auto pointerTo = [&](llvm::Value *bytes) {
    return builder.CreateBitCast(bytes,
                                 vector->getPointerTo(bytes->getType()->getPointerAddressSpace()));
  };
  const llvm::Align align(kVectorBytes); // of the type that is copied
  llvm::Value *value = builder.CreateAlignedLoad(vector, pointerTo(copy.getRawSource()), align);
  builder.CreateAlignedStore(value, pointerTo(copy.getRawDest()), align);
  copy.eraseFromParent();
}

/// Has addresses in arrays of 0 elements, as which CUDA's dynamic shared memory is declared, and in
/// first rows be those behind a pointer to the first element: Oclgrind takes the size of an array
/// for a bound.
void indexUnsizedArrays(llvm::Module &module) {
  std::vector<llvm::GetElementPtrInst *> found;
  for (llvm::Function *kernel : lowering::kernelsOf(module))
    for (llvm::Instruction &instruction : llvm::instructions(*kernel))
      if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
          address && isBehindPointer(*address))
        found.push_back(address);
  for (llvm::GetElementPtrInst *address : found) {
    llvm::IRBuilder<> at(address);
    llvm::Type *array = address->getSourceElementType();
    const bool isUnsized = array->getArrayNumElements() == 0;
    llvm::Type *element =
        isUnsized ? array->getArrayElementType() : address->getResultElementType();
    llvm::Value *first =
        at.CreateBitCast(address->getPointerOperand()->stripPointerCastsSameRepresentation(),
                         element->getPointerTo(address->getPointerAddressSpace()));
    const std::vector<llvm::Value *> indices(
        isUnsized ? address->idx_begin() + 1 : std::prev(address->idx_end()), address->idx_end());
    llvm::Value *made = at.CreateGEP(element, first, indices);
    address->replaceAllUsesWith(made);
    made->takeName(address);
    address->eraseFromParent();
  }
}

/// Has copies of 16 aligned bytes, as an assignment of an int4 or a float4 is one, load and store a
/// vector, as a GPU does: a copy is a read and a write in two places of the program. LLVM does so
/// with copies of up to 8 bytes.
void loadVectorsToCopy(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction); copy && copiesVector(*copy))
        copyAsVector(*copy);
}

/// Has optimisation draw no conclusions from the types of accesses to private memory: programs
/// write two halves there, and read an unsigned, which NVIDIA's compiler takes as it is meant.
void forgetPrivateTypes(llvm::Module &module) {
  for (llvm::Function *kernel : lowering::kernelsOf(module))
    for (llvm::Instruction &instruction : llvm::instructions(*kernel)) {
      const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (pointer && llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer)))
        instruction.setMetadata(llvm::LLVMContext::MD_tbaa, nullptr);
    }
}

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
/// 32 bits are cut from one of 32.
void saturateConversions(llvm::Module &module) {
  using llvm::Intrinsic::fptosi_sat, llvm::Intrinsic::fptoui_sat;
  for (llvm::Function &function : module)
    for (llvm::Instruction &cast : llvm::make_early_inc_range(llvm::instructions(function))) {
      const unsigned opcode = decoding::opcodeOf(cast); // of LLVM's functions, too
      if (opcode != llvm::Instruction::FPToSI && opcode != llvm::Instruction::FPToUI)
        continue;
      llvm::IRBuilder<> at(&cast);
      llvm::Type *type = cast.getType();
      const unsigned bits = std::max(type->getScalarSizeInBits(), 32U);
      if (llvm::isa<llvm::CallInst>(cast) && bits == type->getScalarSizeInBits())
        continue;
      llvm::Value *result = at.CreateIntrinsic(
          opcode == llvm::Instruction::FPToSI ? fptosi_sat : fptoui_sat,
          {type->getWithNewBitWidth(bits), cast.getOperand(0)->getType()}, {cast.getOperand(0)});
      cast.replaceAllUsesWith(at.CreateTrunc(result, type));
      cast.eraseFromParent();
    }
}

DeviceCode lowerAll(llvm::Module &module) {
  DeviceCode code;
  module.setTargetTriple("spir64-unknown-unknown");
  run(pipeline(languagePasses(code)), module);
  // What passes have made.
  saturateConversions(module);
  indexUnsizedArrays(module);
  describeKernels(module, code);
  module.getOrInsertNamedMetadata("aiwc.cuda"); // for the plugin, which looks for the source
  code.bitcode = bitcodeOf(module);
  return code;
}

} // namespace

LanguagePasses languagePasses(DeviceCode &code) {
  return {.onFunctions = {{"symbols", separateConstants},
                          {"atomic_calls", replaceAtomicCalls},
                          {"conversions", saturateConversions}}, // before constants are folded
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
