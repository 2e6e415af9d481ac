/// Where C++ ends: exceptions become statuses here, and results become structs of the caller's
/// version.
#pragma once

#include "aiwc.h"
#include "common/error.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace aiwc::capi {

/// An error that knows its status.
class Failure : public Error {
public:
  Failure(aiwc_status status, const std::string &message) : Error(message), status_(status) {}
  ~Failure() override;
  aiwc_status status() const { return status_; }

private:
  aiwc_status status_;
};

/// Keeps `message` for aiwc_error_message of this thread, and returns `status`. Does not allocate.
aiwc_status fail(aiwc_status status, std::string_view message) noexcept;

/// The status of the exception that is being handled; `ofError` is that of an Error.
aiwc_status statusOfException(aiwc_status ofError) noexcept;

/// Runs `body`, which throws where it fails.
template <typename Body> aiwc_status guarded(aiwc_status ofError, Body body) noexcept {
  try {
    body();
    return AIWC_OK;
  } catch (...) {
    return statusOfException(ofError);
  }
}

/// Throws Failure, AIWC_BAD_ARGUMENT, where `pointer` is NULL; `what` is the argument's name.
template <typename T> T &given(T *pointer, const char *what) {
  if (!pointer)
    throw Failure(AIWC_BAD_ARGUMENT, std::string(what) + " is NULL");
  return *pointer;
}

/// The bytes that a struct of aiwc.h had in version 0.1, which programs compiled with it pass for
/// ever. These numbers never change: members that are added later come after them.
template <typename Struct> inline constexpr size_t kFirstSize = 0;
template <> inline constexpr size_t kFirstSize<aiwc_ndrange> = 80;
template <> inline constexpr size_t kFirstSize<aiwc_annotation> = 72;
template <> inline constexpr size_t kFirstSize<aiwc_match> = 32;
template <> inline constexpr size_t kFirstSize<aiwc_prediction> = 128;
template <> inline constexpr size_t kFirstSize<aiwc_share> = 64;
template <> inline constexpr size_t kFirstSize<aiwc_division> = 40;

/// Whether a caller's struct of `size` bytes has at least what version 0.1 had.
template <typename Struct> constexpr bool isSizeAccepted(size_t size) {
  static_assert(kFirstSize<Struct> > 0 && kFirstSize<Struct> <= sizeof(Struct));
  return size >= kFirstSize<Struct>;
}

/// Throws Failure where a caller's struct of `size` bytes is not accepted.
template <typename Struct> void requireSize(size_t size, const char *what) {
  if (!isSizeAccepted<Struct>(size))
    throw Failure(AIWC_BAD_ARGUMENT, std::string(what) + " is " + std::to_string(size) +
                                         ": expected the size of the struct, " +
                                         std::to_string(kFirstSize<Struct>) + " bytes at least");
}

/// Writes `value` into the `size` bytes at `target`, as much as there is room for, zeros behind it.
template <typename Struct> void copyOut(const Struct &value, void *target, size_t size) noexcept {
  static_assert(std::is_trivially_copyable_v<Struct>);
  const size_t known = std::min(size, sizeof(Struct));
  std::memcpy(target, &value, known);
  std::memset(static_cast<char *>(target) + known, 0, size - known);
}

} // namespace aiwc::capi
