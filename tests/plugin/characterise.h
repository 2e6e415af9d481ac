/// Running OpenCL applications under `oclgrind --aiwc`, as a user does, and looking at what comes
/// out.
#pragma once

#include "launcher/process.h"
#include "profile/kernel_profile.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace aiwc::test {

using Words = std::vector<std::string>;

/// One of the programs in tests/plugin/apps: its path.
std::string application(const std::string &name);

/// A profile as it is on disk, and read.
struct StoredProfile {
  std::string json;
  profile::KernelProfile profile; ///< what the project's own reader makes of `json`
};

/// What a run left behind.
struct Characterised {
  Outcome outcome;
  /// Of each characterised launch: "fill_0" is aiwc_fill_0.json, or would be if launches that are
  /// alike did not share a file.
  std::map<std::string, StoredProfile> profiles;

  /// The profile of that name; the test case fails where there is none.
  const profile::KernelProfile &operator[](const std::string &name) const;
  /// The names of all profiles, sorted.
  Words names() const;
  /// The same for a status 0 that the test case depends on; what the run printed is in the message.
  const Characterised &succeeded() const;
};

/// The launcher with the options, the application behind them and an environment of its own; the
/// profiles go to `output`. It is killed after two minutes.
/// `eachLaunch`: characterises each launch, if no option says which.
Command launch(const Words &application, const Words &options, const Folder &folder,
               bool eachLaunch = true);

/// Reads the profile of every launch in `output` and checks that each is there as a JSON file, that
/// a CSV file beside it says the same, and that nothing else is there but annotated programs.
std::map<std::string, StoredProfile> readProfiles(const fs::path &output);

/// Characterises the application in a folder that is gone afterwards. Quiet unless `quiet` is
/// false.
Characterised characterise(const Words &application, Words options = {}, bool quiet = true);

/// A kernel `k` that ran once.
struct KernelRun {
  profile::KernelProfile profile;
  std::vector<int> values; ///< the first 16 integers of its last buffer
};

/// Runs the kernel `k` of `source` with the words that apps/enqueue.cpp explains. Checks that the
/// run succeeded, that the profile is complete and without errors, and that it has the instructions
/// that Oclgrind itself counts.
KernelRun runKernel(const std::string &source, const Words &words);

/// A file for apps/enqueue.cpp that goes away with the object.
class KernelFile {
public:
  explicit KernelFile(const std::string &source) { write(path(), source); }
  fs::path path() const { return folder_ / "kernel.cl"; }
  /// The command that runs `k`.
  Words enqueue(const Words &words) const;

private:
  Folder folder_;
};

/// The counts that `--inst-counts` printed, of all kernels together, by opcode.
std::map<std::string, uint64_t> instructionCounts(const std::string &output);

/// Checks metrics, named by their keys. Counts have to be equal, reals approximately.
void expect(const profile::KernelProfile &profile,
            const std::vector<std::pair<std::string, double>> &values);

/// How often the opcode was executed.
uint64_t executed(const profile::KernelProfile &profile, const std::string &opcode);

/// How often `text` has `part`.
long countOf(const std::string &text, const std::string &part);

/// Ends the test case as skipped, which ctest shows.
void skip(const std::string &reason);
bool somethingWasSkipped();

} // namespace aiwc::test
