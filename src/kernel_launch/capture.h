/// Captures of the OpenCL Intercept Layer (its option CaptureReplay): a folder for each launch of a
/// kernel, with the program, the arguments, and the buffers before and after the launch.
#pragma once

#include "kernel_launch/signature.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::kernel_launch {

/// What a folder `Enqueue_N_KERNEL` has, without the contents of its buffers.
struct Capture {
  std::filesystem::path folder;
  std::string kernel;
  std::filesystem::path program; ///< kernel.cl, kernel.spv, or bitcode in DeviceBinary*.bin
  std::string buildOptions;
  Sizes sizes;

  struct Memory {
    std::filesystem::path before; ///< in Pre/
    std::filesystem::path after;  ///< in Post/; empty if there is none
  };
  std::map<size_t, std::string> values; ///< bytes of arguments, of memory objects their handles
  std::map<size_t, uint64_t> localBytes;
  std::map<size_t, SamplerText> samplers;
  std::map<size_t, Memory> buffers, images;
  struct ImageForm {
    Size3 size{1, 1, 1};
    unsigned dimensions = 2;
    uint64_t pointBytes = 0;
    uint32_t channelOrder = 0, channelType = 0; ///< as OpenCL numbers them
  };
  std::map<size_t, ImageForm> imageForms;
};

/// The captures that a folder is or has, directly or in a folder `Replay`, ordered by number.
/// Throws Error if there are none.
std::vector<std::filesystem::path> capturesIn(const std::filesystem::path &folder);

/// Throws Error, which begins with the file or the folder, if something is missing or damaged.
Capture readCapture(const std::filesystem::path &folder);

/// The arguments of the captured launch. Throws Error, as `readCapture` does, if the capture lacks
/// an argument of the signature or has one of the wrong kind.
std::vector<Argument> argumentsOf(const Capture &capture, const Signature &signature);

/// What the two results of a comparison are called.
struct ResultNames {
  std::string_view one = "simulated", other = "captured";
};
/// How a buffer or an image after the simulated launch differs from the captured one; empty if it
/// does not. Integers, structures and images have to be equal bit for bit. Of floating-point
/// numbers an error is allowed, of 1e-3 of the larger one or 1e-5 of the largest number of the
/// buffer (half precision: 1e-2 and 1e-3; double: 1e-9 and 1e-11): devices round and fuse
/// differently.
std::string differenceOf(const Parameter &parameter, const std::string &simulated,
                         const std::string &captured, const ResultNames &names = {});

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
