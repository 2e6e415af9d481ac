/// What a kernel does, as a test derives it by hand from the kernel's source: its accesses, branch
/// outcomes, instructions. `check` turns that into metrics, each straight from its definition in
/// docs/metrics.md and without a line of the project's own analyses, and compares them.
#pragma once

#include "profile/kernel_profile.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace aiwc::test {

enum class Space { kGlobal, kConstant, kLocal };

/// A buffer, all of whose elements have one size. `number` tells it from the others.
struct Buffer {
  Space space;
  int number;
  uint64_t elementBytes;
};

class Expected {
public:
  Expected(uint64_t workGroups, uint64_t workGroupSize)
      : workGroups_(workGroups), workGroupSize_(workGroupSize) {}

  // Memory
  void read(const Buffer &buffer, uint64_t element, uint64_t elements = 1);
  void write(const Buffer &buffer, uint64_t element, uint64_t elements = 1);
  /// An atomic read-modify-write is one read and one write.
  void atomic(const Buffer &buffer, uint64_t element);
  uint64_t privateAccesses = 0;

  // Control
  /// The outcomes of a static branch have to be told in canonical order within each group.
  void branch(int branch, uint64_t group, bool taken);

  // Compute
  uint64_t fpAdd = 0, fpMul = 0, fpDiv = 0, fpSpecial = 0;
  int fpBits = 32; ///< of all of them
  /// Instructions executed per opcode, over all work-items.
  std::map<std::string, uint64_t> opcodes;
  uint64_t markers = 0; ///< of these, calls that only tell compilers something (lifetimes)
  /// Lanes of integer vector instructions beyond the first; 0 for scalar kernels.
  uint64_t extraIntLanes = 0;

  // Parallelism
  /// The instructions of a work-item, cut at its barrier calls, which are in no segment.
  void workItem(const std::vector<uint64_t> &segments);
  /// Instructions by their number of data items, where they are not all scalar.
  std::map<uint64_t, uint64_t> simdWidths;
  /// The number of instructions between two consecutive memory instructions, met `times` times.
  void gap(uint64_t instructions, uint64_t times = 1);

  /// CHECKs every metric of `profile` that follows from the above.
  void check(const profile::KernelProfile &profile) const;

private:
  struct Address {
    Space space;
    int buffer;
    uint64_t offset;
    auto operator<=>(const Address &) const = default;
  };
  struct Counts {
    uint64_t reads = 0, writes = 0;
  };

  void access(const Buffer &buffer, uint64_t element, uint64_t elements, bool write);
  uint64_t instructions() const;
  void checkCompute(const profile::KernelProfile &profile) const;
  void checkParallelism(const profile::KernelProfile &profile) const;
  void checkSimd(const profile::KernelProfile &profile) const;
  void checkMemory(const profile::KernelProfile &profile) const;
  void checkControl(const profile::KernelProfile &profile) const;

  uint64_t workGroups_, workGroupSize_;
  std::map<Address, Counts> addresses_;
  std::map<Address, bool> bytes_;                      ///< every byte touched
  std::map<std::pair<Space, bool>, uint64_t> traffic_; ///< bytes by space and whether written
  std::map<int, std::map<uint64_t, std::vector<bool>>> branches_; ///< branch -> group -> outcomes
  std::vector<uint64_t> segments_, perItem_;
  uint64_t barriers_ = 0;
  uint64_t gapSum_ = 0, gaps_ = 0;
};

/// -sum p log2 p over the shares that `counts` have of their sum, in bits.
double entropy(const std::vector<uint64_t> &counts);
/// The smallest number of `counts` that add up to at least 90 % of their sum.
uint64_t cover90(std::vector<uint64_t> counts);

} // namespace aiwc::test
