#include "plugin/program_descriptions.h"

#include "bitcode/module_hash.h"
#include "embed/opencl_c.h"

namespace aiwc::plugin {

namespace {

constexpr size_t kMostPrograms = 64;

} // namespace

ProgramDescription::ProgramDescription(const oclgrind::Program &program, const llvm::Module &module)
    : sourceKind(program.getSource().empty() ? "bitcode" : "opencl-c"),
      sourceHash(program.getSource().empty() ? bitcode::moduleHash(module)
                                             : embed::bareHash(program.getSource())),
      buildOptions(program.getBuildOptions()), source(program, module) {}

const DecodedProgram &ProgramDescription::decoded(const llvm::Function &kernel) {
  const auto known = decoded_.find(&kernel);
  return known != decoded_.end()
             ? known->second
             : decoded_.emplace(&kernel, DecodedProgram(kernel, &source)).first->second;
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
