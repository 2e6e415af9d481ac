/// SPIR-V, through the program llvm-spirv.
#pragma once

#include <string>

namespace aiwc::opencl {

/// The bitcode that llvm-spirv makes of the SPIR-V on the standard input. `constants`: the values
/// of specialization constants as that program takes them, `id:type:value` with blanks between
/// them. Throws aiwc::Error if the program is missing, or does not take the module.
std::string bitcodeOfSpirv(const std::string &constants);

} // namespace aiwc::opencl
