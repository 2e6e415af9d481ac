#include "seen_types.h"

#include "predict/caveats.h"
#include "predict/opencl_type.h"
#include "profile/kernel_words.h"

#include <algorithm>
#include <utility>

namespace aiwc::cli {

SeenTypes::SeenTypes(const std::vector<NamedProfile> &profiles) {
  for (const NamedProfile &named : profiles)
    if (named.seen)
      if (auto &types = byCommand_[named.seen->command];
          std::ranges::find(types, named.seen->type) == types.end())
        types.push_back(named.seen->type);
}

std::vector<std::string> SeenTypes::stoodForBy(const NamedProfile &named) const {
  if (!named.seen)
    return {};
  const std::vector<std::string> &seen = byCommand_.at(named.seen->command);
  if (seen.size() == 1)
    return {}; // the only run represents all
  std::vector<std::string> types = {named.seen->type};
  if (named.seen->type != seen.front())
    return types;
  for (const predict::DeviceType type :
       {predict::DeviceType::kCpu, predict::DeviceType::kGpu, predict::DeviceType::kAccelerator})
    if (const std::string name(predict::openClType(type));
        std::ranges::find(seen, name) == seen.end())
      types.push_back(name);
  return types;
}

std::vector<KernelLaunches> SeenTypes::apart(const std::vector<KernelLaunches> &kernels) const {
  std::vector<KernelLaunches> result;
  for (const KernelLaunches &launches : kernels) {
    std::vector<std::pair<std::vector<std::string>, KernelLaunches>> byTypes;
    for (const NamedProfile *named : launches.profiles) {
      std::vector<std::string> types = stoodForBy(*named);
      auto place =
          std::ranges::find_if(byTypes, [&](const auto &one) { return one.first == types; });
      if (place == byTypes.end())
        place = byTypes.emplace(byTypes.end(), std::move(types),
                                KernelLaunches{.profiles = {}, .label = launches.label});
      place->second.profiles.push_back(named);
    }
    for (auto &[types, some] : byTypes)
      result.push_back(std::move(some));
  }
  return result;
}

std::vector<std::string> otherTypeNotes(const std::vector<NamedProfile> &profiles,
                                        const std::vector<predict::DeviceProfile> &devices) {
  const SeenTypes seen(profiles);
  std::vector<std::string> ids;
  std::vector<std::string> questions;
  std::string type;
  for (const predict::DeviceProfile &device : devices) {
    const std::string_view own = predict::openClType(device.type);
    bool isOther = false;
    for (const NamedProfile &named : profiles) {
      if (!named.seen || named.seen->type == own)
        continue;
      const std::vector<std::string> types = seen.stoodForBy(named);
      if (!types.empty() && std::ranges::find(types, own) == types.end())
        continue;
      for (const std::string &question : named.seen->asked) {
        isOther = true;
        type = type.empty() ? named.seen->type : type;
        if (std::ranges::find(questions, question) == questions.end())
          questions.push_back(question);
      }
    }
    if (isOther)
      ids.push_back(device.id);
  }
  if (ids.empty())
    return {};
  std::vector<std::string_view> kinds;
  kinds.reserve(profiles.size());
  for (const NamedProfile &named : profiles)
    kinds.push_back(named.launch.sourceKind);
  return {profile::inWordsOf(profile::sourceKindOfAll(kinds),
                             predict::otherTypeNote(type, questions, ids))};
}

} // namespace aiwc::cli
