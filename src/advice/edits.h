/// Changes of the source that a finding asks for and that are plain edits of text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::advice {

/// A change that needs no thought. What it is made of follows from the source.
struct Change {
  enum class Kind : uint8_t {
    kNone,
    kFloatLiterals, ///< write the constants in `lines` with an f
    kExchangeIds,   ///< exchange get_global_id(0) and get_global_id(1) in the kernel
    kPadRows,       ///< make the rows of the local arrays `arrays` one element longer
    kNarrowIndices, ///< declare the 64-bit indices of the kernel that `lines` use as int
  };
  Kind kind = Kind::kNone;
  std::vector<uint64_t> lines = {};
  std::vector<std::string> arrays = {};
};

/// A line of the source, and what it becomes.
struct Edit {
  uint64_t line = 0; ///< from 1
  std::string before, after;

  bool operator==(const Edit &) const = default;
};

/// The lines of `source` that the change replaces, in their order; none if the source does not have
/// what is to be changed where it should be, so that somebody has to look. `kernel` is the name of
/// the kernel.
std::vector<Edit> editsOf(const Change &change, std::string_view kernel, std::string_view source);

} // namespace aiwc::advice
