/// The container for SPIR-V, from version 1.1 on: one OpModuleProcessed instruction for each
/// annotation. Its string is "aiwc.metrics 1 carrier=HASH" and the compact form, with its newlines.
/// These instructions are after all other debug instructions, as the logical layout requires
/// (SPIR-V specification, 2.4). SPIR-V 1.0 has no such instruction.
///
/// An annotation is smaller than 4 KiB (compact_profile.h) and a string may have 65535 bytes
/// (specification, 2.17), so one instruction always holds it. Words are read and written in the
/// module's own byte order.
#pragma once

#include "embed/container.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::embed {

extern const Container kSpirv; // its functions:

/// Reads the annotations in `module` and the hash of `module` without them. An annotation that was
/// put into another module is stale. Accepts any input; throws nothing but std::bad_alloc. The
/// search ends after the debug instructions; the hash is O(length).
Annotations readSpirv(std::string_view module);

/// `module` without the instructions of annotations; all other bytes are unchanged.
/// `stripSpirv(embedIntoSpirv(x, ...)) == stripSpirv(x)` for any x that is not refused.
std::string stripSpirv(std::string_view module);

/// `stripSpirv(module)` with `annotations` added. Throws Error for SPIR-V 1.0, and if `module` is
/// not valid SPIR-V up to the place for annotations.
std::string embedIntoSpirv(std::string_view module, std::span<const Annotation> annotations);

/// The names of the entry points of `module`. Reading stops at the first instruction that cannot be
/// read.
std::vector<std::string> definedInSpirv(std::string_view module);

} // namespace aiwc::embed
