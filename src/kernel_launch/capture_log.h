/// What the host program of `aiwc kernel` has come to with the captures of its command: for the
/// program that has started it and may find it killed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace aiwc::kernel_launch {

/// The variable that names the file of the log. Unset: no log.
inline constexpr const char *kCaptureLogVariable = "AIWC_CAPTURE_LOG";

struct CaptureEvent {
  enum class Kind : uint8_t {
    kBegin,
    kLaunched, ///< the launch has ended
    kFailed,   ///< it could not be launched, for the reason
  };

  Kind kind = Kind::kBegin;
  size_t place = 0; ///< of the capture among those of the command, from 0
  std::string reason = {};

  bool operator==(const CaptureEvent &) const = default;
};

/// Appends to the log of the environment. A failure is none of the host's.
void logCapture(const CaptureEvent &event) noexcept;

/// The events in their order; those that were cut are left out. A missing file has none.
std::vector<CaptureEvent> readCaptureLog(const std::filesystem::path &file);

} // namespace aiwc::kernel_launch
