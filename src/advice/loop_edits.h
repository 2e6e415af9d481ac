/// What a kernel repeats, in its source: a load in each iteration moves before the loop, a call in
/// each work-item to the host; and a kernel with more work-items than work gets a loop over the
/// work.
#pragma once

#include "advice/source_code.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::advice {

/// A piece of the source, and what takes its place.
struct Replacement {
  size_t offset = 0, length = 0;
  std::string text;
};

/// Loads `array[...]` on `line` of the kernel, an index that stays in the innermost loop around it,
/// before that loop, and replaces it, and the same loads in the loop, by the value. None unless the
/// array is a parameter that the kernel only reads, the index has no side effect and is of values
/// that the loop does not assign, and the first iteration executes the load for certain if there is
/// one: no condition, `break`, `continue` or `return` comes before it in the loop.
std::vector<Replacement> hoistedLoad(const SourceCode &code, std::string_view kernel,
                                     std::string_view array, uint64_t line);

/// The calls of mathematical functions in the kernel whose arguments are numbers and parameters
/// that it does not change, as their source, each once: values that the host can calculate.
std::vector<std::string> callsOfArguments(const SourceCode &code, std::string_view kernel);

/// Puts the work of a kernel `{ int i = get_global_id(0); if (i < n) WORK }`, or `... if (i >= n)
/// return; WORK }`, into a loop in which `i` grows by the number of work-items, so that a launch of
/// any size does all of it; likewise in the words of CUDA. None for another kernel: one with more
/// dimensions, barriers or local memory, other uses of ids, a further `return`, or values that the
/// work changes and that are declared before it.
std::vector<Replacement> gridStride(const SourceCode &code, std::string_view kernel);

} // namespace aiwc::advice
