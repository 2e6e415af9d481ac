#include "functions.h"
#include "lowering/builtins.h"
#include "lowering/locations.h"
#include "lowering/names.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

// The bitcode of compiler/opencl/builtins, which clang makes when the project is built.
#define AIWC_EMBED(NAME, FILE)                                                                     \
  asm(".pushsection .rodata\n.balign 16\n" #NAME ": .incbin \"" FILE "\"\n" #NAME                  \
      "_end: .byte 0\n.popsection\n");                                                             \
  extern "C" const char NAME[], NAME##_end[]; // NOLINT(bugprone-macro-parentheses): a declaration

AIWC_EMBED(aiwc_work_group_functions, AIWC_WORK_GROUP_FUNCTIONS)
AIWC_EMBED(aiwc_sub_group_functions, AIWC_SUB_GROUP_FUNCTIONS)
AIWC_EMBED(aiwc_dot_product_functions, AIWC_DOT_PRODUCT_FUNCTIONS)

namespace aiwc::opencl {
namespace {

using llvm::StringRef;

std::unique_ptr<llvm::Module> parse(llvm::LLVMContext &context, const char *begin,
                                    const char *end) {
  auto module = llvm::getLazyBitcodeModule(
      llvm::MemoryBufferRef(StringRef(begin, static_cast<size_t>(end - begin)), "library"),
      context);
  if (!module)
    llvm::report_fatal_error(module.takeError(), false);
  return std::move(*module);
}

const llvm::Instruction *firstCallOf(const llvm::Function &function) {
  for (const llvm::User *user : function.users())
    if (const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user))
      return instruction;
  return nullptr;
}

/// What a function belongs to that the simulator does not have; empty if it is another one.
std::string missingFeature(StringRef name) {
  if (name.contains("pipe"))
    return "pipes (" + name.str() + ")";
  if (name.startswith("__enqueue_kernel") || name == "enqueue_kernel" || name == "enqueue_marker" ||
      name == "get_default_queue" || name.startswith("__get_kernel_") ||
      name.startswith("ndrange_"))
    return "kernels that enqueue kernels (" + name.str() + ")";
  if (name.contains("work_group_") || name.contains("sub_group_"))
    return "the function " + name.str() + " of this type";
  return "";
}

/// Oclgrind's function, or one of those that the library takes for given.
bool isKnown(StringRef name) {
  return name == "work_group_barrier" || name == "get_sub_group_size" ||
         name.startswith("__aiwc_") || name.startswith("async_work_group_") ||
         name.startswith("wait_group_");
}

void linkPart(llvm::Module &module, std::unique_ptr<llvm::Module> part, bool &isCalled) {
  bool calls = false;
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.use_empty())
      if (const llvm::Function *same = part->getFunction(function.getName()))
        calls |= !same->isDeclaration();
  isCalled |= calls;
  if (!calls)
    return;
  part->setDataLayout(module.getDataLayout());
  part->setTargetTriple(module.getTargetTriple());
  if (llvm::Linker::linkModules(module, std::move(part), llvm::Linker::LinkOnlyNeeded))
    llvm::report_fatal_error("the library of builtins cannot be linked", false);
}

} // namespace

bool linkLibrary(llvm::Module &module) {
  const llvm::Function *size = module.getFunction("_Z18get_sub_group_sizev");
  bool isCalled = size && !size->use_empty();
  linkPart(module,
           parse(module.getContext(), aiwc_work_group_functions, aiwc_work_group_functions_end),
           isCalled);
  linkPart(module,
           parse(module.getContext(), aiwc_sub_group_functions, aiwc_sub_group_functions_end),
           isCalled);
  linkPart(module,
           parse(module.getContext(), aiwc_dot_product_functions, aiwc_dot_product_functions_end),
           isCalled);
  for (const llvm::Function &function : module) {
    const StringRef name = lowering::baseName(function.getName());
    if (!function.isDeclaration() || isKnown(name))
      continue;
    if (const std::string feature = missingFeature(name); !feature.empty())
      if (const llvm::Instruction *call = firstCallOf(function))
        lowering::refuse(*call, feature);
  }
  return isCalled;
}

} // namespace aiwc::opencl
