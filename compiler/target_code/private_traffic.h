#pragma once

#include "target_code/retarget.h"

#include <cstdint>
#include <vector>

namespace aiwc::target_code {

/// Private memory that one execution of a block of the simulator's IR accesses in a device's code.
struct BlockTraffic {
  uint32_t function = 0, block = 0; ///< numbers in the module and in the function, from 0
  double bytes = 0;                 ///< read and written
};

/// What a kernel keeps in memory: arrays that no register holds, and registers that are spilled.
struct PrivateMemory {
  uint64_t stackBytes = 0;          ///< of a work-item
  std::vector<BlockTraffic> blocks; ///< that access any
};

/// `workItems`: the most that a work-group may have, on which depends
/// how many registers a work-item gets.
///
/// A spill is charged to the block from which most instructions around it are. A block that an
/// optimisation has copied N times, as an unrolled loop, executes one of N copies each time.
///
/// Throws Error if the kernel cannot be compiled for the target. LLVM may also end the process.
PrivateMemory privateMemory(const llvm::Module &module, const std::string &kernel,
                            const Target &target, unsigned workItems);

} // namespace aiwc::target_code
