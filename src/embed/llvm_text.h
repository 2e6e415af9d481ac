/// LLVM IR as text (*.ll). Annotations are put into its bitcode (bitcode.h), whose metadata
/// llvm-dis prints: they are found in the text, too, but text is neither annotated nor stripped.
#pragma once

#include "embed/container.h"

namespace aiwc::embed {

extern const Container kLlvmText;

} // namespace aiwc::embed
