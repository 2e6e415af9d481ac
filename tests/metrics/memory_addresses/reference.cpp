#include "metrics/brute_force_common.h"

#include <tuple>
#include <utility>

namespace aiwc::test {

using namespace trace;

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
  result.values["memory_footprint"_metric] = uint64_t{counts.size()};
  result.values["memory_footprint_90"_metric] = cover90(countsOf(counts));
  result.values["unique_reads"_metric] = uint64_t{read.size()};
  result.values["unique_writes"_metric] = uint64_t{written.size()};
  result.values["unique_read_write_ratio"_metric] = ratio(read.size(), written.size());
  result.values["total_reads"_metric] = reads;
  result.values["total_writes"_metric] = writes;
  result.values["reread_ratio"_metric] = ratio(read.size(), reads);
  result.values["rewrite_ratio"_metric] = ratio(written.size(), writes);
  result.values["global_memory_address_entropy"_metric] = real(entropy(countsOf(counts)));
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
    result.values[kVectorMetric<"local_memory_address_entropy">.of(k)] =
        real(entropy(countsOf(counts)));
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
  result.values["footprint_bytes"_metric] = uint64_t{touched.size()};
  result.values["bytes_read_global"_metric] = moved[{AddressSpace::kGlobal, false}];
  result.values["bytes_read_local"_metric] = moved[{AddressSpace::kLocal, false}];
  result.values["bytes_read_constant"_metric] = moved[{AddressSpace::kConstant, false}];
  result.values["bytes_written_global"_metric] = moved[{AddressSpace::kGlobal, true}];
  result.values["bytes_written_local"_metric] = moved[{AddressSpace::kLocal, true}];
  result.values["bytes_written_constant"_metric] = moved[{AddressSpace::kConstant, true}];
}

} // namespace

void memory_addresses::reference(const Traced &traced, BruteForce &result) {
  const Execution &execution = traced.execution;
  uint64_t privateAccesses = 0;
  std::vector<Access> accesses;
  for (const Access &access : accessesOf(execution)) {
    if (access.addressSpace() == AddressSpace::kPrivate)
      ++privateAccesses;
    else
      accesses.push_back(access);
  }
  result.values["private_accesses"_metric] = privateAccesses;
  footprint(accesses, result);
  skippedBits(accesses, result);
  bytes(accesses, result);
}

} // namespace aiwc::test
