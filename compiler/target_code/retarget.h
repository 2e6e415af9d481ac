/// Bitcode of the simulator, which is for SPIR, as bitcode for a device.
#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace aiwc::target_code {

struct Target {
  const char *triple, *cpu, *dataLayout;
  bool isAmd;
  /// LLVM's number of each address space of SPIR: private, global, constant, local, generic.
  unsigned spaces[5];
};

/// gfx906, gfx1030 or nvptx. Throws Error for other names.
const Target &targetOf(const std::string &family);

/// A module for `target` with the kernel and what it calls. Blocks and instructions are those of
/// `module`, in its order, but for calls of OpenCL functions (builtins.h). Throws Error if the
/// module has no such kernel, or code that the target cannot have.
std::unique_ptr<llvm::Module> retargeted(const llvm::Module &module, const std::string &kernel,
                                         const Target &target);

/// Replaces the calls of OpenCL's functions: by what the target has for work-item functions,
/// barriers, simple arithmetic and memory accesses, and by an empty piece of assembly from operands
/// to result for all others. It takes the same registers at this place as a function with few
/// instructions would. Throws Error for a call that nothing can stand for.
void lowerBuiltins(llvm::Module &module, const Target &target);

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
