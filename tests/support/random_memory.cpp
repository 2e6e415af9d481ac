#include "random_memory.h"

#include <algorithm>

namespace aiwc::test {

using namespace trace;

namespace {

constexpr uint64_t kOffsetBits = 48; // Oclgrind's addresses: buffer number << 48 | offset

} // namespace

RandomMemory::RandomMemory(Random &random) : random_(random) {
  for (auto &buffers : buffers_)
    for (uint64_t n = random.between(1, 3); n > 0; --n) {
      Buffer buffer;
      // Numbers of different address spaces coincide often: they must be kept apart by the space.
      buffer.number = random.oneIn(30) ? random.below(1 << 16) : random.between(1, 4);
      buffer.bytes = random.oneOf<uint64_t>({8, 64, 256, 5000, 70000, 1 << 20, uint64_t{1} << 40});
      buffer.hot = random.below(buffer.bytes);
      buffers.push_back(buffer);
    }
}

uint64_t RandomMemory::randomOffset(Buffer &buffer, uint32_t size, uint32_t item) {
  switch (random_.below(8)) {
  case 0:
  case 1:
  case 2: // a stream
    return buffer.cursor;
  case 3: // neighbouring work-items, neighbouring elements
    return uint64_t{item} * size;
  case 4:
    return buffer.hot;
  case 5: { // across or beside a boundary of lines, pages, ...
    const uint64_t boundary = uint64_t{1} << random_.between(3, 18);
    const uint64_t multiple = boundary * random_.between(1, 4);
    return multiple - random_.below(std::min<uint64_t>(multiple, 80));
  }
  default:
    return random_.below(buffer.bytes);
  }
}

Access RandomMemory::random(AddressSpace space, uint32_t opOffset, uint32_t item, bool write) {
  auto &buffers = buffers_[static_cast<size_t>(space)];
  Buffer &buffer = buffers[random_.below(buffers.size())];
  Access access;
  access.size = random_.oneIn(150) ? static_cast<uint32_t>(random_.between(1, 9000))
                                   : random_.oneOf<uint32_t>({1, 2, 4, 4, 4, 8, 12, 16, 64});
  const uint64_t offset = randomOffset(buffer, access.size, item);
  buffer.cursor = (offset + access.size) % (uint64_t{1} << (kOffsetBits - 1));
  access.address = buffer.number << kOffsetBits | offset;
  access.opOffset = opOffset;
  access.space = static_cast<uint32_t>(space) & 3;
  access.write = write;
  return access;
}

void RandomMemory::append(std::vector<Access> &accesses, const Operation &operation,
                          uint32_t opOffset, uint32_t item) {
  const auto one = [&](AddressSpace space, bool write) {
    accesses.push_back(random(space, opOffset, item, write));
  };
  switch (operation.memory) {
  case MemoryKind::kNone:
  case MemoryKind::kGroupCopy:
    break;
  case MemoryKind::kLoad:
    one(operation.space, false);
    break;
  case MemoryKind::kStore:
    one(operation.space, true);
    break;
  case MemoryKind::kAtomic: {
    one(operation.space, false);
    accesses.back().atomic = 1;
    Access write = accesses.back();
    write.write = 1;
    accesses.push_back(write);
    break;
  }
  case MemoryKind::kCopy: { // the operation has the space of one side; the other is anywhere
    const auto other = static_cast<AddressSpace>(random_.below(4));
    const bool toOther = random_.oneIn(2);
    one(toOther ? operation.space : other, false);
    const uint32_t size = accesses.back().size;
    one(toOther ? other : operation.space, true);
    accesses.back().size = size;
    break;
  }
  case MemoryKind::kImage:
    if (random_.oneIn(3)) {
      one(AddressSpace::kGlobal, true);
      break;
    }
    for (uint64_t texels = random_.between(1, 8); texels > 0; --texels)
      one(AddressSpace::kGlobal, false);
    break;
  }
}

std::vector<Access> RandomMemory::groupAccesses() {
  std::vector<Access> accesses;
  const bool toLocal = random_.oneIn(2);
  for (uint64_t n = random_.below(12); n > 0; --n) {
    accesses.push_back(random(toLocal ? AddressSpace::kGlobal : AddressSpace::kLocal, 0, 0, false));
    accesses.push_back(random(toLocal ? AddressSpace::kLocal : AddressSpace::kGlobal, 0, 0, true));
  }
  return accesses;
}

} // namespace aiwc::test
