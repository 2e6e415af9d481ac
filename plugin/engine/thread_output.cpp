// Output of work-items: calls of printf, and errors of accesses that stay inside of their buffers.
// Both are held until the end of the launch.
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
    requireOrder();
    kept = kept && output_.report({violation, ofWorkItem, instruction, sizeOf(state_.groupId),
                                   sizeOf(state_.globalId), sizeOf(state_.localId)});
  });
  return kept;
}

void ThreadRuntime::reportAccess(const llvm::Instruction *instruction, uint64_t space,
                                 uint64_t address, uint64_t size, bool write) {
  if ((space == oclgrind::AddrSpaceGlobal || space == oclgrind::AddrSpaceConstant) &&
      !report(instruction, true, address, size, write))
    fail(Failure::kOutput);
}

void ThreadRuntime::examineAccess(const AccessSite &site, uint64_t address, uint64_t buffer) {
  if (address >> GlobalView::kOffsetBits != buffer || address % site.alignment != 0 ||
      !launch_.global.find(address, site.size * site.count))
    fail(Failure::kAccess);
  for (uint64_t i = 0; i < site.count; ++i, address += site.size)
    reportAccess(site.instruction, oclgrind::AddrSpaceGlobal, address, site.size, site.write);
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
