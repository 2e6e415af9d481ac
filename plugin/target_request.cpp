#include "plugin/target_request.h"

#include "common/file.h"
#include "session/status.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <unordered_map>

namespace aiwc::plugin {
namespace {

/// What the registers of a work-item have to suffice for. Compilers of CUDA allow any group; those
/// of OpenCL for AMD assume 256 work-items.
uint64_t workItemBound(const llvm::Function &kernel, const profile::Provenance &provenance) {
  if (const llvm::MDNode *required = kernel.getMetadata("reqd_work_group_size")) {
    uint64_t items = 1;
    for (const llvm::MDOperand &size : required->operands())
      if (const auto *number = llvm::mdconst::dyn_extract<llvm::ConstantInt>(size))
        items *= number->getZExtValue();
    return items;
  }
  const profile::Size3 &local = provenance.localSize;
  return provenance.sourceKind == "cuda" ? 1024
                                         : std::max<uint64_t>(256, local[0] * local[1] * local[2]);
}

} // namespace

std::string targetRequest(const Invocation &invocation, const profile::KernelProfile &profile,
                          const std::filesystem::path &folder) {
  const decoding::DecodedProgram &decoded = invocation.decoded();
  const trace::Program &program = decoded.program();
  const auto &executions = profile.blockExecutions;
  if (executions.size() != program.blocks.size())
    return {};
  const llvm::Instruction &first = **decoded.instructions(program.function(program.kernel).entry);
  const llvm::Function &kernel = *first.getFunction();
  // Executions of a sample are in proportion to those of the launch.
  double counted = 0;
  for (size_t b = 0; b < executions.size(); ++b)
    counted += static_cast<double>(executions[b]) * program.blocks[b].opCount;
  const double factor = counted > 0 ? profile.real("total_instruction_count"_metric) / counted : 0;

  std::unordered_map<const llvm::Function *, uint64_t> functions;
  for (const llvm::Function &function : *kernel.getParent())
    functions.emplace(&function, functions.size());
  std::unordered_map<const llvm::BasicBlock *, uint64_t> blocks;
  for (const auto &[function, number] : functions) {
    uint64_t block = 0;
    for (const llvm::BasicBlock &own : *function)
      blocks.emplace(&own, block++);
  }
  std::string request = fmt::format(
      "{}\n{}\n{}\n", invocation.program().keepBitcode(folder),
      std::min<uint64_t>(workItemBound(kernel, profile.provenance), 1024), kernel.getName().str());
  for (size_t b = 0; b < executions.size(); ++b) {
    const llvm::Instruction *const begin = *decoded.instructions(static_cast<trace::BlockId>(b));
    if (executions[b] == 0 || !begin || begin != &begin->getParent()->front())
      continue; // not executed, or a later part of a block that a call or a barrier cuts
    request +=
        fmt::format("{} {} {:.17g}\n", functions.at(begin->getFunction()),
                    blocks.at(begin->getParent()), factor * static_cast<double>(executions[b]));
  }
  return request;
}

void keepTargetRequest(const std::string &request, const std::filesystem::path &folder,
                       const std::string &profile) {
  NewFile(folder, request, "the request for " + profile + " cannot be kept")
      .claim(folder / (std::string(kTargetRequestPrefix) + profile));
}

} // namespace aiwc::plugin
