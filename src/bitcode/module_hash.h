#pragma once

#include <string>

namespace llvm {
class Module;
}

/// What takes LLVM to do with programs that come as binaries: aiwc_bitcode.so, and what the plugin
/// has in common with it. Nothing here knows a profile or Oclgrind.
namespace aiwc::bitcode {

/// The hash of what the module computes, as a profile of a program built from a binary has it. Not
/// of debug locations and names, which tell the folder that it was compiled in, nor of annotations
/// (embed/bitcode.h): an annotated module is the same module. Copies the module; O(its size).
///
/// It is that of the bitcode which this version of LLVM writes, so other versions have others. The
/// bitcode names the kinds of metadata that the module's context knows: a module that shares its
/// context with others may have another hash.
std::string moduleHash(const llvm::Module &module);

} // namespace aiwc::bitcode
