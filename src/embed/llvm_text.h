/// The carrier LLVM IR as text (*.ll). It keeps every annotation twice: in a block of comments
/// above the kernel's `define`, for people,
///
///     ;@aiwc begin 1 carrier=xxh3-128:...
///     ;@aiwc kernel=... (lines of the compact form)
///     ;@aiwc end
///
/// and as a node of the named metadata `!aiwc.metrics`, which assembling, linking and optimising
/// keep where comments are lost:
///
///     !aiwc.metrics = !{!7}
///     !7 = !{!"aiwc.metrics 1 kernel=..."}
///
/// No LLVM is needed. What these lines may look like is in llvm_text_lines.h; `;@aiwc ` at the
/// begin of a line, and nodes of one string that begins so, are reserved.
#pragma once

#include "embed/carrier.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::embed {

extern const Carrier kLlvmText; // whose functions are these:

/// The annotations in `text` and its hash without them; one that stands there as comment and as
/// metadata is one. A comment whose text has changed since is stale. Metadata does not tell: it has
/// been through tools that change the text and keep the kernel.
/// For any input; throws nothing but std::bad_alloc. O(length), memory included.
Annotations readLlvmText(std::string_view text);

/// `text` without the lines of annotations, damaged ones included; all other bytes are untouched. A
/// node that something else refers to, too, stays.
/// `stripLlvmText(embedIntoLlvmText(x, ...)) == stripLlvmText(x)` for any x that is not refused.
std::string stripLlvmText(std::string_view text);

/// `stripLlvmText(text)` with `annotations`: comments above the definition of their kernel, or at
/// the top where it has none, metadata at the end, in nodes with numbers above those in use. Throws
/// Error where `text` ends in a string or has no numbers left.
std::string embedIntoLlvmText(std::string_view text, std::span<const Annotation> annotations);

/// The names of the functions that `text` defines.
std::vector<std::string> definedInLlvmText(std::string_view text);

} // namespace aiwc::embed
