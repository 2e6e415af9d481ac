/// The carrier LLVM bitcode: the named metadata `!aiwc.metrics`, a node of one string per
/// annotation, as in the text form (llvm_text.h).
///
/// Bitcode holds the bytes of metadata's strings as they are, one string behind the other (LLVM 3.9
/// and later). So they are found without LLVM, wherever the bitcode is: in a wrapper or in a
/// program's binary that has it inside. The checksum tells where an annotation ends and that it is
/// one. Functions named "...Bitcode" other than that take LLVM, in a module of its own,
/// aiwc_bitcode.so, which is opened when one of them is called. AIWC_BITCODE names its file;
/// otherwise it is looked for where it is installed, seen from the library or program that this is
/// part of, as in the build tree.
///
/// No hash of the module is kept, so that nothing is stale: nobody edits bitcode; a compiler makes
/// it anew, without annotations, or tools that are to keep what it computes change it, as linking
/// and optimising do.
#pragma once

#include "embed/carrier.h"

#include <span>
#include <string>
#include <string_view>

namespace aiwc::embed {

extern const Carrier kBitcode; // whose functions are these:

/// The annotations in `module`, or in anything that holds bitcode, and the hash of all its bytes.
/// For any input; throws nothing but std::bad_alloc. O(length), memory included.
Annotations readBitcode(std::string_view module);

/// `module` without annotations: itself where it has none, else written anew by LLVM, which keeps
/// all that the module says but not its bytes. Throws Error as embedIntoBitcode.
std::string stripBitcode(std::string_view module);

/// `module` with `annotations` in place of those that it has, in bitcode of the version of LLVM
/// that aiwc_bitcode.so is built with. Throws Error where that cannot be opened, for what LLVM
/// refuses, for bitcode of another major version, which would become unreadable to it, and for what
/// LLVM would not write back: link-time summaries and files of several modules.
std::string embedIntoBitcode(std::string_view module, std::span<const Annotation> annotations);

/// Throws Error where aiwc_bitcode.so cannot be opened and for what LLVM refuses.
Identity identityOfBitcode(std::string_view module);

} // namespace aiwc::embed
