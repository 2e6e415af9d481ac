#include "plugin/program_descriptions.h"

#include "bitcode/code_hash.h"
#include "bitcode/module_hash.h"
#include "decoding/bounds_and_offsets.h"
#include "embed/opencl_c.h"
#include "simulator/compat.h"

namespace aiwc::plugin {

namespace {

constexpr size_t kMostPrograms = 64;

} // namespace

ProgramDescription::ProgramDescription(const oclgrind::Program &program, const llvm::Module &module)
    : sourceKind(decoding::isCuda(module)      ? "cuda"
                 : program.getSource().empty() ? "bitcode"
                                               : "opencl-c"),
      buildOptions(program.getBuildOptions()), source(program.getSource(), buildOptions, module),
      program_(program), module_(module) {}

const std::string &ProgramDescription::sourceHash() {
  if (sourceHash_.empty())
    sourceHash_ = program_.getSource().empty() ? bitcode::moduleHash(module_)
                                               : embed::bareHash(program_.getSource());
  return sourceHash_;
}

const std::string &ProgramDescription::codeHash(const llvm::Function &kernel) {
  std::string &hash = codeHashes_[&kernel];
  if (hash.empty())
    hash = bitcode::codeHash(kernel);
  return hash;
}

const std::vector<bool> &ProgramDescription::boundsAndOffsets(const llvm::Function &kernel) {
  const auto [place, isNew] = boundsAndOffsets_.try_emplace(&kernel);
  if (isNew)
    place->second = decoding::boundsAndOffsets(kernel);
  return place->second;
}

const decoding::SteeringContents &
ProgramDescription::steeringContents(const llvm::Function &kernel) {
  const auto [place, isNew] = steeringContents_.try_emplace(&kernel);
  if (isNew)
    place->second = decoding::steeringContents(kernel);
  return place->second;
}

const ProgramDescription::Decoded &ProgramDescription::decoded(const llvm::Function &kernel) {
  return decoded_.try_emplace(&kernel, kernel, source).first->second;
}

std::shared_ptr<ProgramDescription> ProgramDescriptions::of(const oclgrind::Kernel &kernel) {
  const oclgrind::Program &program = *kernel.getProgram();
  const llvm::Module &module = *kernel.getFunction()->getParent();
  const Build build(&program, &module, program.getUID());
  if (const auto known = descriptions_.find(build); known != descriptions_.end())
    return known->second;
  auto description = std::make_shared<ProgramDescription>(program, module);
  if (descriptions_.size() >= kMostPrograms)
    descriptions_.clear();
  descriptions_.emplace(build, description);
  return description;
}

} // namespace aiwc::plugin
