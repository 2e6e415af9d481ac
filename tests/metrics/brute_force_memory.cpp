#include "brute_force_common.h"

#include <tuple>
#include <utility>

namespace aiwc::test {

using namespace trace;
using profile::Metric;

namespace {

std::vector<Access> accessesOf(const Execution &execution) {
  std::vector<Access> all;
  for (const GroupTrace &group : execution.groups)
    for (const Interval &interval : group.intervals)
      for (const Stretch &stretch : interval.stretches) {
        all.insert(all.end(), stretch.groupAccesses.begin(), stretch.groupAccesses.end());
        for (const Step &step : stretch.steps)
          all.insert(all.end(), step.accesses.begin(), step.accesses.end());
      }
  return all;
}

/// The address as the definitions have it: its address space is part of it.
using Address = std::pair<AddressSpace, uint64_t>;

Address addressOf(const Access &access) {
  return {access.addressSpace(), access.address};
}

void footprint(const std::vector<Access> &accesses, BruteForce &result) {
  std::map<Address, uint64_t> counts;
  std::set<Address> read, written;
  uint64_t reads = 0, writes = 0;
  for (const Access &access : accesses) {
    ++counts[addressOf(access)];
    (access.write ? written : read).insert(addressOf(access));
    ++(access.write ? writes : reads);
  }
  result.values[Metric::kMemoryFootprint] = uint64_t{counts.size()};
  result.values[Metric::kMemoryFootprint90] = cover90(countsOf(counts));
  result.values[Metric::kUniqueReads] = uint64_t{read.size()};
  result.values[Metric::kUniqueWrites] = uint64_t{written.size()};
  result.values[Metric::kUniqueReadWriteRatio] = ratio(read.size(), written.size());
  result.values[Metric::kTotalReads] = reads;
  result.values[Metric::kTotalWrites] = writes;
  result.values[Metric::kRereadRatio] = ratio(read.size(), reads);
  result.values[Metric::kRewriteRatio] = ratio(written.size(), writes);
  result.values[Metric::kGlobalMemoryAddressEntropy] = real(entropy(countsOf(counts)));
  result.histograms.addressAccesses = histogramOf(countsOf(counts));
}

void skippedBits(const std::vector<Access> &accesses, BruteForce &result) {
  for (unsigned k = 1; k <= 10; ++k) {
    // Address space, buffer, and the offset in it without its k least significant bits.
    std::map<std::tuple<AddressSpace, uint64_t, uint64_t>, uint64_t> counts;
    for (const Access &access : accesses) {
      const uint64_t offset = access.address % (uint64_t{1} << 48);
      ++counts[{access.addressSpace(), access.address >> 48, offset >> k}];
    }
    const auto first = static_cast<unsigned>(Metric::kLocalMemoryAddressEntropy1);
    result.values[static_cast<Metric>(first + k - 1)] = real(entropy(countsOf(counts)));
  }
}

void bytes(const std::vector<Access> &accesses, BruteForce &result) {
  std::map<std::pair<AddressSpace, bool>, uint64_t> moved;
  std::vector<Address> touched;
  for (const Access &access : accesses) {
    moved[{access.addressSpace(), access.write}] += access.size;
    for (uint32_t i = 0; i < access.size; ++i)
      touched.push_back({access.addressSpace(), access.address + i});
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  result.values[Metric::kFootprintBytes] = uint64_t{touched.size()};
  result.values[Metric::kBytesReadGlobal] = moved[{AddressSpace::kGlobal, false}];
  result.values[Metric::kBytesReadLocal] = moved[{AddressSpace::kLocal, false}];
  result.values[Metric::kBytesReadConstant] = moved[{AddressSpace::kConstant, false}];
  result.values[Metric::kBytesWrittenGlobal] = moved[{AddressSpace::kGlobal, true}];
  result.values[Metric::kBytesWrittenLocal] = moved[{AddressSpace::kLocal, true}];
  result.values[Metric::kBytesWrittenConstant] = moved[{AddressSpace::kConstant, true}];
}

} // namespace

void bruteForceMemory(const Execution &execution, BruteForce &result) {
  uint64_t privateAccesses = 0;
  std::vector<Access> accesses;
  for (const Access &access : accessesOf(execution)) {
    if (access.addressSpace() == AddressSpace::kPrivate)
      ++privateAccesses;
    else
      accesses.push_back(access);
  }
  result.values[Metric::kPrivateAccesses] = privateAccesses;
  footprint(accesses, result);
  skippedBits(accesses, result);
  bytes(accesses, result);
}

} // namespace aiwc::test
