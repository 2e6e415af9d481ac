#include "invocations.h"

#include "seen_types.h"

#include <cstddef>
#include <set>
#include <string>
#include <unordered_map>

namespace aiwc::cli {

std::vector<predict::Invocation> invocationsOf(const std::vector<NamedProfile> &profiles,
                                               const predict::CostModel &model) {
  std::unordered_map<const profile::KernelProfile *, size_t> prepared;
  std::vector<predict::Invocation> invocations;
  invocations.reserve(profiles.size());
  const SeenTypes types(profiles);
  for (const NamedProfile &named : profiles) {
    const auto [place, isNew] = prepared.try_emplace(&*named.profile, invocations.size());
    if (isNew)
      invocations.emplace_back(named.file, *named.profile, model);
    else
      invocations.push_back(invocations[place->second]);
    invocations.back().characterised =
        named.launch.characterised() && named.profile->provenance.scaledFrom.empty();
    invocations.back().errorFactor = named.errorFactor;
    if (named.seen) {
      invocations.back().seenType = named.seen->type;
      invocations.back().asked = named.seen->asked;
      invocations.back().onTypes = types.stoodForBy(named);
    }
  }
  return invocations;
}

std::vector<predict::DeviceProfile> devicesOf(const std::vector<predict::Invocation> &invocations,
                                              const predict::DeviceLibrary &library) {
  std::set<std::string> ids;
  for (const predict::Invocation &invocation : invocations)
    for (const auto &[device, seconds] : invocation.measured)
      ids.insert(device);
  std::vector<predict::DeviceProfile> devices;
  devices.reserve(ids.size());
  for (const std::string &id : ids)
    devices.push_back(library[id]);
  return devices;
}

} // namespace aiwc::cli
