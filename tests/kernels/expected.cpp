#include "kernels/expected.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <set>

namespace aiwc::test {

using profile::KernelProfile;
using profile::Metric;

namespace {

constexpr size_t kHistory = 16; // m of the branch entropies

uint64_t sum(const std::vector<uint64_t> &values) {
  return std::accumulate(values.begin(), values.end(), uint64_t{0});
}

double median(std::vector<uint64_t> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  if (values.size() % 2)
    return static_cast<double>(values[half]);
  return (static_cast<double>(values[half - 1]) + static_cast<double>(values[half])) / 2;
}

template <typename Key> std::vector<uint64_t> valuesOf(const std::map<Key, uint64_t> &counts) {
  std::vector<uint64_t> values;
  for (const auto &entry : counts)
    values.push_back(entry.second);
  return values;
}

profile::Histogram histogram(const std::vector<uint64_t> &values) {
  std::map<uint64_t, uint64_t> occurrences;
  for (uint64_t value : values)
    ++occurrences[value];
  return {occurrences.begin(), occurrences.end()};
}

void checkCount(const KernelProfile &profile, Metric metric, uint64_t value) {
  INFO("metric " << profile::info(metric).key);
  CHECK(std::holds_alternative<uint64_t>(profile[metric]));
  CHECK(profile.count(metric) == value);
}

void checkReal(const KernelProfile &profile, Metric metric, double value) {
  INFO("metric " << profile::info(metric).key);
  if (std::isnan(value)) // the definition gives no value
    CHECK(std::holds_alternative<std::monostate>(profile[metric]));
  else
    CHECK(profile.real(metric) == Approx(value).epsilon(1e-12).margin(1e-12));
}

void checkRatio(const KernelProfile &profile, Metric metric, uint64_t a, uint64_t b) {
  checkReal(profile, metric, b ? static_cast<double>(a) / static_cast<double>(b) : NAN);
}

} // namespace

double entropy(const std::vector<uint64_t> &counts) {
  const auto total = static_cast<double>(sum(counts));
  double bits = 0;
  for (uint64_t count : counts)
    if (count)
      bits -= static_cast<double>(count) / total * std::log2(static_cast<double>(count) / total);
  return bits;
}

uint64_t cover90(std::vector<uint64_t> counts) {
  std::sort(counts.rbegin(), counts.rend());
  const uint64_t total = sum(counts);
  uint64_t covered = 0, number = 0;
  while (covered * 10 < total * 9)
    covered += counts[number++];
  return number;
}

void Expected::access(const Buffer &buffer, uint64_t element, uint64_t elements, bool write) {
  const uint64_t start = element * buffer.elementBytes, size = elements * buffer.elementBytes;
  Counts &counts = addresses_[{buffer.space, buffer.number, start}];
  ++(write ? counts.writes : counts.reads);
  traffic_[{buffer.space, write}] += size;
  for (uint64_t byte = start; byte < start + size; ++byte)
    bytes_[{buffer.space, buffer.number, byte}] = true;
}

void Expected::read(const Buffer &buffer, uint64_t element, uint64_t elements) {
  access(buffer, element, elements, false);
}

void Expected::write(const Buffer &buffer, uint64_t element, uint64_t elements) {
  access(buffer, element, elements, true);
}

void Expected::atomic(const Buffer &buffer, uint64_t element) {
  read(buffer, element);
  write(buffer, element);
}

void Expected::branch(int branch, uint64_t group, bool taken) {
  branches_[branch][group].push_back(taken);
}

void Expected::workItem(const std::vector<uint64_t> &segments) {
  segments_.insert(segments_.end(), segments.begin(), segments.end());
  const uint64_t barriers = segments.size() - 1;
  barriers_ += barriers;
  perItem_.push_back(sum(segments) + barriers);
}

void Expected::gap(uint64_t instructions, uint64_t times) {
  gapSum_ += instructions * times;
  gaps_ += times;
}

uint64_t Expected::instructions() const {
  return sum(valuesOf(opcodes));
}

void Expected::check(const KernelProfile &profile) const {
  CHECK(profile.complete);
  CHECK(profile.simulatorErrors == 0);
  checkCompute(profile);
  checkParallelism(profile);
  checkSimd(profile);
  checkMemory(profile);
  checkControl(profile);
}

void Expected::checkCompute(const KernelProfile &profile) const {
  CHECK(profile.histograms.opcodes == opcodes);
  checkCount(profile, "opcode_90"_metric, cover90(valuesOf(opcodes)));
  checkCount(profile, "total_instruction_count"_metric, instructions());
  const auto phis = opcodes.find("phi");
  checkCount(profile, "machine_instruction_count"_metric,
             instructions() - markers - (phis == opcodes.end() ? 0 : phis->second));
  checkCount(profile, "fp_add"_metric, fpAdd);
  checkCount(profile, "fp_mul"_metric, fpMul);
  checkCount(profile, "fp_div"_metric, fpDiv);
  checkCount(profile, "fp_special"_metric, fpSpecial);
  const uint64_t fpOps = fpAdd + fpMul + fpDiv + fpSpecial;
  checkCount(profile, "fp_ops"_metric, fpOps);
  checkCount(profile, "fp_ops_f16"_metric, fpBits == 16 ? fpOps : 0);
  checkCount(profile, "fp_ops_f32"_metric, fpBits == 32 ? fpOps : 0);
  checkCount(profile, "fp_ops_f64"_metric, fpBits == 64 ? fpOps : 0);

  static const std::set<std::string> integer = {"add",  "sub",  "mul",  "udiv", "sdiv",
                                                "urem", "srem", "and",  "or",   "xor",
                                                "shl",  "lshr", "ashr", "icmp"};
  uint64_t intOps = extraIntLanes;
  for (const auto &[opcode, count] : opcodes)
    if (integer.contains(opcode))
      intOps += count;
  checkCount(profile, "int_ops"_metric, intOps);

  const uint64_t larger = std::max(fpAdd, fpMul);
  checkReal(profile, "instruction_mix_factor"_metric,
            larger ? static_cast<double>(fpAdd + fpMul) / (2.0 * static_cast<double>(larger)) : 1);
  checkRatio(profile, "freedom_to_reorder"_metric, gapSum_, gaps_);
}

void Expected::checkParallelism(const KernelProfile &profile) const {
  const uint64_t items = perItem_.size();
  REQUIRE(items == workGroups_ * workGroupSize_); // of the derivation itself, as is the next
  REQUIRE(sum(perItem_) == instructions());
  checkCount(profile, "work_items"_metric, items);
  checkCount(profile, "work_groups"_metric, workGroups_);
  checkCount(profile, "work_group_size"_metric, workGroupSize_);
  checkCount(profile, "barriers_hit"_metric, barriers_);

  const auto [itbMin, itbMax] = std::minmax_element(segments_.begin(), segments_.end());
  checkCount(profile, "itb_min"_metric, *itbMin);
  checkReal(profile, "itb_median"_metric, median(segments_));
  checkCount(profile, "itb_max"_metric, *itbMax);
  CHECK(profile.histograms.instructionsToBarrier == histogram(segments_));

  const auto [iptMin, iptMax] = std::minmax_element(perItem_.begin(), perItem_.end());
  checkCount(profile, "ipt_min"_metric, *iptMin);
  checkReal(profile, "ipt_median"_metric, median(perItem_));
  checkCount(profile, "ipt_max"_metric, *iptMax);
  checkCount(profile, "load_imbalance"_metric, *iptMax - *iptMin);
  CHECK(profile.histograms.instructionsPerThread == histogram(perItem_));

  checkRatio(profile, "granularity"_metric, 1, items);
  checkRatio(profile, "barriers_per_instruction"_metric, barriers_ + items, instructions());
}

void Expected::checkSimd(const KernelProfile &profile) const {
  std::map<uint64_t, uint64_t> widths = simdWidths;
  if (widths.empty())
    widths[1] = instructions();
  REQUIRE(sum(valuesOf(widths)) == instructions());
  const auto number = static_cast<double>(instructions());
  uint64_t operands = 0;
  for (const auto &[width, count] : widths)
    operands += width * count;
  const double mean = static_cast<double>(operands) / number;
  double squares = 0;
  for (const auto &[width, count] : widths)
    squares += static_cast<double>(count) * std::pow(static_cast<double>(width) - mean, 2);
  checkCount(profile, "simd_width_max"_metric, widths.rbegin()->first);
  checkReal(profile, "simd_width_mean"_metric, mean);
  checkReal(profile, "simd_width_sd"_metric, std::sqrt(squares / number));
  checkCount(profile, "simd_operand_sum"_metric, operands);
  checkRatio(profile, "instructions_per_operand"_metric, instructions(), operands);
  CHECK(profile.histograms.simdWidths == profile::Histogram(widths.begin(), widths.end()));
}

void Expected::checkMemory(const KernelProfile &profile) const {
  uint64_t reads = 0, writes = 0, uniqueReads = 0, uniqueWrites = 0;
  std::vector<uint64_t> accesses;
  for (const auto &[address, counts] : addresses_) {
    reads += counts.reads;
    writes += counts.writes;
    uniqueReads += counts.reads > 0;
    uniqueWrites += counts.writes > 0;
    accesses.push_back(counts.reads + counts.writes);
  }
  checkCount(profile, "memory_footprint"_metric, addresses_.size());
  checkCount(profile, "memory_footprint_90"_metric, cover90(accesses));
  checkCount(profile, "unique_reads"_metric, uniqueReads);
  checkCount(profile, "unique_writes"_metric, uniqueWrites);
  checkRatio(profile, "unique_read_write_ratio"_metric, uniqueReads, uniqueWrites);
  checkCount(profile, "total_reads"_metric, reads);
  checkCount(profile, "total_writes"_metric, writes);
  checkRatio(profile, "reread_ratio"_metric, uniqueReads, reads);
  checkRatio(profile, "rewrite_ratio"_metric, uniqueWrites, writes);
  checkCount(profile, "private_accesses"_metric, privateAccesses);
  const auto traffic = [&](Space space, bool write) {
    const auto found = traffic_.find({space, write});
    return found == traffic_.end() ? 0 : found->second;
  };
  checkCount(profile, "bytes_read_global"_metric, traffic(Space::kGlobal, false));
  checkCount(profile, "bytes_read_local"_metric, traffic(Space::kLocal, false));
  checkCount(profile, "bytes_read_constant"_metric, traffic(Space::kConstant, false));
  checkCount(profile, "bytes_written_global"_metric, traffic(Space::kGlobal, true));
  checkCount(profile, "bytes_written_local"_metric, traffic(Space::kLocal, true));
  checkCount(profile, "bytes_written_constant"_metric, 0);
  checkCount(profile, "footprint_bytes"_metric, bytes_.size());
  CHECK(profile.histograms.addressAccesses == histogram(accesses));

  checkReal(profile, "global_memory_address_entropy"_metric, entropy(accesses));
  for (unsigned skipped = 1; skipped <= 10; ++skipped) {
    std::map<Address, uint64_t> coarse;
    for (const auto &[address, counts] : addresses_)
      coarse[{address.space, address.buffer, address.offset >> skipped}] +=
          counts.reads + counts.writes;
    checkReal(profile, kVectorMetric<"local_memory_address_entropy">.of(skipped),
              entropy(valuesOf(coarse)));
  }
}

void Expected::checkControl(const KernelProfile &profile) const {
  std::vector<uint64_t> executions;
  double yokota = 0, linear = 0;
  for (const auto &[branch, groups] : branches_) {
    std::map<std::string, uint64_t> patterns, taken; // a history is written as a string of 0 and 1
    uint64_t executed = 0;
    for (const auto &[group, outcomes] : groups) {
      std::string history;
      for (bool outcome : outcomes) {
        ++patterns[history];
        taken[history] += outcome;
        history += outcome ? '1' : '0';
        if (history.size() > kHistory)
          history.erase(0, 1);
        ++executed;
      }
    }
    executions.push_back(executed);
    yokota += static_cast<double>(executed) * std::min(1.0, entropy(valuesOf(patterns)) / kHistory);
    for (const auto &[history, count] : patterns) // 2 min(p, 1 - p), weighted by count
      linear += 2 * static_cast<double>(std::min(taken[history], count - taken[history]));
  }
  const auto total = static_cast<double>(sum(executions));
  checkCount(profile, "unique_branches"_metric, executions.size());
  checkCount(profile, "unique_branches_90"_metric, cover90(executions));
  checkReal(profile, "yokota_branch_entropy"_metric, total > 0 ? yokota / total : 0);
  checkReal(profile, "linear_branch_entropy"_metric, total > 0 ? linear / total : 0);
  CHECK(profile.histograms.branchExecutions == histogram(executions));
}

} // namespace aiwc::test
