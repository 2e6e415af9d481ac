#pragma once

#include <string>

namespace llvm {
class Module;
}

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

} // namespace aiwc::bitcode
