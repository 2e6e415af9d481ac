#include "plugin/engine/launch_proof.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace aiwc::engine {
namespace {

LaunchNumbers numbersOf(const oclgrind::KernelInvocation &launch) {
  LaunchNumbers numbers;
  const oclgrind::Size3 global = launch.getGlobalSize(), offset = launch.getGlobalOffset(),
                        local = launch.getLocalSize();
  numbers.globalSize = {global.x, global.y, global.z};
  numbers.globalOffset = {offset.x, offset.y, offset.z};
  numbers.localSize = {local.x, local.y, local.z};
  numbers.workDim = launch.getWorkDim();
  const oclgrind::Kernel &kernel = *launch.getKernel();
  for (auto argument = kernel.values_begin(); argument != kernel.values_end(); ++argument) {
    const oclgrind::TypedValue &value = argument->second;
    const size_t bytes = size_t{value.size} * value.num;
    uint64_t number = 0;
    if (!argument->first->getType()->isIntegerTy() || !value.data || bytes > sizeof number)
      continue;
    std::memcpy(&number, value.data, bytes);
    numbers.integers[argument->first] = number;
  }
  return numbers;
}

bool isAligned(const AccessOffset &offset, uint64_t alignment) {
  const auto step = static_cast<int64_t>(alignment);
  return offset.constant % step == 0 && std::ranges::all_of(offset.terms, [&](const Term &term) {
           return term.coefficient % step == 0;
         });
}

/// The same offset from the begin of a buffer, in which its base is `by` bytes behind; none if
/// that is no number of 64 bits.
std::optional<AccessOffset> moved(AccessOffset offset, uint64_t by) {
  for (int64_t *number : {&offset.constant, &offset.low, &offset.high})
    if (__builtin_add_overflow(*number, by, number))
      return std::nullopt;
  return offset;
}

} // namespace

bool LaunchProof::covers(const KernelCode &code) const {
  return groupsAreApart && std::ranges::all_of(code.inBounds, [&](const auto &needed) {
           const auto known = inBounds.find(needed.first);
           return known != inBounds.end() && (known->second || !needed.second);
         });
}

ProvableAccesses::ProvableAccesses(const llvm::Function &kernel)
    : accesses_(globalAccesses(kernel)) {
  if (accesses_)
    offsets_ = std::make_unique<AffineOffsets>(kernel);
}

LaunchProof ProvableAccesses::prove(const oclgrind::KernelInvocation &launch,
                                    std::span<const GlobalPointer> pointers,
                                    const GlobalView &global) const {
  if (!accesses_)
    return {};
  struct Buffer {
    std::vector<BufferAccess> accesses;
    bool areAllKnown = true, isWritten = false;
    int64_t low = INT64_MAX, high = INT64_MIN; ///< of the bytes that are written
  };
  std::map<uint64_t, Buffer> buffers; // by number
  const LaunchNumbers numbers = numbersOf(launch);
  std::vector<std::optional<AccessOffset>> offsets = offsets_->of(*accesses_, numbers);
  LaunchProof proof;
  for (size_t i = 0; i < accesses_->size(); ++i) {
    const GlobalAccess &access = (*accesses_)[i];
    const auto pointer = std::ranges::find(pointers, access.base, &GlobalPointer::value);
    if (pointer == pointers.end())
      return {};
    const uint64_t number = pointer->address >> GlobalView::kOffsetBits;
    const auto known = std::ranges::find(global.buffers(), number, &GlobalView::Buffer::number);
    if (known == global.buffers().end())
      return {};
    const BufferEntry &entry = global.table()[number];
    const uint64_t limit = access.writes ? entry.writeSize : entry.readSize;
    Buffer &buffer = buffers[number];
    buffer.isWritten |= access.writes;
    const std::optional<AccessOffset> offset =
        offsets[i] ? moved(*offsets[i], pointer->address & GlobalView::kOffsetMask) : std::nullopt;
    const bool isInside = offset && offset->low >= 0 && limit >= access.size &&
                          static_cast<uint64_t>(offset->high) <= limit - access.size &&
                          offset->high >= 0;
    if (isInside && isAligned(*offset, access.alignment))
      proof.inBounds[access.instruction] = offset->stepInX() == static_cast<int64_t>(access.size);
    else if (access.writes || limit < known->size) // the order of what is reported matters
      return {};
    buffer.areAllKnown &= offset.has_value();
    if (offset)
      buffer.accesses.push_back({*offset, access.size});
    if (access.writes) {
      buffer.low = std::min(buffer.low, offset->low);
      buffer.high = std::max(buffer.high, offset->high + static_cast<int64_t>(access.size));
    }
  }
  for (const auto &[number, buffer] : buffers) {
    if (!buffer.isWritten)
      continue;
    if (!buffer.areAllKnown || !areGroupsApart(buffer.accesses, numbers))
      return {};
    proof.written.push_back(
        {(number << GlobalView::kOffsetBits) + static_cast<uint64_t>(buffer.low),
         static_cast<uint64_t>(buffer.high - buffer.low)});
  }
  proof.groupsAreApart = true;
  return proof;
}

} // namespace aiwc::engine
