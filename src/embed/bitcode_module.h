/// The boundary to aiwc_bitcode.so, the module that knows LLVM: C functions, since LLVM is built
/// without exceptions and run-time types, and the module may be missing. Its implementation is in
/// src/bitcode; bitcode.cpp opens it. A function's name ends in the boundary's version.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

/// What `aiwc_bitcode_take` is handed.
enum aiwc_bitcode_kind : uint32_t {
  AIWC_BITCODE_FUNCTION = 0, ///< the name of a function that the module defines
  AIWC_BITCODE_HASH = 1,     ///< the hash of what the module computes (src/bitcode/module_hash.h)
  AIWC_BITCODE_MODULE = 2,   ///< a whole module
  AIWC_BITCODE_ERROR = 3,    ///< what is wrong, as `WHAT: expected WHAT`
};

/// Called for each result; `bytes` are valid in the call alone. Must not throw.
using aiwc_bitcode_take = void (*)(void *context, aiwc_bitcode_kind kind, const char *bytes,
                                   size_t length);

struct aiwc_bitcode_string {
  const char *bytes;
  size_t length;
};

/// The functions' type: hands out what they found, or one error. They share no state. Malformed
/// bitcode is an error where LLVM says so, but LLVM may also end the process or worse.
using aiwc_bitcode_query = void (*)(const char *bytes, size_t length, aiwc_bitcode_take take,
                                    void *context);
using aiwc_bitcode_writer = void (*)(const char *bytes, size_t length,
                                     const aiwc_bitcode_string *strings, size_t count,
                                     aiwc_bitcode_take take, void *context);

} // extern "C"

namespace aiwc::embed {

/// A query: functions and hash.
inline constexpr const char *kBitcodeIdentify = "aiwc_bitcode_identify_1";
/// A writer: the module with the named metadata `!aiwc.metrics` of these strings, a node for each,
/// in place of what it has.
inline constexpr const char *kBitcodeWrite = "aiwc_bitcode_write_1";

/// The named metadata, in bitcode and in text.
inline constexpr const char *kMetricsMetadata = "aiwc.metrics";

} // namespace aiwc::embed
