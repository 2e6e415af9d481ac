/// The packed device code of a unit, which aiwc-cuda-device makes, clang puts into the object, the
/// runtime library loads and profiles are looked up for.
///
/// Little-endian: "AIWCCUDA", then five integers of 8 bytes (version 2, and the bytes of each of
/// the following parts), a table, the initial bytes of the variables in global and in constant
/// memory, and LLVM bitcode. The table has a line for each entry, with fields that tabs separate:
///
///     kernel   NAME  FUNCTION  HIDDEN  SHARED  THREADS  SIZES...
///     refused  NAME  REASON
///     symbol   NAME  global|constant  OFFSET  SIZE
///     pointer  SPACE OFFSET  TARGETSPACE TARGETOFFSET
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::cuda {

/// Where a variable of the program is: `__device__` or `__constant__`. All variables of a unit in
/// a space share a buffer.
enum class SymbolSpace : uint8_t { kGlobal, kConstant };
inline constexpr SymbolSpace kSymbolSpaces[] = {SymbolSpace::kGlobal, SymbolSpace::kConstant};
constexpr size_t indexOf(SymbolSpace space) {
  return static_cast<size_t>(space);
}

struct DeviceCode {
  struct Kernel {
    std::string name;     ///< mangled, as the host registers it
    std::string function; ///< in the bitcode: the readable name
    // The hidden arguments after the declared ones, in this order.
    bool hasDynamicShared = false;     ///< pointer to local memory
    bool hasGlobal = false;            ///< the buffer of the variables in global memory
    bool hasConstant = false;          ///< the buffer of the variables in constant memory
    size_t sharedBytes = 0;            ///< of static shared memory
    size_t mostThreads = 0;            ///< of a block, by __launch_bounds__; 0: as the device has
    std::vector<size_t> argumentBytes; ///< of each declared argument
  };
  /// A kernel that the simulator cannot run, so that the bitcode lacks it.
  struct Refused {
    std::string name;   ///< mangled
    std::string reason; ///< one line for the user, without tabs: place, kernel and reason
  };
  struct Symbol {
    std::string name;
    SymbolSpace space = SymbolSpace::kGlobal;
    size_t offset = 0, bytes = 0;
  };
  /// Eight initial bytes that are the address of a variable.
  struct Pointer {
    SymbolSpace space = SymbolSpace::kGlobal;
    size_t offset = 0;
    SymbolSpace targetSpace = SymbolSpace::kGlobal;
    size_t targetOffset = 0;
  };

  std::vector<Kernel> kernels;
  std::vector<Refused> refused;
  std::vector<Symbol> symbols;
  std::vector<Pointer> pointers;
  std::array<std::string, 2> initial; ///< the initial bytes of each space
  std::string bitcode;
};

/// The bytes of packed device code. Throws nothing but std::bad_alloc.
std::string writeDeviceCode(const DeviceCode &code);

/// Throws `aiwc::Error` unless `bytes` are device code in which every entry refers to bytes that
/// exist.
DeviceCode parseDeviceCode(std::string_view bytes);

/// The bytes of the device code that begins at an address, by its header. Throws `aiwc::Error` if
/// the 48 bytes there are no header.
size_t deviceCodeBytes(const char *code);

/// The bytes of each unit's device code in a file of any kind, in their order. Text that only
/// begins as device code does is none.
std::vector<std::string_view> deviceCodesIn(std::string_view file);

} // namespace aiwc::cuda
