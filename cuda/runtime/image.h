/// The image that aiwc-cuda-device makes of a unit's device code, and clang puts into the object.
///
/// Little-endian: "AIWCCUDA", then five integers of 8 bytes (version 1, and the bytes of each of
/// the following parts), a table, the initial bytes of the variables in global and in constant
/// memory, and LLVM bitcode. The table has a line for each entry, with fields that tabs separate:
///
///     kernel   NAME  FUNCTION  HIDDEN  SHARED  SIZES...
///     symbol   NAME  global|constant  OFFSET  SIZE
///     pointer  SPACE OFFSET  TARGETSPACE TARGETOFFSET
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace aiwc::cuda {

/// Where a variable of the program is. All variables of an image in a space share a buffer.
enum class Space : uint8_t { kGlobal, kConstant };
constexpr size_t kSpaces = 2;

struct KernelEntry {
  std::string name;     ///< mangled, as the host registers it
  std::string function; ///< in the bitcode
  // The hidden arguments after the declared ones, in this order.
  bool hasDynamicShared = false; ///< pointer to local memory
  bool hasGlobal = false;        ///< the buffer of the variables in global memory
  bool hasConstant = false;      ///< the buffer of the variables in constant memory
  size_t sharedBytes = 0;        ///< of static shared memory
  std::vector<size_t> argumentBytes;
};

struct SymbolEntry {
  std::string name;
  Space space = Space::kGlobal;
  size_t offset = 0, bytes = 0;
};

/// Eight initial bytes that are the address of a variable.
struct PointerEntry {
  Space space = Space::kGlobal;
  size_t offset = 0;
  Space targetSpace = Space::kGlobal;
  size_t targetOffset = 0;
};

/// The spans are parts of the bytes that were parsed.
struct Image {
  std::vector<KernelEntry> kernels;
  std::vector<SymbolEntry> symbols;
  std::vector<PointerEntry> pointers;
  std::array<std::span<const std::byte>, kSpaces> initial;
  std::span<const std::byte> bitcode;
};

/// The bytes of the image that begins at an address, by its header. Throws `aiwc::Error` if the 48
/// bytes there are no header.
size_t imageBytes(const std::byte *image);

/// Throws `aiwc::Error` unless `bytes` is an image in which every entry refers to bytes that exist.
Image parseImage(std::span<const std::byte> bytes);

} // namespace aiwc::cuda
