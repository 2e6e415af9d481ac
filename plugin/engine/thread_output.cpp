// Output of work-items: calls of printf, and errors of accesses. Both are held until the end of the
// launch.
#include "plugin/engine/thread_runtime.h"

namespace aiwc::engine {
namespace {

oclgrind::Size3 sizeOf(const uint64_t (&values)[3]) {
  return {values[0], values[1], values[2]};
}

} // namespace

void ThreadRuntime::print(const BuiltinSite &site, const uint8_t *arguments) {
  requireOrder();
  if (!output_.print(site, arguments))
    fail(Failure::kOutput);
}

bool ThreadRuntime::report(const llvm::Instruction *instruction, bool ofWorkItem, uint64_t address,
                           uint64_t size, bool write) {
  bool kept = true;
  launch_.global.check(address, size, write, [&](Violation violation) {
    Report report = reportOf(violation, instruction);
    report.ofWorkItem = ofWorkItem;
    kept = kept && keep(report);
  });
  return kept;
}

bool ThreadRuntime::keep(const Report &report) {
  if (!runsApart())
    requireOrder();
  return output_.report(report);
}

bool ThreadRuntime::takeReports(std::span<ThreadRuntime *const> others) {
  std::vector<HeldOutput *> outputs;
  for (ThreadRuntime *other : others)
    outputs.push_back(&other->output_);
  return output_.takeReports(outputs);
}

Report ThreadRuntime::reportOf(Violation violation, const llvm::Instruction *instruction) const {
  return {.violation = violation,
          .instruction = instruction,
          .group = sizeOf(state_.groupId),
          .globalId = sizeOf(state_.globalId),
          .localId = sizeOf(state_.localId)};
}

void ThreadRuntime::reportAccess(const llvm::Instruction *instruction, uint64_t space,
                                 uint64_t address, uint64_t size, bool write) {
  if ((space == oclgrind::AddrSpaceGlobal || space == oclgrind::AddrSpaceConstant) &&
      !report(instruction, true, address, size, write))
    fail(Failure::kOutput);
}

uint64_t ThreadRuntime::examineAccess(const AccessSite &site, uint64_t address, uint64_t buffer) {
  const uint64_t size = site.size * site.count;
  const oclgrind::Memory &memory = site.isLocal
                                       ? *scratchGroup_->getLocalMemory()
                                       : *launch_.invocation.getContext()->getGlobalMemory();
  if (address % site.alignment != 0)
    fail(Failure::kAccess);
  if (site.mayBeOutside && size <= outside_.size() && !memory.isAddressValid(address, size)) {
    Report report =
        reportOf(site.write ? Violation::kWriteOutside : Violation::kReadOutside, site.instruction);
    report.space = site.isLocal ? oclgrind::AddrSpaceLocal : oclgrind::AddrSpaceGlobal;
    report.address = address;
    report.size = size;
    if (!keep(report))
      fail(Failure::kOutput);
    outside_ = {};
    const uint8_t *begin = (site.isLocal ? state_.local : state_.global)[buffer].data;
    return reinterpret_cast<uint64_t>(outside_.data()) - reinterpret_cast<uint64_t>(begin);
  }
  if (site.isLocal || address >> GlobalView::kOffsetBits != buffer ||
      !launch_.global.find(address, size))
    fail(Failure::kAccess);
  for (uint64_t i = 0; i < site.count; ++i)
    reportAccess(site.instruction, oclgrind::AddrSpaceGlobal, address + i * site.size, site.size,
                 site.write);
  if (!runsApart())
    site.write ? saveGranules(address, size) : readGranules(address, size);
  return address & GlobalView::kOffsetMask;
}

void ThreadRuntime::writeOutput() {
  output_.write(*launch_.invocation.getContext(),
                [this](const BuiltinSite &site, const uint8_t *arguments) {
                  int64_t unused = 0;
                  evaluate(site, arguments, reinterpret_cast<uint8_t *>(&unused));
                });
}

/// Records one access per byte, as Oclgrind reads a format.
void ThreadRuntime::readText(trace::Access access, uint64_t count) {
  access.size = 1;
  for (uint64_t i = 0; i < count; ++i, ++access.address)
    *state_.trace.access++ = access;
}

} // namespace aiwc::engine
