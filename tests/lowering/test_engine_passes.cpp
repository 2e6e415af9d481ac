// Passes of the compiled engine, on IR.
#include "common/error.h"
#include "engine_passes/half_numbers.h"
#include "engine_passes/prepare_items.h"
#include "engine_passes/state.h"
#include "engine_passes/vectorise_items.h"
#include "lowering/pass_cases.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <cstddef>

namespace {

namespace engine = aiwc::engine;

/// `change` of the function `item`, if it can be vectorised.
template <typename Change> auto onItem(Change change) {
  return [change](llvm::Module &module) {
    if (!change(*module.getFunction("item")))
      throw aiwc::Error("it cannot be vectorised");
  };
}

/// Replaces the calls of @fromHalf and @toHalf, whose types end their names, by their code.
void convertHalves(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
      auto *call = llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> at(call);
      llvm::Value *given = call->getArgOperand(0);
      call->replaceAllUsesWith(function.getName().startswith("fromHalf")
                                   ? engine::fromHalf(at, given)
                                   : engine::toHalf(at, given));
      call->eraseFromParent();
    }
}

} // namespace

int main(int argc, char **argv) {
  using engine::State;
  const std::vector<aiwc::lowering::Pass> passes = {
      {"half_numbers", convertHalves},
      {"prepare_items", onItem([](llvm::Function &item) { return engine::prepareItem(item, {}); })},
      {"vectorise_items", onItem([](llvm::Function &item) {
         const llvm::Function *wide = engine::vectoriseItems(item, {});
         if (wide)
           item.eraseFromParent();
         return wide != nullptr;
       })}};
  return aiwc::test::runPassCases(passes, argc, argv,
                                  {{"globalId", offsetof(State, globalId)},
                                   {"instructions", offsetof(State, executed.instructions)},
                                   {"marks", offsetof(State, executed.marks)},
                                   {"context", offsetof(State, context)},
                                   {"items", offsetof(State, items)},
                                   {"itemInstructions", offsetof(State, itemInstructions)}});
}
