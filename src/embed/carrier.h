/// What carries annotations, told by its content, and the one way to all carriers: a carrier is a
/// header that says how it keeps them (opencl_c.h, llvm_text.h, bitcode.h, spirv.h).
#pragma once

#include "embed/annotation.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::embed {

enum class Carrier : uint8_t {
  kOpenClC,  ///< comment blocks
  kLlvmText, ///< comment blocks and named metadata
  kBitcode,  ///< named metadata; takes LLVM to write (bitcode.h)
  kSpirv,    ///< OpModuleProcessed
  kSidecar,  ///< a JSON file beside it (sidecar.h); what bitcode it holds is read
};

/// What carries the annotations of `content`, which may have come from `file` (empty: from memory).
/// SPIR-V and bitcode begin with their magic numbers, other things that hold a byte 0 get a
/// sidecar. Text is LLVM IR where its file is called *.ll, or not *.cl and it begins as no OpenCL C
/// can.
Carrier carrierOf(const std::filesystem::path &file, std::string_view content);

/// "OpenCL C", "LLVM bitcode", ..., for messages.
std::string_view name(Carrier carrier);

/// The annotations in `content`, and its hash without them; of bitcode, and of what carries none,
/// the hash is that of all bytes. For any input; throws nothing but std::bad_alloc.
Annotations readFrom(Carrier carrier, std::string_view content);

/// `content` without annotations, all else untouched: `stripFrom(c, embedInto(c, x, ...))` is
/// `stripFrom(c, x)` byte for byte, but for bitcode, which LLVM writes anew (bitcode.h). Throws
/// Error where a carrier refuses `content`, and for a sidecar's.
std::string stripFrom(Carrier carrier, std::string_view content);

/// `stripFrom(carrier, content)` with `annotations`. Throws as that.
std::string embedInto(Carrier carrier, std::string_view content,
                      std::span<const Annotation> annotations);

/// What can be asked of a profile that is to be put into something.
struct Identity {
  /// As a profile's `source_hash` would be: of OpenCL C, and of bitcode where LLVM is there to
  /// tell. Empty where that cannot be told.
  std::string hash;
  /// The kernels, or functions, that it defines, sorted. Empty for OpenCL C, in which macros may
  /// make them, and for what cannot be looked into.
  std::vector<std::string> kernels;
};

/// Throws Error where a carrier refuses `content`.
Identity identityOf(Carrier carrier, std::string_view content);

/// Why a profile is not of what has this identity, as `WHAT IT HAS: expected WHAT`; empty where it
/// is, as far as can be told. OpenCL C, and bitcode that was characterised itself, is asked by
/// hash. A binary does not say what source it was compiled from: it has to define the kernel.
std::string mismatch(const profile::Provenance &provenance, Carrier carrier,
                     const Identity &identity);

} // namespace aiwc::embed
