#include "plugin/invocation.h"

#include "bitcode/module_hash.h"
#include "common/version.h"
#include "embed/opencl_c.h"
#include "profile/source_hash.h"

#include <fmt/format.h>

#include <string_view>

namespace aiwc::plugin {
namespace {

using profile::Metric;

profile::Size3 toArray(const oclgrind::Size3 &size) {
  return {size.x, size.y, size.z};
}

void describeSource(const oclgrind::Kernel &kernel, profile::Provenance &provenance) {
  const oclgrind::Program &program = *kernel.getProgram();
  provenance.buildOptions = program.getBuildOptions();
  const std::string &source = program.getSource();
  const bool hasSource = !source.empty();
  provenance.sourceKind = hasSource ? "opencl-c" : "bitcode";
  provenance.sourceHash =
      hasSource ? embed::bareHash(source) : bitcode::moduleHash(*kernel.getFunction()->getParent());
}

profile::Provenance describe(const oclgrind::KernelInvocation &invocation, uint64_t number) {
  const oclgrind::Kernel &kernel = *invocation.getKernel();
  profile::Provenance provenance;
  provenance.kernel = kernel.getName();
  provenance.invocation = number;
  provenance.workDim = static_cast<uint32_t>(invocation.getWorkDim());
  provenance.globalOffset = toArray(invocation.getGlobalOffset());
  provenance.globalSize = toArray(invocation.getGlobalSize());
  provenance.localSize = toArray(invocation.getLocalSize());
  describeSource(kernel, provenance);
  provenance.engine = "interpreter";
  provenance.toolVersion = kVersion;
  provenance.oclgrindVersion = AIWC_OCLGRIND_VERSION;
  provenance.llvmVersion = AIWC_LLVM_VERSION;
  return provenance;
}

/// The first lines of a message of several, without the framing: what went wrong.
std::string oneLine(std::string_view message) {
  std::string line;
  bool gap = false;
  for (const char c : message) {
    if (c == '\n' || c == '\t' || c == ' ') {
      gap = !line.empty();
      continue;
    }
    if (gap)
      line += ' ';
    gap = false;
    line += c;
  }
  return line;
}

uint64_t product(const profile::Size3 &size) {
  return size[0] * size[1] * size[2];
}

} // namespace

std::string contentOf(const oclgrind::Program &program) {
  if (!program.getSource().empty())
    return program.getSource();
  std::string bitcode(program.getBinarySize(), '\0');
  program.getBinary(reinterpret_cast<unsigned char *>(bitcode.data()));
  return bitcode;
}

Invocation::Invocation(const oclgrind::KernelInvocation &invocation, uint64_t number,
                       const metrics::AnalysisOptions &options, bool showProgress)
    : provenance_(describe(invocation, number)), decoded_(*invocation.getKernel()->getFunction()),
      options_(options), reuseOrder_(std::make_shared<metrics::ReuseOrder>(
                             decoded_.program(), options.reuseSampleRate)),
      groups_(invocation.getNumGroups()), totalGroups_(product(toArray(groups_))),
      progress_(std::make_unique<Progress>(provenance_.kernel, totalGroups_, showProgress)) {}

ExecutionTracker &Invocation::newTracker() {
  const std::scoped_lock lock(mutex_);
  return threads_.emplace_back(std::make_unique<Thread>(decoded_, options_, reuseOrder_, groups_))
      ->tracker;
}

trace::ChunkConsumer &Invocation::newTrace() {
  const std::scoped_lock lock(mutex_);
  return threads_.emplace_back(std::make_unique<Thread>(decoded_, options_, reuseOrder_, groups_))
      ->analyses;
}

void Invocation::simulatorError(const char *message) {
  const std::scoped_lock lock(mutex_);
  ++simulatorErrors_;
  if (fatalError_.empty() && std::string_view(message).find("FATAL") != std::string_view::npos)
    fatalError_ = oneLine(message);
}

profile::KernelProfile Invocation::finish() {
  progress_.reset();
  profile::KernelProfile profile;
  profile.provenance = provenance_;
  profile.simulatorErrors = simulatorErrors_;
  if (threads_.empty()) // no work-group ran
    newTracker();
  for (const auto &thread : threads_)
    thread->tracker.abortGroup();
  metrics::AnalysisSet &all = threads_.front()->analyses;
  for (size_t i = 1; i < threads_.size(); ++i)
    all.merge(threads_[i]->analyses);
  all.finish(profile);
  judgeCompleteness(profile);
  return profile;
}

void Invocation::judgeCompleteness(profile::KernelProfile &profile) const {
  const uint64_t groups = profile.count(Metric::kWorkGroups);
  bool lost = false;
  bool aborted = false;
  for (const auto &thread : threads_) {
    lost |= thread->tracker.lost();
    aborted |= thread->tracker.aborted();
  }
  profile.complete = !lost && !aborted && groups == totalGroups_ && fatalError_.empty();
  if (!fatalError_.empty())
    profile.reason = "the simulator aborted the kernel: " + fatalError_;
  else if (lost)
    profile.reason = "internal error: the recorder lost track of a work-item";
  else if (aborted)
    profile.reason = "the simulator gave up a work-group";
  else if (groups != totalGroups_)
    profile.reason = fmt::format("only {} of {} work-groups were simulated", groups, totalGroups_);
}

} // namespace aiwc::plugin
