#include "plugin/engine/memory_rules.h"

#include <algorithm>
#include <sstream>

namespace aiwc::engine {

std::string messageOf(Violation violation, unsigned space, uint64_t address, uint64_t size) {
  switch (violation) {
  case Violation::kReadOfWriteOnly:
    return "Invalid read from write-only buffer";
  case Violation::kWriteToReadOnly:
    return "Invalid write to read-only buffer";
  case Violation::kReadOfMapped:
    return "Invalid read from buffer mapped for writing";
  case Violation::kWriteToMapped:
    return "Invalid write to mapped buffer";
  case Violation::kReadOutside:
  case Violation::kWriteOutside:
    break;
  }
  std::ostringstream message;
  message << "Invalid " << (violation == Violation::kReadOutside ? "read" : "write") << " of size "
          << size << " at " << (space == oclgrind::AddrSpaceLocal ? "local" : "global")
          << " memory address 0x" << std::hex << address;
  return message.str();
}

void MappedRegions::map(const oclgrind::Memory &memory, uint64_t address, uint64_t offset,
                        uint64_t size, cl_map_flags flags) {
  const std::scoped_lock lock(mutex_);
  regions_.push_back({address, size, memory.getPointer(address + offset), flags != CL_MAP_READ});
}

void MappedRegions::unmap(const void *pointer) {
  const std::scoped_lock lock(mutex_);
  const auto region = std::ranges::find(regions_, pointer, &MappedRegion::pointer);
  if (region != regions_.end())
    regions_.erase(region);
}

std::vector<MappedRegion> MappedRegions::now() const {
  const std::scoped_lock lock(mutex_);
  return regions_;
}

} // namespace aiwc::engine
