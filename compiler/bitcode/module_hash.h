#pragma once

#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

/// The code for programs given as binaries that needs LLVM: the library aiwc_bitcode.so, and the
/// part of it that the plugin uses too. It depends neither on profiles nor on Oclgrind.
namespace aiwc::bitcode {

/// The hash of a module's code, as it stands in the profile of a program built from a binary. The
/// hash leaves out debug information and the names of the module and its source file, which contain
/// the folder of the compilation. It also leaves out annotations (embed/bitcode.h): a module has
/// the same hash with and without them. Copies the module; takes time proportional to its size.
///
/// The hash is computed from the text that this version of LLVM prints, without comments; other
/// versions may give other hashes. It is not computed from bitcode, because bitcode lists all kinds
/// of metadata that its writer knows. In an LLVM context that holds other modules, LLVM may rename
/// structures, and then the hash differs.
///
/// Of a module with a kept hash, that one.
std::string moduleHash(const llvm::Module &module);

/// Keeps the hash of the code that the module had before a change, in its metadata.
void keepModuleHash(llvm::Module &module, const std::string &hash);

/// The hash of what a kernel executes: its instructions, those of the functions that it calls, and
/// the variables of the program that they use. Names, comments, debug information, metadata and
/// what else is in the module do not count. The same code has the same hash in every module and in
/// every program of this version of LLVM, whatever it was compiled from.
///
/// A function without a body, such as a builtin, is known by its name. Takes time proportional to
/// the size of the code, and of the types and constants in it.
std::string codeHash(const llvm::Function &kernel);

} // namespace aiwc::bitcode
