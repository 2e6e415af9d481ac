/// The container for LLVM IR as text (*.ll). It keeps every annotation twice: in a block of
/// comments above the kernel's `define`, for people,
///
///     ;@aiwc begin 1 carrier=xxh3-128:...
///     ;@aiwc kernel=... (lines of the compact form)
///     ;@aiwc end
///
/// and as a node of the named metadata `!aiwc.metrics`, which assembling, linking and optimising
/// keep although they drop comments:
///
///     !aiwc.metrics = !{!7}
///     !7 = !{!"aiwc.metrics 1 kernel=..."}
///
/// LLVM is not needed. llvm_text_lines.h gives the syntax of these lines. Lines that begin with
/// `;@aiwc `, and nodes of one string that begins with `aiwc.metrics `, are reserved.
#pragma once

#include "embed/container.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::embed {

extern const Container kLlvmText; // its functions:

/// Reads the annotations in `text` and the hash of `text` without them. An annotation found both as
/// comment and as metadata is returned once. A comment is stale if the text has changed since it
/// was written. Metadata cannot show that: tools change the text around it and keep the kernel.
/// Accepts any input; throws nothing but std::bad_alloc. O(length) in time and memory.
Annotations readLlvmText(std::string_view text);

/// `text` without the lines of annotations, damaged ones included; all other bytes are unchanged. A
/// node that is also referenced from elsewhere is kept. `stripLlvmText(embedIntoLlvmText(x, ...))
/// == stripLlvmText(x)` for any x that is not refused.
std::string stripLlvmText(std::string_view text);

/// `stripLlvmText(text)` with `annotations` added. Comments are put above the definition of their
/// kernel, or at the top if `text` does not define it; metadata is put at the end, in nodes with
/// numbers above those in use. Throws Error if `text` ends inside a string or has no numbers left.
std::string embedIntoLlvmText(std::string_view text, std::span<const Annotation> annotations);

/// The names of the functions that `text` defines.
std::vector<std::string> definedInLlvmText(std::string_view text);

} // namespace aiwc::embed
