/// The names that people know things by.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace aiwc::lowering {

/// What the user calls a function or variable: `reduce<float, 256>` of `void reduce<float,
/// 256>(float*)`, without the return type and the parameters. A name that is not mangled stays.
std::string plainName(llvm::StringRef mangled);
/// Of a kernel: one that is longer than a line has `<...>` for template arguments within others, or
/// for all of them: `scan<int, Pairs<...> >`, `reduce<...>`.
std::string readableKernelName(const std::string &mangled);
/// With the parameters, which tell it from other kernels of this name: `add(int, float*)`.
std::string kernelNameWithParameters(const std::string &mangled);

/// Of a variable: `tile` of `transpose(float*)::tile`.
std::string readableVariableName(const std::string &mangled);

} // namespace aiwc::lowering
