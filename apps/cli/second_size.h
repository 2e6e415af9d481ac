/// Why one size of a kernel does not tell what it does at another.
#pragma once

#include "inputs.h"

#include <string>

namespace aiwc::cli {

/// What of a launch may grow with its global size, although the size alone does not say so.
struct SizeFollower {
  std::string what;     ///< "the argument n is 2,048"; empty: nothing
  bool perItem = false; ///< whether the work of a work-item may grow: an argument or a loop bound
};
/// An argument that is passed by value or a loop bound that equals the global size in a dimension
/// or the number of work-items, up to the rounding to whole work-groups; otherwise, a buffer with a
/// whole number of bytes for each work-item.
SizeFollower sizeFollowerOf(const NamedProfile &launch);

/// The command that adds a run with twice the size to the folder `run`, as far as the command of
/// the run that is there tells which of its words is the size of `launch`; empty if there is no
/// such run.
std::string commandForSecondSize(const std::string &run, const NamedProfile &launch);

} // namespace aiwc::cli
