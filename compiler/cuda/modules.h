/// Reading device bitcode.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <span>
#include <string>

namespace aiwc::cuda {

/// The modules in `files`, linked to one. Throws aiwc::Error, which names the file, for what is no
/// bitcode of clang for `--offload=spirv64` and for definitions that clash.
std::unique_ptr<llvm::Module> readModules(llvm::LLVMContext &context,
                                          std::span<const std::string> files);

} // namespace aiwc::cuda
