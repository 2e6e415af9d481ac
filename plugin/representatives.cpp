#include "plugin/representatives.h"

#include "profile/source_hash.h"
#include "run/nearest_launches.h"

#include <fmt/format.h>

#include <vector>

namespace aiwc::plugin {

const run::Launch *Representatives::find(const run::Launch &launch, const std::string &memory,
                                         ProgramDescription &program, const llvm::Function &kernel,
                                         bool withFamily) {
  run::Launch work = launch; // without the source, in which comments and other kernels count
  work.sourceHash.clear();
  const auto hash = [&] {
    std::string text = fmt::format("{}\n{}\n{}", run::workOf(work), memory, launch.codeHash);
    for (const run::Argument &argument : work.arguments)
      text += "\n" + argument.contentsHash;
    return profile::sourceHash(text);
  };
  kind_ = hash();
  const auto known = kinds_.find(kind_);
  const run::Launch *const same =
      known != kinds_.end() && known->second.process == launch.process ? &known->second : nullptr;
  if (!withFamily)
    return same;
  const std::vector<bool> &moving = program.boundsAndOffsets(kernel);
  const std::vector<decoding::Steers> &steers = program.steeringContents(kernel).arguments;
  for (size_t i = 0; i < work.arguments.size(); ++i) {
    if (moving[i])
      work.arguments[i].value.clear();
    if (steers[i] == decoding::Steers::kLoops)
      work.arguments[i].contentsHash.clear();
  }
  family_ = &families_[hash()];
  if (family_->process != launch.process)
    *family_ = {launch.process, {}};
  return same;
}

const run::Launch *Representatives::nearest(const run::Launch &launch,
                                            uint64_t instructions) const {
  if (!family_)
    return nullptr;
  run::Launch counted = launch;
  counted.instructions = instructions;
  const uint64_t range = run::nearRange(instructions);
  for (auto at = family_->launches.lower_bound(instructions - range);
       at != family_->launches.end() && at->first <= instructions + range; ++at)
    if (run::isNear(at->second, counted))
      return &at->second;
  return nullptr;
}

void Representatives::add(const run::Launch &launch) {
  if (kind_.empty())
    return;
  kinds_.insert_or_assign(kind_, launch);
  if (family_)
    family_->launches.emplace(launch.instructions, launch);
}

void takeProfile(run::Launch &launch, const run::Launch &representative) {
  launch.profile = representative.profile;
  launch.representative = representative.number;
  launch.source = representative.source;
  launch.instructions = representative.instructions;
  launch.sampledGroups = representative.sampledGroups;
}

void dropProfile(run::Launch &launch) {
  launch.profile.clear();
  launch.representative.reset();
  launch.source.clear();
  launch.instructions = launch.sampledGroups = 0;
}

} // namespace aiwc::plugin
