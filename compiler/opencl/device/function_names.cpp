#include "functions.h"
#include "lowering/address_spaces.h"
#include "lowering/builtins.h"
#include "lowering/inlining.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <string>
#include <vector>

namespace aiwc::opencl {
namespace {

using llvm::CallInst;
using llvm::Function;
using llvm::Value;

/// Replaces all calls of `function` by calls of `name` with the values that `change` makes of the
/// arguments.
template <typename Change> void callInstead(Function &function, const char *name, Change change) {
  std::vector<CallInst *> calls;
  for (llvm::User *user : function.users())
    if (auto *call = llvm::dyn_cast<CallInst>(user); call && call->getCalledFunction() == &function)
      calls.push_back(call);
  for (CallInst *call : calls) {
    const std::vector<Value *> arguments = change(*call);
    std::vector<llvm::Type *> types;
    types.reserve(arguments.size());
    for (const Value *argument : arguments)
      types.push_back(argument->getType());
    llvm::FunctionCallee callee = function.getParent()->getOrInsertFunction(
        name, llvm::FunctionType::get(call->getType(), types, false));
    auto *made = llvm::cast<Function>(callee.getCallee()->stripPointerCasts());
    made->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    made->addFnAttr(llvm::Attribute::NoUnwind);
    llvm::IRBuilder<> at(call);
    CallInst *replaced = at.CreateCall(callee, arguments);
    replaced->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    call->replaceAllUsesWith(replaced);
    call->eraseFromParent();
  }
  if (function.use_empty())
    function.eraseFromParent();
}

/// As clang does for OpenCL C: LLVM may move no call out of a loop or behind a condition until it
/// knows that no barrier is in the function.
void markConvergent(llvm::Module &module) {
  for (Function &function : module)
    if (!function.isIntrinsic())
      function.addFnAttr(llvm::Attribute::Convergent);
}

/// The name in the metadata; empty if the compiler that made the SPIR-V left it out.
std::string nameInMetadata(const Function &kernel, unsigned index) {
  const llvm::MDNode *names = kernel.getMetadata("kernel_arg_name");
  const auto *name = names && index < names->getNumOperands()
                         ? llvm::dyn_cast<llvm::MDString>(names->getOperand(index))
                         : nullptr;
  return name ? name->getString().str() : "";
}

void nameArguments(Function &kernel) {
  std::vector<llvm::Metadata *> names;
  for (llvm::Argument &argument : kernel.args()) {
    std::string name = nameInMetadata(kernel, argument.getArgNo());
    if (name.empty())
      name = argument.hasName() ? argument.getName().str()
                                : "argument" + std::to_string(argument.getArgNo());
    argument.setName(name);
    names.push_back(llvm::MDString::get(kernel.getContext(), name));
  }
  kernel.setMetadata("kernel_arg_name", llvm::MDNode::get(kernel.getContext(), names));
}

} // namespace

void useNamesOfOclgrind(llvm::Module &module) {
  for (Function &function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration())
      continue;
    const llvm::StringRef name = lowering::baseName(function.getName());
    if (name == "work_group_barrier")
      callInstead(function, "_Z7barrierj",
                  [](const CallInst &call) { return std::vector<Value *>{call.getArgOperand(0)}; });
  }
  markConvergent(module);
  for (Function *kernel : lowering::kernelsOf(module))
    nameArguments(*kernel);
}

void useEventsOfOclgrind(llvm::Module &module) {
  for (Function &function : llvm::make_early_inc_range(module))
    if (function.isDeclaration() && lowering::baseName(function.getName()) == "wait_group_events" &&
        function.getName().contains("PU3AS4"))
      callInstead(function, "_Z17wait_group_eventsiP9ocl_event", [](const CallInst &call) {
        Value *events = call.getArgOperand(1);
        if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(events))
          events = cast->getPointerOperand();
        return std::vector<Value *>{call.getArgOperand(0), events};
      });
}

} // namespace aiwc::opencl
