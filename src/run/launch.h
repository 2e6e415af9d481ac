/// A launch of a kernel, as a run remembers it: what was launched with which arguments, what the
/// host transferred, which engine ran it, and which profile characterises it.
#pragma once

#include "profile/kernel_profile.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aiwc::run {

/// An argument of a launch.
struct Argument {
  enum class Kind : uint8_t {
    kValue,  ///< passed by value
    kBuffer, ///< in global or constant memory
    kImage,
    kLocal, ///< memory of each work-group
  };

  Kind kind = Kind::kValue;
  std::string name; ///< in the kernel's declaration; empty if the program does not tell
  std::string type; ///< likewise: "float*"
  /// Of a value: a number, numbers with commas for a vector, or "0x" and the bytes in the order of
  /// memory. A value of more than 64 bytes is given as its hash.
  std::string value;
  uint64_t bytes = 0; ///< size of the value, the buffer, the image or the local memory
  /// Which allocation of its process a buffer or an image lies in, counted from 0; none if the
  /// pointer is null. Two launches that share a number share memory.
  std::optional<uint64_t> allocation;
  /// Of arguments that `aiwc kernel` made: the contents, such as "random(0,1)", "file:x.npy" or
  /// "capture". Empty for values that the user gave, and for the arguments of other applications.
  std::string contents = {};
  bool assumed = false; ///< whether the user left value or contents open
  /// The hash of a buffer's or an image's contents at the launch's begin, where addresses, branches
  /// or loops depend on them and the run compared launches; else empty.
  std::string contentsHash = {};

  bool operator==(const Argument &) const = default;
};

/// Where a command ran on the application's own device.
struct Place {
  uint64_t queue = 0;      ///< of its process, in the order of their first commands, from 0
  uint64_t startNanos = 0; ///< after the process's first command on the device was queued

  bool operator==(const Place &) const = default;
};

struct PlacedTransfer {
  Place place;
  uint64_t nanos = 0; ///< from its start to its end
  uint64_t bytes = 0;

  bool operator==(const PlacedTransfer &) const = default;
};

/// What the host transferred to or from the memory of the device.
struct Transfers {
  uint64_t bytes = 0;
  uint64_t transfers = 0;
  uint64_t nanos = 0; ///< that they took on the application's own device; 0: not measured
  /// Of those that were measured, the first kMostPlaced.
  std::vector<PlacedTransfer> placed = {};
  static constexpr size_t kMostPlaced = 16;

  bool operator==(const Transfers &) const = default;
};

/// Whether a launch is the first of its kernel on a device, in its process: its time may contain
/// what a driver does once, such as compiling the kernel.
enum class FirstLaunch : uint8_t {
  kNo,
  kWarmUp, ///< others follow: sums and comparisons leave its time out
  kAlone,  ///< no other was measured
};

/// What a launch took on the application's own device, in nanoseconds, by the device's clock, or by
/// the host's where the device gives no times.
struct DeviceTime {
  std::string device;       ///< its name in OpenCL
  uint64_t nanos = 0;       ///< from the kernel's start to its end
  uint64_t queuedNanos = 0; ///< from when the host queued the kernel to its end
  bool isHostClock = false; ///< whether start and end are when the driver told the host of them
  FirstLaunch first = FirstLaunch::kNo;
  std::optional<Place> place = {};

  bool operator==(const DeviceTime &) const = default;
};

/// One launch. Of its identity, the source may be unknown where it has no profile.
struct Launch : profile::LaunchIdentity {
  /// Of its process in the run, in the order of their first launches, from 0. In the reports of a
  /// plugin it is the process's id.
  uint64_t process = 0;
  uint64_t number = 0; ///< of the launch in its process, from 0
  std::vector<Argument> arguments;
  Transfers hostToDevice; ///< since the launch before
  Transfers deviceToHost; ///< until the next launch
  std::optional<DeviceTime> measured;
  double seconds = 0; ///< that it took in the simulator; 0: not known
  /// Whether its work-groups did not run, but for those that were characterised, so that its
  /// results were wrong.
  bool othersLeftOut = false;

  /// File name of the profile, in the folder of the run; empty if there is none. What follows is
  /// known of launches with a profile only.
  std::string profile;
  /// If the launch was not characterised: the number of the launch of its process that is of
  /// the same kind and whose profile represents it.
  std::optional<uint64_t> representative;
  /// If its profile is that of another launch, which is not of its kind but the nearest
  /// (run/nearest_launches.h): the number of that launch in its process. Not in the file of a run.
  std::optional<uint64_t> nearestTo;
  /// File name of the program's source with the text of the files that it includes, in the folder
  /// of the run; empty if there is none.
  std::string source;
  bool complete = true;
  uint64_t simulatorErrors = 0;
  uint64_t instructions = 0;
  uint64_t sampledGroups = 0; ///< work-groups that were characterised; 0: all
  /// Whether more would have been characterised if there had been time.
  bool smallerSample = false;

  bool hasProfile() const { return !profile.empty(); }
  bool characterised() const { return hasProfile() && !representative && !nearestTo; }
  /// Whether any work-group ran.
  bool ran() const { return characterised() || !othersLeftOut; }
  bool operator==(const Launch &) const = default;
};

/// What tells kernels apart: the name; the code, or source and build options; the latter is empty
/// where it is not known (profile::identityOf).
using KernelKey = std::pair<std::string, std::string>;
KernelKey kernelOf(const Launch &launch);

/// A text that two launches share if their host asked for the same work: same kernel, source, build
/// options, NDRange, values of arguments and sizes of buffers.
std::string workOf(const Launch &launch);

/// Sets a profile's metrics of transfers.
void setTransfers(profile::KernelProfile &profile, const Transfers &hostToDevice,
                  const Transfers &deviceToHost);

/// A JSON object on one line, without its end.
std::string toJson(const Launch &launch);

/// Reads what `toJson` wrote. `file` names the text in messages. Throws Error, with the position in
/// the text.
Launch launchOf(std::string_view text, const std::string &file);

/// The launch that a profile describes, as far as the profile tells.
Launch launchOf(const profile::KernelProfile &profile, std::string file);

} // namespace aiwc::run
