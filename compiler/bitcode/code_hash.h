#pragma once

#include <string>

namespace llvm {
class Function;
}

namespace aiwc::bitcode {

/// The hash of what a kernel executes: its instructions, those of the functions that it calls, and
/// the variables of the program that they use. Names, comments, debug information, metadata and
/// what else is in the module do not count. The same code has the same hash in every module and in
/// every program of this version of LLVM, whatever it was compiled from.
///
/// A function without a body, such as a builtin, is known by its name. Takes time proportional to
/// the size of the code, and of the types and constants in it.
std::string codeHash(const llvm::Function &kernel);

} // namespace aiwc::bitcode
