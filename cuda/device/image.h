/// The image that a CUDA program carries: a table of kernels and symbols, the initial bytes of the
/// symbols, and bitcode.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aiwc::cuda {

/// A buffer of symbols: `__device__` or `__constant__` variables.
enum class SymbolSpace : uint8_t { kGlobal, kConstant };
inline constexpr SymbolSpace kSymbolSpaces[] = {SymbolSpace::kGlobal, SymbolSpace::kConstant};

struct Image {
  struct Kernel {
    std::string name;            ///< mangled, as the host registers it
    std::string function;        ///< in the bitcode: the readable name
    std::string hidden;          ///< the hidden arguments: some of "dgc", in this order
    uint64_t sharedBytes = 0;    ///< static shared memory
    std::vector<uint64_t> sizes; ///< bytes of each declared argument
  };
  struct Symbol {
    std::string name;
    SymbolSpace space = SymbolSpace::kGlobal;
    uint64_t offset = 0, size = 0;
  };
  /// 8 bytes that hold the address of another place in a buffer of symbols.
  struct Pointer {
    SymbolSpace space = SymbolSpace::kGlobal;
    uint64_t offset = 0;
    SymbolSpace targetSpace = SymbolSpace::kGlobal;
    uint64_t targetOffset = 0;
  };

  std::vector<Kernel> kernels;
  std::vector<Symbol> symbols;
  std::vector<Pointer> pointers;
  std::string bytes[2]; ///< the initial bytes of each space
  std::string bitcode;
};

/// The bytes of the file: magic, version and four sizes as little-endian numbers of 8 bytes, then
/// the table as lines of text, the initial bytes of both buffers, and the bitcode.
std::string writeImage(const Image &image);

} // namespace aiwc::cuda
