#include "lowering/pipeline.h"

#include "lowering/address_spaces.h"
#include "lowering/inlining.h"
#include "lowering/optimisation.h"
#include "lowering/passes.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace aiwc::lowering {

std::vector<Pass> pipeline(LanguagePasses language) {
  std::vector<Pass> passes;
  const auto add = [&](std::vector<Pass> next) {
    std::ranges::move(next, std::back_inserter(passes));
  };
  add(std::move(language.onFunctions));
  // One function per kernel, since where a pointer leads is known only where a call comes from.
  add({{"integer_casts", joinIntegerCasts}, {"inlining", inlineAll}, {"simplification", simplify}});
  add(std::move(language.onKernels));
  // The address space of each pointer, as OpenCL C 1.2 has it.
  add({{"calls", lowerCalls},
       {"address_spaces", inferAddressSpaces},
       {"tagged_accesses", lowerTaggedAccesses},
       {"address_questions", answerAddressQuestions},
       {"pointer_types", removeGenericPointers}});
  add({{"atomics", lowerAtomics}}); // which OpenCL has for pointers to known spaces only
  add(finalPasses());
  return passes;
}

std::vector<Pass> finalPasses() {
  // Oclgrind's own passes see what clang would have made of OpenCL C. What follows replaces what
  // they make and the simulator lacks.
  return {{"optimisation", optimise},
          {"register_arrays", [](llvm::Module &module) { keepArraysInRegisters(module); }},
          {"intrinsics", lowerIntrinsics},
          {"narrow_integers", [](llvm::Module &module) { clearNarrowIntegers(module); }},
          {"component_stores", [](llvm::Module &module) { storeComponents(module); }},
          {"address_arithmetic", expandAddressArithmetic},
          {"meeting_places", numberMeetings}};
}

void run(const std::vector<Pass> &passes, llvm::Module &module) {
  for (const Pass &pass : passes)
    pass.run(module);
}

} // namespace aiwc::lowering
