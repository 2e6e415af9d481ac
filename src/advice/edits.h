/// Changes of the source that a finding asks for and that are plain edits of text.
#pragma once

#include "advice/source_code.h"

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
    kHoistLoads,    ///< load `arrays[i]` on `lines[i]` before the loop around it, for each i
    kGridStride,    ///< let the kernel's work-items loop over the work
    kMultiply,      ///< write the powers in `lines` as products and square roots
    kPassValues, ///< give the kernel what it calculates of its arguments: no edit, the host changes
  };
  Kind kind = Kind::kNone;
  std::vector<uint64_t> lines = {};
  std::vector<std::string> arrays = {};
  /// Of kGridStride: how many work-items then do, in whole work-groups.
  uint64_t workItems = 0;
};

/// A line of the source, and what it becomes: one line, or several.
struct Edit {
  uint64_t place = 0; ///< from 1, in the text
  uint64_t line = 0;  ///< its number, as profiles have it: #line may give it another
  std::string before, after;

  bool operator==(const Edit &) const = default;
};

/// The lines of the source that the change replaces, in their order; none if the source does not
/// have what is to be changed where it should be, so that somebody has to look. `kernel` is the
/// name of the kernel.
std::vector<Edit> editsOf(const Change &change, std::string_view kernel, const SourceCode &code);

/// A sentence about the change in the kernel's own names, where it is no edit of the text: which
/// calls the host can make. Empty if there is nothing to say.
std::string sketchOf(const Change &change, std::string_view kernel, const SourceCode &code);

} // namespace aiwc::advice
