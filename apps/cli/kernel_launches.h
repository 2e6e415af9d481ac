/// Groups launches by kernel, so that output does not repeat.
#pragma once

#include "advice/launch_kinds.h"
#include "inputs.h"
#include "text/terminal.h"

#include <map>
#include <string>
#include <vector>

namespace aiwc::cli {

/// Launches of one kernel. Kernels of one name with different code are different kernels
/// (profile::KernelIdentity).
struct KernelLaunches {
  std::vector<const NamedProfile *> profiles; ///< in the order in which they were read
  /// For people: the name, "k of source 3880bea3" if there are several of this name.
  std::string label = {};

  /// Of those that were characterised, the one that executes most instructions.
  const NamedProfile &heaviest() const;
  /// The launches by profile, all read, the first of each in that order. Throws as `read` does.
  std::vector<advice::LaunchKind> kinds() const;
  /// The profiles themselves, all read, in that order. Throws whatever `profile::readProfile` does.
  std::vector<const profile::KernelProfile *> read() const;
  /// NamedProfile::errorFactor of each, in that order.
  std::vector<double> errorFactors() const;
  /// "lud_internal: 14 launches of 256 to 50,176 work-items in groups of 16 x 16", and `notes`. No
  /// end of line.
  std::string title(const text::Terminal &terminal = {}) const;
  /// What to know before the numbers are believed, in sentences: samples, scaled profiles, binaries
  /// instead of sources, errors of the simulator, incomplete launches.
  std::vector<std::string> notes() const;
};

/// The kernels, in the order of their first profiles. Pointers are into `profiles`.
std::vector<KernelLaunches> launchesByKernel(const std::vector<NamedProfile> &profiles);

/// The types of device that the runs of an application saw. A run represents the devices of its
/// type; the first one also for those of types that no run saw.
class SeenTypes {
public:
  explicit SeenTypes(const std::vector<NamedProfile> &profiles);

  /// The types of device that a launch represents, as predict::openClType; empty: all.
  std::vector<std::string> stoodForBy(const NamedProfile &named) const;
  /// The launches of each kernel, apart where they represent different types.
  std::vector<KernelLaunches> apart(const std::vector<KernelLaunches> &kernels) const;

private:
  std::map<std::vector<std::string>, std::vector<std::string>>
      byCommand_; ///< the first run's first
};

/// Sentences, without an end, about devices of other types than the application saw, which asked
/// for what commonly decides what it launches, in the words of the kernels' language; none if no
/// device is of another type.
std::vector<std::string> otherTypeNotes(const std::vector<NamedProfile> &profiles,
                                        const std::vector<predict::DeviceProfile> &devices);

} // namespace aiwc::cli
