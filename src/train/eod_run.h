/// Reads what `eod run` and `eod characterise` leave in their folders, and joins measured times
/// with the profiles of the same launches.
#pragma once

#include "profile/kernel_profile.h"
#include "train/training_set.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace aiwc::train {

/// A kernel of an application at one of its sizes, by their names in the suite.
struct CaseId {
  std::string application;
  std::string size;
  std::string kernel;
};
/// Orders by application, then size from tiny to large, then kernel.
struct CaseOrder {
  bool operator()(const CaseId &a, const CaseId &b) const;
};
/// 0 for tiny to 3 for large, 4 for anything else.
int rankOf(const std::string &size);

/// The properties by which a measured time and a profile are recognised as the same launch.
struct EodLaunch {
  std::string parameter, seed, globalSize, localSize, sourceHash;
  bool operator==(const EodLaunch &) const = default;
};

/// Which sample of several counts.
enum class Reference : uint8_t {
  kMedian,
  kMinimum, ///< for a machine under other load, which can only add time
};

struct MeasuredCase {
  std::map<uint64_t, EodLaunch> launches;          ///< by invocation
  std::vector<std::map<uint64_t, double>> samples; ///< seconds, by invocation; not empty

  /// Per sample, the sum over all launches of a run.
  std::vector<double> seconds() const;
  /// The median or the minimum of these.
  double seconds(Reference reference) const;
  /// Of each launch the median or the minimum over the samples; the smallest of these.
  double secondsOfShortestLaunch(Reference reference) const;
};

struct MeasuredTimes {
  std::string device; ///< its name in OpenCL
  std::map<CaseId, MeasuredCase, CaseOrder> cases;
};

/// Reads the rows.csv of folders, or such files; samples from several are combined. Throws Error
/// for a folder without rows.csv, a file that cannot be read, rows of several devices, and launches
/// that are not the same in every sample. `paths` must not be empty.
MeasuredTimes readMeasured(const std::vector<std::filesystem::path> &paths);

/// A launch that `eod characterise` left a profile of.
struct CharacterisedLaunch {
  CaseId id;
  uint64_t invocation = 0;
  EodLaunch launch;
  std::filesystem::path file;
  std::unique_ptr<profile::KernelProfile> profile;
};

/// The launches in the folder's index.csv whose size is in `sizes` (empty: all sizes), in its
/// order. Throws Error for an index or profile that cannot be read, a profile of another kernel, a
/// launch that is there twice, and if no launch is left.
std::vector<CharacterisedLaunch> readCharacterised(const std::filesystem::path &folder,
                                                   const std::vector<std::string> &sizes = {});

/// Why the measured launches of a kernel are not those that were profiled; empty where they are.
std::string difference(const std::map<uint64_t, EodLaunch> &profiled,
                       const std::map<uint64_t, EodLaunch> &measured);

/// A kernel that has no time, no profile, or others than the other side, and which.
struct LeftOut {
  CaseId id;
  std::string reason;
};

/// Adds the times of one device, each with the profiles of the launches it is the sum of, as a data
/// set of their own. Launches must be the same on both sides, including NDRange and source. Returns
/// the kernels that were left out: `to` may be left without a time.
std::vector<LeftOut> addMeasured(const MeasuredTimes &measured,
                                 std::vector<CharacterisedLaunch> characterised,
                                 const predict::DeviceProfile &device, const std::string &dataSet,
                                 Reference reference, TrainingSet &to);

} // namespace aiwc::train
