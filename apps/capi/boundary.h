/// The boundary between C++ and C: converts exceptions to statuses, and copies results into structs
/// of the size that the caller knows.
#pragma once

#include "aiwc.h"
#include "common/error.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace aiwc::capi {

/// An error with its own status.
class Failure : public Error {
public:
  Failure(aiwc_status status, const std::string &message) : Error(message), status_(status) {}
  ~Failure() override;
  aiwc_status status() const { return status_; }

private:
  aiwc_status status_;
};

/// Stores `message` for aiwc_error_message of this thread, and returns `status`. Does not allocate.
aiwc_status fail(aiwc_status status, std::string_view message) noexcept;

/// The status for the exception that is being handled; `ofError` is the status for an Error.
aiwc_status statusOfException(aiwc_status ofError) noexcept;

/// Runs `body` and returns AIWC_OK, or the status for the exception that it throws.
template <typename Body> aiwc_status guarded(aiwc_status ofError, Body body) noexcept {
  try {
    body();
    return AIWC_OK;
  } catch (...) {
    return statusOfException(ofError);
  }
}

/// Throws Failure, AIWC_BAD_ARGUMENT, if `pointer` is NULL; `what` is the argument's name.
template <typename T> T &given(T *pointer, const char *what) {
  if (!pointer)
    throw Failure(AIWC_BAD_ARGUMENT, std::string(what) + " is NULL");
  return *pointer;
}

/// The sizes of aiwc.h's structs in version 0.2, in bytes. Programs compiled with that version pass
/// these sizes for ever, so the numbers must never change: members that are added later come after
/// them.
template <typename Struct> inline constexpr size_t kFirstSize = 0;
template <> inline constexpr size_t kFirstSize<aiwc_ndrange> = 80;
template <> inline constexpr size_t kFirstSize<aiwc_annotation> = 72;
template <> inline constexpr size_t kFirstSize<aiwc_match> = 32;
template <> inline constexpr size_t kFirstSize<aiwc_prediction> = 224;
template <> inline constexpr size_t kFirstSize<aiwc_share> = 64;
template <> inline constexpr size_t kFirstSize<aiwc_division> = 40;
template <> inline constexpr size_t kFirstSize<aiwc_metric> = 48;
template <> inline constexpr size_t kFirstSize<aiwc_device_facts> = 48;
template <> inline constexpr size_t kFirstSize<aiwc_parameter> = 32;
template <> inline constexpr size_t kFirstSize<aiwc_provenance> = 80;
template <> inline constexpr size_t kFirstSize<aiwc_value> = 32;
template <> inline constexpr size_t kFirstSize<aiwc_line> = 72;
template <> inline constexpr size_t kFirstSize<aiwc_part> = 24;
template <> inline constexpr size_t kFirstSize<aiwc_transfers> = 32;

/// No version of a struct is larger. A program that passes more has confused sizes, and would have
/// memory overwritten that is not its struct's.
inline constexpr size_t kLargestSize = 4096;

/// Whether a caller's struct of `size` bytes is at least as large as in version 0.2, and no larger
/// than kLargestSize.
template <typename Struct> constexpr bool isSizeAccepted(size_t size) {
  static_assert(kFirstSize<Struct> > 0 && kFirstSize<Struct> <= sizeof(Struct) &&
                sizeof(Struct) <= kLargestSize);
  return size >= kFirstSize<Struct> && size <= kLargestSize;
}

/// Throws Failure if a caller's struct cannot have `size` bytes.
template <typename Struct> void requireSize(size_t size, const char *what) {
  if (!isSizeAccepted<Struct>(size))
    throw Failure(AIWC_BAD_ARGUMENT, std::string(what) + " is " + std::to_string(size) +
                                         ": expected the size of the struct, " +
                                         std::to_string(kFirstSize<Struct>) + " to " +
                                         std::to_string(kLargestSize) + " bytes");
}

/// Throws Failure if `number`, of bytes or of elements, is beyond `most`: a length that was
/// negative or never set.
inline void requireAtMost(size_t number, size_t most, const char *what) {
  if (number > most)
    throw Failure(AIWC_BAD_ARGUMENT, std::string(what) + " is " + std::to_string(number) +
                                         ": expected at most " + std::to_string(most));
}

/// The most bytes that a file of kernels may have, and the most handles in an array.
inline constexpr size_t kMostBytes = size_t{256} << 20U;
inline constexpr size_t kMostHandles = size_t{1} << 20U;

/// Copies as much of `value` as fits into the `size` bytes at `target`, and fills the rest with
/// zeros.
template <typename Struct> void copyOut(const Struct &value, void *target, size_t size) noexcept {
  static_assert(std::is_trivially_copyable_v<Struct>);
  const size_t known = std::min(size, sizeof(Struct));
  std::memcpy(target, &value, known);
  std::memset(static_cast<char *>(target) + known, 0, size - known);
}

} // namespace aiwc::capi
