/// What one launch of a kernel asks of any device: the numbers of its profile that the fitted model
/// uses.
#pragma once

#include "predict/fitted/compute_unit.h"
#include "profile/kernel_profile.h"
#include "profile/reuse.h"

#include <array>
#include <cstdint>
#include <string>

namespace aiwc::predict {

/// A number for each profile::TargetFamily.
using PerFamily = std::array<double, profile::kTargetFamilies.size()>;

struct LaunchDemand {
  double workItems = 0;
  double workGroups = 0;
  double workGroupSize = 0;
  double instructions = 0;      ///< of all work-items, without accesses that are joined with others
  double itemInstructions = 0;  ///< of the work-item that executes most
  double groupInstructions = 0; ///< of the work-group that executes most
  double accesses = 0;     ///< to global, constant and local memory, those that are joined as one
  double loads = 0;        ///< of them, those that read
  double chainedLoads = 0; ///< of these, those that wait for the one before
  /// Times that work-items wait for loads, which begin together if they do not need one another, in
  /// a basic block. All accesses are loads, and wait, where the profile does not say.
  double loadRounds = 0;
  double privateAccesses = 0; ///< to private memory
  /// Share of the accesses that 8 neighbouring work-items make to one address or to consecutive
  /// ones, which a CPU can do at once; 0 where the profile does not say.
  double jointAccesses = 0;
  double uniformAccesses = 0; ///< of this share, those to one address
  double globalBytes = 0;     ///< read and written, global and constant memory
  double constantBytes = 0;   ///< of these, constant memory
  double localBytes = 0;      ///< read and written, local memory
  /// Turns that an access to local memory takes on 32 banks, and bytes of it of a work-group
  /// (profile::LocalMemory); as they are here where the profile does not tell.
  double bankTurns = 1, localArrayBytes = 0;
  double barriers = 0;                  ///< that one work-item executes, mean
  double divisions = 0;                 ///< of floating-point numbers
  double doubleDivisions = 0;           ///< of these, in double precision
  double integerDivisions = 0;          ///< by values of the launch that the compiler does not know
  double specialOperations = 0;         ///< mathematical functions
  double specialInstructions = 0;       ///< of a GPU, for them
  double doubleSpecialInstructions = 0; ///< of these, in double precision
  double integerOperations = 0;         ///< without divisions' further instructions
  double wideIntegerOperations = 0;     ///< of them, those on 64 bits
  double integerProducts = 0;           ///< of them, products, and these on 64 bits
  double wideIntegerProducts = 0;
  double halfOperations = 0;       ///< 16-bit floating-point operations
  double singleOperations = 0;     ///< 32-bit ones
  double doubleOperations = 0;     ///< 64-bit ones
  double doubleConversions = 0;    ///< to and from 64-bit numbers, if there are operations on these
  PerMatrixType matrixOps{};       ///< of products of matrices
  double contendedAtomics = 0;     ///< on the address that has most of them
  double contendedLineAtomics = 0; ///< on the line of 128 bytes that has most of them
  double hostBytes = 0;            ///< between host and device, both directions
  double hostTransfers = 0;        ///< both directions
  std::array<double, 4> laneUtilization = {1, 1, 1, 1}; ///< of groups of 8, 16, 32, 64 lanes
  std::array<double, 3> coalescing = {1, 1, 1};         ///< of groups of 16, 32, 64 lanes
  profile::CacheMisses cacheMisses;                     ///< what caches of any size miss
  double lineBytes = 0;                                 ///< of the lines that are missed
  double profiledGroups = 0; ///< work-groups that these misses are of; 0: those of this launch
  // As profile::PrivateTraffic; 0 where it is not known.
  PerFamily stackBytes{};   ///< private memory of a work-item
  PerFamily scratchBytes{}; ///< read and written there by all work-items

  double floatOperations() const { return halfOperations + singleOperations + doubleOperations; }
  /// As if there were `number` loads or stores less. The number of rounds stays, but is at most
  /// that of the loads that are left.
  void withoutLoads(double number);
  void withoutStores(double number);
  /// As if so many of the double-precision operations were single-precision ones, the same share of
  /// mathematical functions and divisions among them.
  void toSinglePrecision(double operations);
  /// Leaves this share of the mathematical functions.
  void keepSpecial(double share);
  /// Leaves this share of the divisions of floating-point numbers.
  void keepDivisions(double share);
  /// Work-items, work-groups and all sums of `share`, in (0, 1], of the work-groups.
  LaunchDemand scaled(double share) const;
  /// Bytes that a cache of `bytes` has to fetch from memory. Of lines that a work-group shares with
  /// another one of the `groupsTogether` that run at the same time, only the first access misses:
  /// the profile has the work-groups one after the other.
  double missedBytes(uint64_t bytes, double groupsTogether = 1) const;
  /// Bytes that all work-groups fetch together if each fetches a line once, however large it is, or
  /// has a cache of `bytes` for its work-items one after the other, if that holds more.
  double groupBytes(uint64_t bytes) const;
  /// How many of these a last cache of `bytes` still has of the launches before. First caches are
  /// emptied between launches.
  double foundBytes(uint64_t bytes) const;

private:
  double share_ = 1;
};

/// Throws Error, `kernel NAME: FIELD is VALUE: expected ...`, for a profile that is incomplete or
/// lacks one of these metrics.
LaunchDemand demandOf(const profile::KernelProfile &profile);
/// LaunchDemand::matrixOps, of any profile.
PerMatrixType matrixOpsOf(const profile::KernelProfile &profile);
/// Why demandOf would throw, without the kernel's name; empty if it would not.
std::string whyNoDemand(const profile::KernelProfile &profile);

} // namespace aiwc::predict
