#include "predict/fitted/launch_demand.h"

#include "common/error.h"
#include "profile/local_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace aiwc::predict {

using profile::KernelProfile;
using profile::Metric;

namespace {

constexpr std::array kNeeded = {
    "work_items"_metric,
    "work_groups"_metric,
    "total_instruction_count"_metric,
    "ipt_max"_metric,
    "total_reads"_metric,
    "total_writes"_metric,
    "bytes_read_global"_metric,
    "bytes_written_global"_metric,
    "bytes_read_constant"_metric,
    "bytes_read_local"_metric,
    "bytes_written_local"_metric,
    "barriers_hit"_metric,
    "fp_div"_metric,
    "fp_special"_metric,
    "fp_ops_f64"_metric,
};

/// A share of lanes or segments: 1 where the kernel has no instruction or access that it is of.
double fraction(const KernelProfile &profile, Metric metric) {
  constexpr double kLeast = 1.0 / 64;
  const double value = profile.real(metric);
  return std::isnan(value) ? 1 : std::clamp(value, kLeast, 1.0);
}

double orZero(const KernelProfile &profile, Metric metric) {
  const double value = profile.real(metric);
  return std::isnan(value) ? 0 : value;
}

} // namespace

std::string whyNoDemand(const KernelProfile &profile) {
  if (!profile.complete)
    return fmt::format("complete is false ({}): expected a profile of a whole invocation",
                       profile.reason.empty() ? "no reason given" : profile.reason);
  if (profile.reuse.lineBytes == 0)
    return "reuse.line_bytes is 0: expected a profile with reuse distances";
  for (const Metric metric : kNeeded)
    if (std::holds_alternative<std::monostate>(profile[metric]))
      return fmt::format("metrics.{} has no value: expected a number", profile::info(metric).key);
  for (const Metric metric : {"work_items"_metric, "work_groups"_metric})
    if (profile.count(metric) == 0)
      return fmt::format("metrics.{} is 0: expected 1 or more", profile::info(metric).key);
  return {};
}

PerMatrixType matrixOpsOf(const KernelProfile &profile) {
  return {orZero(profile, "matrix_ops_f16"_metric), orZero(profile, "matrix_ops_tf32"_metric),
          orZero(profile, "matrix_ops_i8"_metric), orZero(profile, "matrix_ops_f64"_metric)};
}

LaunchDemand demandOf(const KernelProfile &profile) {
  if (const std::string found = whyNoDemand(profile); !found.empty())
    throw Error(fmt::format("kernel {}: {}", profile.provenance.kernel, found));
  const auto real = [&](Metric metric) { return profile.real(metric); };
  LaunchDemand demand;
  demand.workItems = real("work_items"_metric);
  demand.workGroups = real("work_groups"_metric);
  demand.workGroupSize = demand.workItems / demand.workGroups;
  const double parts = real("total_reads"_metric) + real("total_writes"_metric);
  const double executed = real("total_instruction_count"_metric);
  // Older profiles do not tell which of them a machine has.
  const double machine = real("machine_instruction_count"_metric);
  const double instructions = std::isnan(machine) ? executed : std::min(machine, executed);
  // An access has at most 16 parts, of a byte each: 15 of 16 are joined to the first. A scaled
  // profile, each of whose metrics follows a law of its own, may say more.
  const double joined = std::min(orZero(profile, "joined_accesses"_metric),
                                 15.0 / 16 * std::min(parts, instructions));
  demand.instructions = instructions - joined;
  const double share = executed > 0 ? demand.instructions / executed : 1;
  demand.itemInstructions = real("ipt_max"_metric) * share;
  demand.groupInstructions = std::max(orZero(profile, "work_group_instructions_max"_metric) * share,
                                      demand.instructions / demand.workGroups);
  demand.accesses = parts - joined;
  demand.chainedLoads = orZero(profile, "chained_loads"_metric);
  const double rounds = real("load_rounds"_metric);
  demand.loads = std::isnan(rounds) || parts == 0
                     ? demand.accesses
                     : demand.accesses * real("total_reads"_metric) / parts;
  demand.loadRounds = std::isnan(rounds) ? demand.loads : std::min(rounds, demand.loads);
  demand.privateAccesses = orZero(profile, "private_accesses"_metric);
  demand.uniformAccesses = std::min(1.0, orZero(profile, "uniform_accesses"_metric));
  demand.jointAccesses =
      std::min(1.0, demand.uniformAccesses + orZero(profile, "consecutive_accesses"_metric));
  demand.constantBytes = real("bytes_read_constant"_metric);
  demand.globalBytes =
      real("bytes_read_global"_metric) + real("bytes_written_global"_metric) + demand.constantBytes;
  demand.localBytes = real("bytes_read_local"_metric) + real("bytes_written_local"_metric);
  if (const auto memory = profile::localMemoryOf(profile)) {
    demand.bankTurns = memory->bankTurns;
    demand.localArrayBytes = static_cast<double>(memory->groupBytes);
  }
  demand.barriers = real("barriers_hit"_metric) / demand.workItems;
  demand.divisions = real("fp_div"_metric);
  demand.doubleDivisions = std::min(orZero(profile, "fp_div_f64"_metric), demand.divisions);
  demand.integerDivisions = orZero(profile, "int_div_uniform"_metric);
  demand.specialOperations = real("fp_special"_metric);
  constexpr double kSquareRoot = 4; // instructions: for each function of older profiles
  const double special = real("fp_special_instructions"_metric);
  demand.specialInstructions =
      std::isnan(special) ? kSquareRoot * demand.specialOperations : special;
  demand.doubleSpecialInstructions =
      std::min(orZero(profile, "fp_special_instructions_f64"_metric), demand.specialInstructions);
  demand.integerOperations = orZero(profile, "int_ops"_metric);
  demand.wideIntegerOperations =
      std::min(orZero(profile, "int_ops_64"_metric), demand.integerOperations);
  demand.integerProducts = std::min(orZero(profile, "int_mul"_metric), demand.integerOperations);
  demand.wideIntegerProducts = std::min(
      {orZero(profile, "int_mul_64"_metric), demand.integerProducts, demand.wideIntegerOperations});
  demand.doubleOperations = real("fp_ops_f64"_metric);
  demand.halfOperations = orZero(profile, "fp_ops_f16"_metric);
  demand.singleOperations = std::max(0.0, orZero(profile, "fp_ops"_metric) - demand.halfOperations -
                                              demand.doubleOperations);
  if (demand.doubleOperations > 0)
    demand.doubleConversions = orZero(profile, "fp_conversions"_metric);
  demand.matrixOps = matrixOpsOf(profile);
  demand.contendedAtomics = orZero(profile, "atomic_contention_max"_metric);
  // Older profiles do not tell those on a line: at least those on an address of it.
  const double ofLine = real("atomic_line_contention_max"_metric);
  demand.contendedLineAtomics = std::isnan(ofLine) ? demand.contendedAtomics : ofLine;
  demand.hostBytes = orZero(profile, "host_to_device_bytes"_metric) +
                     orZero(profile, "device_to_host_bytes"_metric);
  demand.hostTransfers = orZero(profile, "host_to_device_transfers"_metric) +
                         orZero(profile, "device_to_host_transfers"_metric);
  demand.laneUtilization = {fraction(profile, "lane_utilization_8"_metric),
                            fraction(profile, "lane_utilization_16"_metric),
                            fraction(profile, "lane_utilization_32"_metric),
                            fraction(profile, "lane_utilization_64"_metric)};
  demand.coalescing = {fraction(profile, "coalescing_16"_metric),
                       fraction(profile, "coalescing_32"_metric),
                       fraction(profile, "coalescing_64"_metric)};
  for (size_t family = 0; family < profile.targets.size(); ++family)
    if (const auto &traffic = profile.targets[family]) {
      demand.stackBytes[family] = static_cast<double>(traffic->stackBytes);
      demand.scratchBytes[family] = static_cast<double>(traffic->scratchBytes);
    }
  demand.cacheMisses = profile::CacheMisses(profile);
  demand.lineBytes = static_cast<double>(profile.reuse.lineBytes);
  demand.profiledGroups = demand.workGroups;
  return demand;
}

void LaunchDemand::withoutLoads(double number) {
  loads = std::max(0.0, loads - number);
  withoutStores(number);
}

void LaunchDemand::toSinglePrecision(double operations) {
  // Instructions of a function of float, over those of double: sqrt 4/21, log 12/65, sin 24/53.
  constexpr double kInstructions = 0.2;
  operations = std::min(operations, doubleOperations);
  const double share = doubleOperations > 0 ? operations / doubleOperations : 0;
  const double moved = share * doubleSpecialInstructions;
  doubleDivisions *= 1 - share;
  singleOperations += operations;
  doubleOperations -= operations;
  doubleSpecialInstructions -= moved;
  specialInstructions -= (1 - kInstructions) * moved;
}

void LaunchDemand::keepDivisions(double share) {
  divisions *= share;
  doubleDivisions *= share;
}

void LaunchDemand::keepSpecial(double share) {
  for (double LaunchDemand::*sum :
       {&LaunchDemand::specialOperations, &LaunchDemand::specialInstructions,
        &LaunchDemand::doubleSpecialInstructions})
    this->*sum *= share;
}

void LaunchDemand::withoutStores(double number) {
  accesses = std::max(0.0, accesses - number);
  loads = std::min(loads, accesses);
  loadRounds = std::min(loadRounds, loads);
}

LaunchDemand LaunchDemand::scaled(double share) const {
  LaunchDemand part = *this;
  for (double LaunchDemand::*sum : {&LaunchDemand::workItems,
                                    &LaunchDemand::workGroups,
                                    &LaunchDemand::instructions,
                                    &LaunchDemand::accesses,
                                    &LaunchDemand::loads,
                                    &LaunchDemand::chainedLoads,
                                    &LaunchDemand::loadRounds,
                                    &LaunchDemand::wideIntegerOperations,
                                    &LaunchDemand::integerProducts,
                                    &LaunchDemand::wideIntegerProducts,
                                    &LaunchDemand::privateAccesses,
                                    &LaunchDemand::globalBytes,
                                    &LaunchDemand::constantBytes,
                                    &LaunchDemand::localBytes,
                                    &LaunchDemand::divisions,
                                    &LaunchDemand::doubleDivisions,
                                    &LaunchDemand::integerDivisions,
                                    &LaunchDemand::specialOperations,
                                    &LaunchDemand::specialInstructions,
                                    &LaunchDemand::doubleSpecialInstructions,
                                    &LaunchDemand::integerOperations,
                                    &LaunchDemand::halfOperations,
                                    &LaunchDemand::singleOperations,
                                    &LaunchDemand::doubleOperations,
                                    &LaunchDemand::doubleConversions,
                                    &LaunchDemand::contendedAtomics,
                                    &LaunchDemand::contendedLineAtomics})
    part.*sum *= share;
  for (double &operations : part.matrixOps)
    operations *= share;
  for (double &bytes : part.scratchBytes)
    bytes *= share;
  part.share_ = share_ * share;
  return part;
}

namespace {

/// Lines that this share of the profiled accesses touches, in the mean; of all if it is above 1.
uint64_t linesOfShare(const LaunchDemand &demand, double share) {
  return static_cast<uint64_t>(demand.cacheMisses.linesOf(
      std::min(1.0, share) * static_cast<double>(demand.cacheMisses.all())));
}

/// The profiled accesses that a cache misses which holds `bytes` and `lines`.
uint64_t missesBeyond(const LaunchDemand &demand, uint64_t bytes, uint64_t lines) {
  return demand.cacheMisses(std::max(bytes, lines * static_cast<uint64_t>(demand.lineBytes)));
}

} // namespace

double LaunchDemand::missedBytes(uint64_t bytes, double groupsTogether) const {
  const auto linesOfGroups = [&](double groups) {
    return linesOfShare(*this, groups * share_ / workGroups);
  };
  uint64_t misses = cacheMisses(bytes);
  if (groupsTogether > 1) // what is further away than one group's lines is another group's
    misses -= missesBeyond(*this, bytes, profile::reuseBin(linesOfGroups(1))) -
              missesBeyond(*this, bytes, linesOfGroups(groupsTogether));
  return static_cast<double>(misses) * lineBytes * share_;
}

double LaunchDemand::groupBytes(uint64_t bytes) const {
  const double group = profiledGroups > 0 ? 1 / profiledGroups : share_ / workGroups;
  const uint64_t lines = profile::reuseBinEnd(profile::reuseBin(linesOfShare(*this, group)));
  return static_cast<double>(missesBeyond(*this, bytes, lines)) * lineBytes * share_;
}

double LaunchDemand::foundBytes(uint64_t bytes) const {
  return cacheMisses.found(bytes) * lineBytes * share_;
}

} // namespace aiwc::predict
