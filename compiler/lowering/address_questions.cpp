#include "lowering/address_questions.h"

#include "lowering/address_spaces.h"
#include "lowering/builtins.h"
#include "lowering/tagged_accesses.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <optional>
#include <vector>

namespace aiwc::lowering {
namespace {

using llvm::IRBuilder;
using llvm::Value;

constexpr unsigned kLocalFence = 1, kGlobalFence = 2; // CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE

std::optional<unsigned> askedTag(llvm::StringRef name) {
  return name == "__to_global"    ? std::optional(0U)
         : name == "__to_local"   ? std::optional(kLocalTag)
         : name == "__to_private" ? std::optional(kPrivateTag)
                                  : std::nullopt;
}

void answer(llvm::CallInst &call, std::optional<unsigned> asked) {
  IRBuilder<> at(&call);
  Value *number = at.CreatePtrToInt(call.getArgOperand(0), at.getInt64Ty());
  Value *tag = at.CreateAnd(at.CreateLShr(number, kTagShift), 3);
  Value *result = nullptr;
  if (asked) {
    Value *address = at.CreateIntToPtr(at.CreateAnd(number, ~kTagMask), call.getType());
    result = at.CreateSelect(at.CreateICmpEQ(tag, at.getInt64(*asked)), address,
                             llvm::Constant::getNullValue(call.getType()));
  } else {
    result = at.CreateSelect(at.CreateICmpEQ(tag, at.getInt64(kLocalTag)), at.getInt32(kLocalFence),
                             at.getInt32(kGlobalFence));
  }
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

} // namespace

void answerAddressQuestions(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.arg_size() != 1 ||
        !isGeneric(function.getArg(0)->getType()))
      continue;
    const std::optional<unsigned> asked = askedTag(function.getName());
    if (!asked && baseName(function.getName()) != "get_fence")
      continue;
    std::vector<llvm::CallInst *> calls;
    for (llvm::User *user : function.users())
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user))
        calls.push_back(call);
    for (llvm::CallInst *call : calls)
      answer(*call, asked);
    if (function.use_empty())
      function.eraseFromParent();
  }
}

} // namespace aiwc::lowering
