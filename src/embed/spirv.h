/// The carrier SPIR-V from version 1.1 on: an OpModuleProcessed for each annotation, whose string
/// is "aiwc.metrics 1 carrier=HASH" and the compact form, line by line. They stand behind all other
/// debug instructions, where the logical layout has them (SPIR-V specification, 2.4). 1.0 has no
/// such instruction.
///
/// An annotation is below 4 KiB (compact_profile.h) and a string may have 65535 bytes
/// (specification, 2.17), so one instruction always holds it. Words of either endianness are read
/// and written as the module has them.
#pragma once

#include "embed/carrier.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::embed {

extern const Carrier kSpirv; // whose functions are these:

/// The annotations in `module` and its hash without them. One that was put into another module is
/// stale. For any input; throws nothing but std::bad_alloc. Looks no further than the debug
/// instructions; the hash is O(length).
Annotations readSpirv(std::string_view module);

/// `module` without the instructions of annotations; all other bytes are untouched.
/// `stripSpirv(embedIntoSpirv(x, ...)) == stripSpirv(x)` for any x that is not refused.
std::string stripSpirv(std::string_view module);

/// `stripSpirv(module)` with `annotations`. Throws Error for SPIR-V 1.0, and for what is no SPIR-V
/// module as far as the place for annotations.
std::string embedIntoSpirv(std::string_view module, std::span<const Annotation> annotations);

/// The names of the entry points of `module`; none behind the first thing that cannot be read.
std::vector<std::string> definedInSpirv(std::string_view module);

} // namespace aiwc::embed
