/// The devices that an application saw in its runs, and the devices that a run represents.
#pragma once

#include "inputs.h"
#include "kernel_launches.h"

#include <map>
#include <string>
#include <vector>

namespace aiwc::cli {

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
