#include "engine_passes/state.h"

namespace aiwc::engine {

const char *describe(Failure failure) {
  switch (failure) {
  case Failure::kAccess:
    return "an access was misaligned, or outside of private memory or of the buffer that its "
           "address was computed from";
  case Failure::kArrayIndex:
    return "an index was outside of its array";
  case Failure::kElementIndex:
    return "an index was outside of its vector";
  case Failure::kDimension:
    return "a work-item function was asked for a fourth dimension";
  case Failure::kUnreachable:
    return "control reached an unreachable instruction";
  case Failure::kDivergence:
    return "work-items of a group met different barriers";
  case Failure::kCopies:
    return "work-items of a group disagreed on a copy, or did not wait for it";
  case Failure::kOutput:
    return "its output and its errors are more than the buffer of the engine holds";
  case Failure::kNoImage:
    return "an image was missing";
  case Failure::kImageFormat:
    return "an image had a format that Oclgrind's function does not access";
  case Failure::kStacks:
    return "there was no memory for the stacks of its work-items";
  case Failure::kOrder:
    return "its work-groups need one another's results";
  case Failure::kInternal:
    break;
  }
  return "an unexpected error occurred";
}

} // namespace aiwc::engine
