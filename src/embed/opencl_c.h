/// The carrier OpenCL C: comment blocks above the kernels (comment_blocks.h).
#pragma once

#include "embed/carrier.h"

#include <span>
#include <string>
#include <string_view>

namespace aiwc::embed {

extern const Carrier kOpenClC; // whose functions are these:

/// `source` without its blocks, whatever they hold; all other bytes are untouched.
/// `strip(embed(x, ...)) == strip(x)` for any bytes x, and == x where x has no blocks.
std::string strip(std::string_view source);

/// The hash of `strip(source)`, which is what provenance's `source_hash` is of: an annotated source
/// is the same source.
std::string bareHash(std::string_view source);

/// The annotations in `source` and its hash without them. An annotation of another source
/// is stale.
/// For any input; throws nothing but std::bad_alloc. O(length), memory included.
Annotations readAnnotations(std::string_view source);

/// `source` without the blocks it has and with those of `annotations`: above the declaration of
/// their kernel (place.h), or at the top where that cannot be told. Each ends in a #line, so that
/// no other line changes its number.
std::string embed(std::string_view source, std::span<const Annotation> annotations);

} // namespace aiwc::embed
