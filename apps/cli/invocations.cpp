#include "invocations.h"

#include "command_line/output.h"
#include "common/error.h"
#include "kernel_launches.h"
#include "predict/fitted/fitted_cost_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <map>
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

std::vector<LeftOut>
leaveOut(std::vector<predict::DeviceProfile> &devices, std::string_view ids,
         const std::function<predict::Missing(const predict::DeviceProfile &)> &missing) {
  std::vector<LeftOut> leftOut;
  if (!predict::namesGroup(ids))
    return leftOut;
  std::erase_if(devices, [&](const predict::DeviceProfile &device) {
    const predict::Missing lacks = missing(device);
    if (!lacks.empty())
      leftOut.push_back({device.id, lacks.keys().front()});
    return !lacks.empty();
  });
  if (devices.empty())
    throw Error(fmt::format("--devices {}: no device has what the prediction needs: expected at "
                            "least one",
                            ids));
  return leftOut;
}

void leaveOut(std::vector<predict::DeviceProfile> &devices, std::string_view ids,
              const std::vector<NamedProfile> &profiles) {
  const predict::FittedCostModel &model = predict::publishedModel();
  std::vector<predict::CostedLaunch> launches;
  for (const NamedProfile &named : profiles)
    if (model.whyNot(*named.profile).empty())
      launches.emplace_back(*named.profile, model);
  std::map<std::string, std::vector<std::string>> byParameter;
  for (LeftOut &left : leaveOut(devices, ids, [&](const predict::DeviceProfile &device) {
         predict::Missing missing;
         for (const predict::CostedLaunch &launch : launches)
           missing.add(launch.missing(device));
         return missing;
       }))
    byParameter[left.lacks].push_back(std::move(left.device));
  for (const auto &[parameter, lacking] : byParameter)
    command_line::warn(fmt::format("left out: {}, whose file{} no {}", fmt::join(lacking, ", "),
                                   lacking.size() == 1 ? " has" : "s have", parameter));
}

} // namespace aiwc::cli
