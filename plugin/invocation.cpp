#include "plugin/invocation.h"

#include "common/image_type.h"
#include "common/version.h"
#include "plugin/messages.h"
#include "plugin/sub_groups.h"
#include "profile/source_hash.h"
#include "simulator/images.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace aiwc::plugin {
namespace {

profile::Size3 toArray(const oclgrind::Size3 &size) {
  return {size.x, size.y, size.z};
}

profile::Provenance describe(const profile::LaunchIdentity &identity) {
  profile::Provenance provenance;
  static_cast<profile::LaunchIdentity &>(provenance) = identity;
  provenance.engine = "interpreter";
  provenance.toolVersion = kVersion;
  provenance.oclgrindVersion = AIWC_OCLGRIND_VERSION;
  provenance.llvmVersion = AIWC_LLVM_VERSION;
  return provenance;
}

/// The message on one line: each sequence of blanks, tabs and line ends becomes one blank.
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

/// The buffers that the arguments point to, each once.
std::vector<metrics::MemoryRange> buffersOf(const oclgrind::KernelInvocation &invocation) {
  const oclgrind::Memory &memory = *invocation.getContext()->getGlobalMemory();
  std::map<uint64_t, uint64_t> bytes;
  const oclgrind::Kernel &kernel = *invocation.getKernel();
  for (auto value = kernel.values_begin(); value != kernel.values_end(); ++value) {
    const auto *argument = llvm::dyn_cast<llvm::Argument>(value->first);
    const auto *type = argument ? llvm::dyn_cast<llvm::PointerType>(argument->getType()) : nullptr;
    const bool isBuffer = type && value->second.data &&
                          (type->getAddressSpace() == oclgrind::AddrSpaceGlobal ||
                           type->getAddressSpace() == oclgrind::AddrSpaceConstant);
    size_t address = isBuffer ? value->second.getPointer() : 0;
    // The argument of an image is the address of Oclgrind's description of it.
    if (isBuffer && isImageType(kernel.getArgumentTypeName(argument->getArgNo()).str())) {
      const oclgrind::Image *image = simulator::imageOf(address);
      address = image ? image->address : 0;
    }
    if (address == 0 || !memory.isAddressValid(address))
      continue;
    if (const auto *buffer = memory.getBuffer(address))
      bytes[address - memory.extractOffset(address)] = buffer->size;
  }
  std::vector<metrics::MemoryRange> ranges;
  for (const auto &[address, size] : bytes)
    if (size > 0)
      ranges.push_back({address, size});
  return ranges;
}

uint64_t product(const profile::Size3 &size) {
  return size[0] * size[1] * size[2];
}

} // namespace

Invocation::Invocation(const oclgrind::KernelInvocation &invocation,
                       const profile::LaunchIdentity &identity,
                       std::shared_ptr<ProgramDescription> program,
                       const metrics::AnalysisOptions &options, uint64_t sampleGroups,
                       bool showProgress, std::string hint)
    : provenance_(describe(identity)), program_(std::move(program)),
      decoded_(program_->decoded(*invocation.getKernel()->getFunction())), options_(options),
      showProgress_(showProgress), hint_(std::move(hint)), groups_(invocation.getNumGroups()),
      totalGroups_(product(toArray(groups_))), memory_(buffersOf(invocation)),
      knowsSteps_(std::ranges::none_of(decoded().stepsVary(), std::identity())) {
  startAgain(sampleGroups);
}

void Invocation::startAgain(std::shared_ptr<const metrics::GroupSample> sample) {
  sample_ = std::move(sample);
  instructions_.clear();
  provenance_.sampledGroups = sample_ ? sample_->size() : 0;
  provenance_.totalGroups = sample_ ? totalGroups_ : 0;
  provenance_.othersLeftOut = false;
  recorded_ = newRecorded();
}

Invocation::Thread::Thread(const Invocation &invocation)
    : analyses(invocation.sample_
                   ? std::nullopt
                   : std::make_optional<metrics::AnalysisSet>(
                         invocation.decoded().program(), invocation.options_,
                         invocation.recorded_->reuseOrders.front(), &invocation.decoded_.tables)),
      sampled(invocation.sample_ ? std::make_optional<metrics::SampledAnalyses>(
                                       invocation.decoded().program(), invocation.options_,
                                       invocation.recorded_->reuseOrders, invocation.sample_,
                                       &invocation.decoded_.tables)
                                 : std::nullopt),
      races(
          consumer(), invocation.warp(), invocation.decoded_.races,
          [kernel = invocation.provenance_.kernel](uint32_t line) {
            say(fmt::format("aiwc: kernel '{}'{}: one address was read 16 million times in a row. "
                            "Who waits for another thread or work-item to write there waits for "
                            "ever in the simulator, which runs them one after another\n",
                            kernel, line > 0 ? fmt::format(", line {}", line) : ""));
          }) {}

/// Those of CUDA have 32 threads whatever the device is.
uint32_t Invocation::warp() const {
  return provenance_.sourceKind == "cuda" ? 32 : static_cast<uint32_t>(subGroupSize());
}

std::unique_ptr<Invocation::Recorded> Invocation::newRecorded() const {
  std::vector<std::shared_ptr<metrics::ReuseOrder>> orders(sample_ ? sample_->strata() : 1);
  for (auto &order : orders)
    order = std::make_shared<metrics::ReuseOrder>(decoded_.tables.get<metrics::SourceLines>(),
                                                  sample_ ? metrics::ReuseOrder::Runs::kApart
                                                          : metrics::ReuseOrder::Runs::kJoined);
  return std::unique_ptr<Recorded>(new Recorded{
      .reuseOrders = std::move(orders),
      .progress = Progress(provenance_.kernel, totalGroups_,
                           sample_ ? sample_->recorded() : totalGroups_, showProgress_, hint_)});
}

Invocation::Thread &Invocation::newThread() {
  const std::scoped_lock lock(recorded_->mutex);
  return *recorded_->threads.emplace_back(std::make_unique<Thread>(*this));
}

ExecutionTracker &Invocation::newTracker() {
  Thread &thread = newThread();
  return thread.tracker.emplace(decoded(), thread.races, groups_);
}

trace::ChunkConsumer &Invocation::newTrace() {
  return newThread().races;
}

void Invocation::simulatorError(const char *message) {
  const std::scoped_lock lock(recorded_->mutex);
  ++recorded_->simulatorErrors;
  if (recorded_->fatalError.empty() &&
      std::string_view(message).find("FATAL") != std::string_view::npos)
    recorded_->fatalError = oneLine(message);
}

metrics::SampleResult Invocation::judge(std::vector<uint64_t> instructions) {
  instructions_ = std::move(instructions);
  profile::KernelProfile profile = merged();
  const metrics::SampledAnalyses &sampled = *recorded_->threads.front()->sampled;
  sampled.estimate(profile, launchSize(), memory_);
  return {metrics::largestRelativeError(profile), profile.count("ipt_min"_metric),
          profile.count("ipt_max"_metric), sampled.lineSharing(launchSize(), memory_)};
}

metrics::LaunchSize Invocation::launchSize() const {
  return {product(provenance_.globalSize), instructions_, knowsSteps_};
}

profile::KernelProfile Invocation::finish() {
  recorded_->progress.clear();
  profile::KernelProfile profile = merged();
  profile.provenance = provenance_;
  profile.simulatorErrors = recorded_->simulatorErrors;
  judgeCompleteness(profile);
  // An incomplete invocation: report what ran, estimate nothing.
  if (sample_ && profile.complete) {
    metrics::LaunchSize size = launchSize();
    size.statesHidden = true;
    recorded_->threads.front()->sampled->estimate(profile, size, memory_);
  }
  return profile;
}

const profile::KernelProfile &Invocation::merged() {
  if (recorded_->merged)
    return *recorded_->merged;
  if (recorded_->threads.empty()) // no work-group ran
    newTracker();
  const auto &threads = recorded_->threads;
  for (const auto &thread : threads)
    if (thread->tracker)
      thread->tracker->abortGroup();
  profile::KernelProfile &profile = recorded_->merged.emplace();
  profile.provenance = provenance_;
  Thread &all = *threads.front();
  for (size_t i = 1; i < threads.size(); ++i)
    if (sample_)
      all.sampled->merge(*threads[i]->sampled);
    else
      all.analyses->merge(*threads[i]->analyses);
  if (sample_)
    all.sampled->finish(profile);
  else
    all.analyses->finish(profile);
  return profile;
}

void Invocation::judgeCompleteness(profile::KernelProfile &profile) const {
  const uint64_t groups = profile.count("work_groups"_metric);
  bool lost = false;
  bool aborted = false;
  for (const auto &thread : recorded_->threads) {
    lost |= thread->tracker && thread->tracker->lost();
    aborted |= thread->tracker && thread->tracker->aborted();
  }
  const uint64_t expected = sample_ ? sample_->size() : totalGroups_;
  const uint64_t done = recorded_->groupsDone;
  const std::string &fatalError = recorded_->fatalError;
  const bool all = groups == expected && done == totalGroups_;
  profile.complete = !lost && !aborted && all && fatalError.empty();
  if (!fatalError.empty())
    profile.reason = "the simulator aborted the kernel: " + fatalError;
  else if (lost)
    profile.reason = "internal error: the recorder lost track of a work-item";
  else if (aborted)
    profile.reason = "the simulator abandoned a work-group";
  else if (!all)
    profile.reason = fmt::format("only {} of {} work-groups were simulated", done, totalGroups_);
}

} // namespace aiwc::plugin
