#include "run/found_in_caches.h"

#include "common/error.h"
#include "run/folder.h"
#include "run/nearest_launches.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

namespace aiwc::run {

namespace {

/// Sums over the ends of a sequence of numbers that change, each in the logarithm of its length
/// (Fenwick, A New Data Structure for Cumulative Frequency Tables, 1994).
class EndSums {
public:
  explicit EndSums(size_t size) : sums_(size + 1) {}

  void add(size_t at, uint64_t number) { // modulo 2^64
    for (size_t i = sums_.size() - 1 - at; i < sums_.size(); i += i & (0 - i))
      sums_[i] += number;
  }
  uint64_t from(size_t at) const {
    uint64_t sum = 0;
    for (size_t i = sums_.size() - 1 - at; i > 0; i -= i & (0 - i))
      sum += sums_[i];
    return sum;
  }

private:
  std::vector<uint64_t> sums_;
};

/// The memory of a process.
class Memory {
public:
  explicit Memory(size_t launches) : bytesAt_(launches) {}

  /// The launch `number` of the process accesses these allocations. Adds what it finds to `found`.
  void access(size_t number, const std::map<uint64_t, uint64_t> &bytesOf, FoundInCaches &found) {
    uint64_t all = 0;
    std::map<size_t, uint64_t> before; // last launch -> bytes of the allocations
    for (const auto &[allocation, bytes] : bytesOf) {
      all += bytes;
      if (const auto last = last_.find(allocation); last != last_.end())
        before[last->second.launch] += bytes;
    }
    found.bytes += static_cast<double>(all);
    uint64_t known = 0; // of the launch's allocations, accessed by the launch or later
    for (auto launch = before.rbegin(); launch != before.rend(); ++launch) {
      known += launch->second;
      if (launch->second > 0)
        found.shares[bytesAt_.from(launch->first) + all - known] +=
            static_cast<double>(launch->second) / static_cast<double>(all);
    }
    for (const auto &[allocation, bytes] : bytesOf) {
      const auto [last, isNew] = last_.try_emplace(allocation);
      if (!isNew)
        bytesAt_.add(last->second.launch, 0 - last->second.bytes);
      last->second = {number, bytes};
      bytesAt_.add(number, bytes);
    }
  }

private:
  struct Last {
    size_t launch = 0;
    uint64_t bytes = 0;
  };
  std::map<uint64_t, Last> last_; ///< by allocation
  EndSums bytesAt_;               ///< by the last launch that accessed them
};

} // namespace

LaunchesAlike likeOf(const Launch &launch) {
  return {launch.profile, launch.globalSize, launch.localSize};
}

std::map<LaunchesAlike, FoundInCaches> foundInCaches(const Run &given) {
  Run estimated;
  const bool isWhole = std::ranges::all_of(given.launches, &Launch::hasProfile);
  if (!isWhole) {
    estimated = given;
    estimateFromNearest(estimated);
  }
  const Run &run = isWhole ? given : estimated;
  std::map<uint64_t, size_t> launchesOf; // by process
  for (const Launch &launch : run.launches)
    ++launchesOf[launch.process];
  std::map<uint64_t, std::pair<Memory, size_t>> processes; // with the number of the next launch
  for (const auto &[process, launches] : launchesOf)
    processes.try_emplace(process, Memory(launches), 0);
  std::map<LaunchesAlike, FoundInCaches> result;
  std::map<LaunchesAlike, double> launches;
  for (const Launch &launch : run.launches) {
    std::map<uint64_t, uint64_t> bytesOf; // allocation ->
    for (const Argument &argument : launch.arguments)
      if (argument.allocation)
        bytesOf[*argument.allocation] = std::max(bytesOf[*argument.allocation], argument.bytes);
    auto &[memory, next] = processes.at(launch.process);
    memory.access(next++, bytesOf, result[likeOf(launch)]);
    ++launches[likeOf(launch)];
  }
  for (auto &[like, found] : result) {
    found.bytes /= launches[like];
    for (auto &[bytes, share] : found.shares)
      share /= launches[like];
  }
  return result;
}

void setFound(profile::KernelProfile &profile, const FoundInCaches &found) {
  profile.reuse.found.clear();
  if (found.bytes == 0 || profile.reuse.lineBytes == 0)
    return;
  const double accessed = static_cast<double>(profile.reuse.coldAccesses) *
                          static_cast<double>(profile.reuse.lineBytes);
  const double part = std::min(1.0, accessed / found.bytes);
  for (const auto &[bytes, share] : found.shares)
    profile.reuse.found.push_back(
        {std::max<uint64_t>(1, bytes / profile.reuse.lineBytes) - 1, share * part});
}

void setFound(profile::KernelProfile &profile, const std::map<LaunchesAlike, FoundInCaches> &ofRun,
              const std::string &name) {
  const profile::Provenance &launch = profile.provenance;
  if (const auto found = ofRun.find({name, launch.globalSize, launch.localSize});
      found != ofRun.end())
    setFound(profile, found->second);
}

void setFoundOf(const std::filesystem::path &file, profile::KernelProfile &profile) {
  namespace fs = std::filesystem;
  struct Last {
    fs::path run;
    fs::file_time_type written;
    std::map<LaunchesAlike, FoundInCaches> found;
  };
  thread_local Last last;
  fs::path run = file.parent_path() / "run.json";
  std::error_code ignored;
  for (int i = 2; fs::exists(run, ignored); ++i) {
    try {
      if (const auto written = fs::last_write_time(run, ignored);
          last.run != run || last.written != written)
        last = {run, written, foundInCaches(readRun(run))};
      setFound(profile, last.found, file.filename().string());
    } catch (const Error &) { // another run may list it
    }
    run.replace_filename(fmt::format("run_{}.json", i));
  }
}

} // namespace aiwc::run
