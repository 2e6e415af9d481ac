#include "plugin/representatives.h"

#include "profile/source_hash.h"

#include <fmt/format.h>

namespace aiwc::plugin {

const run::Launch *Representatives::find(const run::Launch &launch, const std::string &memory) {
  run::Launch work = launch; // without the source, in which comments and other kernels count
  work.sourceHash.clear();
  std::string text = fmt::format("{}\n{}\n{}", run::workOf(work), memory, launch.codeHash);
  for (const run::Argument &argument : launch.arguments)
    text += "\n" + argument.contentsHash;
  kind_ = profile::sourceHash(text);
  const auto known = kinds_.find(kind_);
  return known != kinds_.end() && known->second.process == launch.process ? &known->second
                                                                          : nullptr;
}

void Representatives::add(const run::Launch &launch) {
  if (!kind_.empty())
    kinds_.insert_or_assign(kind_, launch);
}

void takeProfile(run::Launch &launch, const run::Launch &representative) {
  launch.profile = representative.profile;
  launch.representative = representative.number;
  launch.source = representative.source;
  launch.instructions = representative.instructions;
  launch.sampledGroups = representative.sampledGroups;
}

} // namespace aiwc::plugin
