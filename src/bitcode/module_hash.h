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
/// It is that of the text that this version of LLVM prints, comments aside, so other versions may
/// have others. Not of bitcode, which lists the kinds of metadata that whoever writes it knows.
/// Structures may have other names, and so the module another hash, in a context with other
/// modules.
std::string moduleHash(const llvm::Module &module);

} // namespace aiwc::bitcode
