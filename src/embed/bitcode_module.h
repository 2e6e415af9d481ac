/// The interface of aiwc_bitcode.so, the only module of this library that links LLVM. It has C
/// functions because LLVM is built without exceptions and run-time type information, and because
/// the module may be missing. It is implemented in compiler/bitcode and opened by bitcode.cpp. The
/// number at the end of a function's name is the version of this interface.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

/// The kinds of results passed to `aiwc_bitcode_take`.
enum aiwc_bitcode_kind : uint32_t {
  AIWC_BITCODE_FUNCTION = 0, ///< the name of a function that the module defines
  AIWC_BITCODE_HASH = 1, ///< the hash of what the module computes (compiler/bitcode/module_hash.h)
  AIWC_BITCODE_MODULE = 2, ///< a whole module
  AIWC_BITCODE_ERROR = 3,  ///< what is wrong, as `WHAT: expected WHAT`
};

/// Callback for each result. `bytes` are valid only during the call. Must not throw.
using aiwc_bitcode_take = void (*)(void *context, aiwc_bitcode_kind kind, const char *bytes,
                                   size_t length);

struct aiwc_bitcode_string {
  const char *bytes;
  size_t length;
};

/// The types of the module's functions. They pass their results to `take`, or a single error. They
/// share no state. Malformed bitcode gives an error if LLVM detects it, but LLVM may also abort the
/// process or have undefined behaviour: bitcode.cpp calls them in a child process.
using aiwc_bitcode_query = void (*)(const char *bytes, size_t length, aiwc_bitcode_take take,
                                    void *context);
using aiwc_bitcode_writer = void (*)(const char *bytes, size_t length,
                                     const aiwc_bitcode_string *strings, size_t count,
                                     aiwc_bitcode_take take, void *context);

} // extern "C"

namespace aiwc::embed {

/// A query: returns the names of the defined functions and the hash.
inline constexpr const char *kBitcodeIdentify = "aiwc_bitcode_identify_1";
/// A writer: returns the module with its named metadata `!aiwc.metrics` replaced by one node for
/// each of these strings.
inline constexpr const char *kBitcodeWrite = "aiwc_bitcode_write_1";

/// The name of the metadata, in bitcode and in text.
inline constexpr const char *kMetricsMetadata = "aiwc.metrics";

} // namespace aiwc::embed
