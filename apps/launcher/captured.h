#pragma once

#include "launcher/capture_jobs.h"
#include "launcher/child.h"
#include "run/run.h"
#include "session/options.h"

#include <cstdint>
#include <map>

/// The launches that the layer captured (host/attach/captures.h), on their way to profiles.
namespace aiwc::launcher {

/// Numbers of a run's processes, by their ids.
using Processes = std::map<uint64_t, uint64_t>;

/// Waits until all captures have been through the simulator, with progress on standard error unless
/// `quiet`. Returns the signal that ended the waiting, or 0: then captures are left.
int characteriseCaptures(CaptureJobs &jobs, Children &children, bool quiet);

/// Gives the launches of the run the profiles of their captures, and launches of one kind the
/// same ones. What could not be characterised is added to the run's errors.
void mergeProfiles(run::Run &run, const Processes &processes, const CaptureJobs &jobs);

/// Keeps the captures that are left in the folder of the run, from which `leftIn` finds them, and
/// removes the folder of captures if there are none. `file`: the run's. Returns how many. Throws
/// Error if the disk is full.
size_t keepCaptures(CaptureJobs &jobs, const Processes &processes, const SessionOptions &options,
                    const std::filesystem::path &file);

/// A run with captures that are left.
struct LeftCaptures {
  std::filesystem::path file; ///< of the run
  Processes processes;
};

/// The runs in a folder that `keepCaptures` has kept captures of. Throws Error if there are none.
std::vector<LeftCaptures> leftIn(const std::filesystem::path &folder);

/// Takes the kept captures of a run into `jobs`.
void addCaptures(const LeftCaptures &left, const std::filesystem::path &folder, CaptureJobs &jobs);

} // namespace aiwc::launcher
