/// The container for OpenCL C: comment blocks above the kernels (comment_blocks.h).
#pragma once

#include "embed/container.h"

#include <span>
#include <string>
#include <string_view>

namespace aiwc::embed {

extern const Container kOpenClC; // its functions:

/// `source` without its blocks, whatever they contain; all other bytes are unchanged.
/// `strip(embed(x, ...)) == strip(x)` for any bytes x, and `strip(x) == x` if x has no blocks.
std::string strip(std::string_view source);

/// The hash of `strip(source)`. This is the `source_hash` of the provenance, so that annotating a
/// source does not change it.
std::string bareHash(std::string_view source);

/// Reads the annotations in `source` and the hash of `source` without them. An annotation of
/// another source is stale. Accepts any input; throws nothing but std::bad_alloc. O(length) in time
/// and memory.
Annotations readAnnotations(std::string_view source);

/// `source` with its blocks replaced by those of `annotations`. Each block is put above the
/// declaration of its kernel (place.h), or at the top if that is not found. A block ends in a #line
/// directive, so that the line numbers of the source do not change.
std::string embed(std::string_view source, std::span<const Annotation> annotations);

} // namespace aiwc::embed
