// Calls of Oclgrind's own functions, on a work-item of a work-group that never runs. Oclgrind
// reports none of their memory accesses to plugins, because none of its work-items is the current
// one.
#include "plugin/engine/thread_runtime.h"
#include "plugin/program/images.h"

#include <cstring>
#include <new>

namespace aiwc::plugin::engine {
namespace {

/// Calls on one work-item before it is replaced. Oclgrind frees the memory that its functions
/// allocate for a work-item only when it destroys the work-item.
constexpr uint32_t kEvaluations = 1 << 16;

/// Most bytes that a function stores: sixteen elements of eight bytes.
constexpr size_t kMostStored = 128;

} // namespace

void ThreadRuntime::makeScratch() {
  scratchGroup_ = std::make_unique<oclgrind::WorkGroup>(
      &launch_.invocation, oclgrind::Size3(0, 0, 0), oclgrind::Size3(1, 1, 1));
  scratchItem_ = scratchGroup_->getWorkItem(oclgrind::Size3(0, 0, 0));
  staging_ = 0;
  evaluations_ = 0;
}

void ThreadRuntime::evaluate(const BuiltinSite &site, const uint8_t *arguments, uint8_t *result) {
  if (++evaluations_ > kEvaluations)
    makeScratch();
  site.evaluate(*scratchItem_, arguments, result);
}

/// A function that stores to global memory writes to Oclgrind's own buffers. The local memory of
/// the scratch work-item has the same addresses as ours, and a buffer in its private memory
/// receives stores to private memory; both are copied to `native` afterwards.
void ThreadRuntime::evaluateStore(const BuiltinSite &site, uint8_t *arguments, uint8_t *result,
                                  uint64_t address, uint8_t *native) {
  if (evaluations_ >= kEvaluations)
    makeScratch();
  if (site.space == oclgrind::AddrSpacePrivate) {
    if (staging_ == 0)
      staging_ = scratchItem_->getPrivateMemory()->allocateBuffer(kMostStored);
    // The function may add an offset to its pointer.
    uint64_t pointer = 0;
    std::memcpy(&pointer, arguments + site.pointer, sizeof pointer);
    pointer += staging_ - address;
    std::memcpy(arguments + site.pointer, &pointer, sizeof pointer);
    address = staging_;
  }
  evaluate(site, arguments, result);
  const oclgrind::Memory *memory =
      site.space == oclgrind::AddrSpacePrivate ? scratchItem_->getPrivateMemory()
      : site.space == oclgrind::AddrSpaceLocal ? scratchGroup_->getLocalMemory()
                                               : nullptr;
  if (memory)
    std::memcpy(native, memory->getPointer(address), site.storedBytes);
}

/// Oclgrind's function reads and writes Oclgrind's own buffers.
void ThreadRuntime::accessImage(const BuiltinSite &site, const uint8_t *arguments, uint8_t *result,
                                trace::Access access, bool traced) {
  if (++evaluations_ > kEvaluations)
    makeScratch();
  site.bind(*scratchItem_, arguments);
  const uint64_t argument = scratchItem_->getOperand(site.call->getArgOperand(0)).getPointer();
  const oclgrind::Image *image = imageOf(argument);
  if (!image)
    fail(Failure::kNoImage);
  const std::optional<Pixels> pixels =
      pixelsOf(*scratchItem_, *image, *site.call, site.builtin.overload);
  if (!pixels)
    failOnFormat(site, *image);
  for (const uint64_t address : pixels->addresses())
    bytes(oclgrind::AddrSpaceGlobal, address, pixels->bytes, access.write);
  // Oclgrind reports what the image's flags and mappings do not allow: it does so itself then.
  for (const uint64_t address : pixels->addresses())
    launch_.global.check(address, pixels->bytes, access.write,
                         [&](Violation) { fail(Failure::kAccess); });
  if (traced) {
    access.size = pixels->bytes;
    for (const uint64_t address : pixels->addresses()) {
      access.address = address;
      *state_.trace.access++ = access;
    }
  }
  bool refused = false;
  try {
    site.evaluateBound(*scratchItem_, result);
  } catch (const std::bad_alloc &) {
    throw;
  } catch (...) { // Oclgrind ends the kernel; no fiber is left in a handler of exceptions
    refused = true;
  }
  if (refused)
    failOnFormat(site, *image);
}

AIWC_LEAVES_BY_JUMP void ThreadRuntime::failOnFormat(const BuiltinSite &site,
                                                     const oclgrind::Image &image) {
  reasonDetail_ = ": " + site.builtin.name + " on " + formatName(image.format);
  fail(Failure::kImageFormat);
}

} // namespace aiwc::plugin::engine
