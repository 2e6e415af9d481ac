/// The container for LLVM bitcode: the named metadata `!aiwc.metrics`, with one node of one string
/// per annotation, which assembling, linking and optimising keep:
///
///     !aiwc.metrics = !{!7}
///     !7 = !{!"aiwc.metrics 1 kernel=..."}
///
/// Bitcode stores the strings of metadata unencoded, one after another (LLVM 3.9 and later).
/// Reading therefore needs no LLVM and works wherever the bitcode is: in a wrapper, or inside a
/// program's binary. An annotation's checksum confirms that it is one and where it ends. The other
/// functions named "...Bitcode" need LLVM, which they call in a child process, since bitcode that
/// nobody has checked may crash it. They are in a separate module, aiwc_bitcode.so, which is opened
/// when one of them is first called. AIWC_BITCODE names its file; if it is not set, the file
/// is looked up relative to the library or program that contains this code, in the installed tree
/// as in the build tree.
///
/// No hash of the module is kept, so annotations in bitcode are never stale. Nobody edits bitcode
/// by hand: either a compiler writes it anew, without annotations, or a tool changes it and keeps
/// what it computes, as linking and optimising do.
#pragma once

#include "embed/container.h"

#include <span>
#include <string>
#include <string_view>

namespace aiwc::embed {

extern const Container kBitcode; // its functions:

/// Reads the annotations in `module`, or in any content that holds bitcode, and the hash of all its
/// bytes. Accepts any input; throws nothing but std::bad_alloc. O(length) in time and memory.
Annotations readBitcode(std::string_view module);

/// `module` without annotations. A module that has none is returned unchanged; any other is
/// rewritten by LLVM, which keeps its meaning but not its exact bytes. Throws Error as
/// embedIntoBitcode does.
std::string stripBitcode(std::string_view module);

/// `module` with its annotations replaced by `annotations`, in bitcode of the LLVM version that
/// aiwc_bitcode.so is built with. Throws Error if aiwc_bitcode.so cannot be opened, if LLVM rejects
/// the module, if the bitcode is of another major version of LLVM (which could not read the
/// result), if LLVM would not write everything back (link-time summaries and files of several
/// modules), and if it crashes.
std::string embedIntoBitcode(std::string_view module, std::span<const Annotation> annotations);

/// Throws Error if aiwc_bitcode.so cannot be opened, or if LLVM rejects the module or crashes.
Identity identityOfBitcode(std::string_view module);

} // namespace aiwc::embed
