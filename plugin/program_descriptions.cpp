#include "plugin/program_descriptions.h"

#include "bitcode/module_hash.h"
#include "common/file.h"
#include "embed/opencl_c.h"
#include "profile/source_hash.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace aiwc::plugin {

namespace {

constexpr size_t kMostPrograms = 64;

} // namespace

ProgramDescription::ProgramDescription(const oclgrind::Program &program, const llvm::Module &module)
    : sourceKind(decoding::isCuda(module)      ? "cuda"
                 : program.getSource().empty() ? "bitcode"
                                               : "opencl-c"),
      buildOptions(program.getBuildOptions()), runsWarpsInStep(decoding::runsWarpsInStep(module)),
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

const std::string &ProgramDescription::keepBitcode(const std::filesystem::path &folder) {
  if (!bitcodeFile_.empty())
    return bitcodeFile_;
  const auto module = llvm::CloneModule(module_);
  llvm::StripDebugInfo(*module); // which folder the source is in, and
  module->setModuleIdentifier("");
  module->setSourceFileName(""); // its name: code depends on neither
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::WriteBitcodeToFile(*module, stream);
  const std::string hash = profile::sourceHash(stream.str()); // "xxh3-128:<digits>"
  std::string name = hash.substr(hash.find(':') + 1) + ".bc";
  NewFile(folder, bytes, "the bitcode of a program cannot be kept").claim(folder / name);
  bitcodeFile_ = std::move(name);
  return bitcodeFile_;
}

const decoding::SteeringContents &
ProgramDescription::steeringContents(const llvm::Function &kernel) {
  const auto [place, isNew] = steeringContents_.try_emplace(&kernel);
  if (isNew)
    place->second = decoding::steeringContents(kernel);
  return place->second;
}

const ProgramDescription::Decoded &ProgramDescription::decoded(const llvm::Function &kernel) {
  return decoded_.try_emplace(&kernel, kernel, program_.getSource(), buildOptions).first->second;
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
