/// Functions at which work-items of a sub-group (a warp) wait for one another. All of them are
/// calls of one function of the simulator, `__aiwc_meet`, or, for products of matrices, of
/// decoding::kMatrixFunctions. Both engines execute them, and profiles count each call as one
/// instruction.
#pragma once

#include "simulator/matrices.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace aiwc::simulator {

/// What those that meet do; the first argument. host/cuda/include/aiwc_warp.h and
/// compiler/opencl/builtins/builtins.h have the same numbers.
enum class Exchange : uint32_t {
  kBarrier = 0,
  kBallot = 1, ///< bit i: whether the value of lane 32 `argument` + i is not 0
  kMatch = 2,  ///< whether that lane has the same value
  kIndex = 3,  ///< the value of lane `argument` of the segment
  kUp = 4,     ///< the value of the lane `argument` places before
  kDown = 5,   ///< behind
  kXor = 6,    ///< of the lane whose number differs in the bits of `argument`
  kAdd = 7,    ///< of the values of all that meet, as are the following
  kMinSigned = 8,
  kMinUnsigned = 9,
  kMaxSigned = 10,
  kMaxUnsigned = 11,
  kAnd = 12,
  kOr = 13,
  kXorAll = 14,
  kMultiply = 15, ///< of matrices in `Lane::fragments`; not by `__aiwc_meet`
};

/// The arguments of a call, each of 32 bits, in the function's order.
struct Meeting {
  Exchange exchange = Exchange::kBarrier;
  uint32_t value = 0;
  uint32_t argument = 0;
  uint32_t width = 0; ///< lanes of a segment for kIndex to kXor; a power of 2
  /// Bit i: lane i takes part. 0: those lanes take part that come to the same call together.
  uint32_t mask = 0;
  uint32_t lanes = 0; ///< of a sub-group, at most kMostLanes
  uint32_t place = 0; ///< of the call in its kernel; those of a loop come before what follows it

  /// For a warp: by the first two arguments and the place of a call of a function of
  /// decoding::kMatrixFunctions, and the function's number there.
  static Meeting multiplication(uint32_t product, bool saturates, size_t function, uint32_t place) {
    return {Exchange::kMultiply,
            product,
            2 * static_cast<uint32_t>(function) + (saturates ? 1 : 0),
            32,
            UINT32_MAX,
            32,
            place};
  }
};
inline constexpr size_t kMeetingArguments = 7;
inline constexpr uint32_t kMostLanes = 128;

/// A work-item of a group.
struct Lane {
  bool hasFinished = false;
  bool waits = false;  ///< at `meeting`, which holds only then
  bool hasMet = false; ///< and goes on with `result` at its place's turn
  bool goesOn = false; ///< set by `meet`
  Meeting meeting;
  uint32_t result = 0;
  Fragments *fragments = nullptr; ///< of a multiplication, whose result is in their place

  void arrive(const Meeting &at, Fragments *passed = nullptr) {
    waits = true;
    meeting = at;
    fragments = passed;
  }
  /// Whether it goes on, which it is told once.
  bool leaves() {
    const bool result = goesOn;
    if (goesOn)
      waits = hasMet = goesOn = false;
    return result;
  }
};

/// For a work-group none of whose work-items can go on, by local linear id: has some go on that
/// have met those of their sub-group, all at the same place, the least. Returns whether there are
/// any; there are if some wait. Lanes meet when none is left that has met before.
///
/// Lanes that name each other in their masks meet when all of them wait that have not finished. If
/// there are none in a sub-group, those meet that wait at the call with the least `place`: so lanes
/// that have left a loop wait for the others. What a lane reads from one that does not take part,
/// which the languages leave undefined, is its own value.
bool meet(std::span<Lane> group);

/// The same, faster, for a group all of whose work-items are at one barrier of sub-groups or
/// shuffle, `call`, where each passes a value, an argument and a mask. Returns false, and does
/// nothing, for other calls, and if some lanes may have to wait for others.
bool meetTogether(const Meeting &call, std::span<const uint32_t> values,
                  std::span<const uint32_t> arguments, std::span<const uint32_t> masks,
                  std::span<uint32_t> results);

} // namespace aiwc::simulator
