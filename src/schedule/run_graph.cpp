#include "schedule/run_graph.h"

#include "common/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace aiwc::schedule {

namespace {

struct Access {
  bool any = false, reads = false, writes = false;
  uint64_t written = 0; ///< bytes that one access in the source covers, at most
};

void add(Access &access, const profile::AccessRow &row) {
  access.any = true;
  access.reads |= row.kind != profile::AccessKind::kWrite;
  access.writes |= row.kind != profile::AccessKind::kRead;
  if (row.kind == profile::AccessKind::kWrite)
    access.written = std::max(access.written, row.footprint);
}

bool inMemory(const run::Argument &argument) {
  return argument.allocation && (argument.kind == run::Argument::Kind::kBuffer ||
                                 argument.kind == run::Argument::Kind::kImage);
}

/// Makes the tasks and data of a graph, launch after launch.
class Builder {
public:
  Builder(std::span<const LaunchTask> launches, std::span<const predict::DeviceProfile> devices,
          const predict::CostModel &model)
      : launches_(launches), model_(model) {
    if (devices.empty())
      throw Error("a task graph for no device: expected one at least");
    linked_.push_back(nullptr); // the host's memory
    for (const predict::DeviceProfile &device : devices) {
      const bool inPlace = device.type == predict::DeviceType::kCpu ||
                           device.type == predict::DeviceType::kIntegratedGpu;
      graph_.workers.push_back({device.id, inPlace ? kHostMemory : linked_.size(), false});
      if (!inPlace)
        linked_.push_back(&device);
    }
    graph_.workers.push_back({"host", kHostMemory, true});
    graph_.memories = linked_.size();
  }

  Graph graph() && {
    const std::vector<uint64_t> rewritten = explainHostWrites();
    for (size_t index = 0; index < launches_.size(); ++index) {
      addLaunch(launches_[index], rewritten[index]);
      if (launches_[index].deviceToHost.transfers > 0)
        addHostRead(launches_[index]);
    }
    return std::move(graph_);
  }

private:
  /// The current content of an allocation.
  struct Content {
    std::optional<size_t> datum; ///< none: nothing has been written
    uint64_t bytes = 0;
    bool byKernel = false;
    std::vector<size_t> readers; ///< tasks
  };

  /// Gives the bytes that the host has written before a launch to the allocations that this launch
  /// and later ones are the first to read; of these, `fromHost_` has the numbers. Returns, by
  /// launch, the rest: bytes that replace what is there already.
  std::vector<uint64_t> explainHostWrites() {
    std::vector<std::pair<size_t, const Use *>> firstReads; // by launch
    std::map<uint64_t, bool> seen;
    for (size_t index = 0; index < launches_.size(); ++index)
      for (const Use &use : launches_[index].uses)
        if (seen.emplace(use.allocation, true).second && use.reads)
          firstReads.emplace_back(index, &use);
    std::vector<uint64_t> rest;
    size_t next = 0;
    for (size_t index = 0; index < launches_.size(); ++index) {
      while (next < firstReads.size() && firstReads[next].first < index)
        ++next; // read, but the host never wrote it
      uint64_t bytes = launches_[index].hostToDevice.bytes;
      for (; next < firstReads.size() && bytes > 0; ++next) {
        bytes -= std::min(bytes, firstReads[next].second->bytes);
        fromHost_[firstReads[next].second->allocation] = true;
      }
      rest.push_back(bytes);
    }
    return rest;
  }

  size_t movementOf(uint64_t bytes, uint64_t transfers) {
    const auto [known, isNew] =
        movements_.try_emplace(std::pair(bytes, transfers), graph_.movements.size());
    if (!isNew)
      return known->second;
    Movement movement{.bytes = static_cast<double>(bytes), .toHost = {0}, .fromHost = {0}};
    for (size_t memory = 1; memory < linked_.size(); ++memory) {
      const auto seconds = [&](predict::Direction direction) {
        return model_.transferSeconds({movement.bytes, transfers, direction}, *linked_[memory]);
      };
      movement.toHost.push_back(seconds(predict::Direction::kToHost));
      movement.fromHost.push_back(seconds(predict::Direction::kToDevice));
    }
    graph_.movements.push_back(std::move(movement));
    return known->second;
  }

  size_t addDatum(std::optional<size_t> producer) {
    graph_.data.push_back({producer, kHostMemory});
    return graph_.data.size() - 1;
  }

  void addLaunch(const LaunchTask &launch, uint64_t rewritten) {
    const size_t index = graph_.tasks.size();
    Task task;
    task.name = fmt::format("{}[{}]", launch.kernel, launch.invocation);
    task.kind = kinds_.try_emplace(launch.kernel, kinds_.size() + 1).first->second;
    task.seconds = launch.seconds;
    task.seconds.push_back(kNever);
    task.factors = launch.factors;
    task.factors.emplace_back();
    if (lastHostTask_)
      task.after.push_back(*lastHostTask_);
    if (rewritten > 0)
      task.reads.push_back(
          {addDatum(lastHostTask_), movementOf(rewritten, launch.hostToDevice.transfers), true});
    for (const Use &use : launch.uses) {
      Content &content = contents_[use.allocation];
      content.bytes = use.bytes;
      if (!content.datum && fromHost_.contains(use.allocation))
        content.datum = addDatum({});
      if (use.reads && content.datum)
        task.reads.push_back({*content.datum, movementOf(use.bytes, 1), true});
      if (!use.writes) {
        content.readers.push_back(index);
        continue;
      }
      task.after.insert(task.after.end(), content.readers.begin(), content.readers.end());
      if (content.datum && graph_.data[*content.datum].producer)
        task.after.push_back(*graph_.data[*content.datum].producer);
      content = {addDatum(index), use.bytes, true, {}};
      std::erase(written_, use.allocation);
      written_.push_back(use.allocation);
    }
    graph_.tasks.push_back(std::move(task));
    sinceHostTask_.push_back(index);
  }

  /// The host reads what kernels wrote last.
  void addHostRead(const LaunchTask &launch) {
    const size_t index = graph_.tasks.size();
    Task task;
    task.name = "host reads";
    task.seconds.assign(graph_.workers.size() - 1, kNever);
    task.seconds.push_back(0);
    task.after = std::exchange(sinceHostTask_, {});
    if (lastHostTask_)
      task.after.push_back(*lastHostTask_);
    uint64_t bytes = launch.deviceToHost.bytes;
    for (auto allocation = written_.rbegin(); allocation != written_.rend() && bytes > 0;
         ++allocation) {
      const Content &content = contents_[*allocation];
      const uint64_t part = std::min(bytes, content.bytes);
      task.reads.push_back({*content.datum, movementOf(part, 1), part == content.bytes});
      bytes -= part;
    }
    graph_.tasks.push_back(std::move(task));
    lastHostTask_ = index;
  }

  std::span<const LaunchTask> launches_;
  const predict::CostModel &model_;
  std::vector<const predict::DeviceProfile *> linked_; ///< by memory
  Graph graph_;
  std::map<std::pair<uint64_t, uint64_t>, size_t> movements_;
  std::map<std::string, size_t> kinds_;
  std::map<uint64_t, bool> fromHost_;    ///< by allocation
  std::map<uint64_t, Content> contents_; ///< by allocation
  std::vector<uint64_t> written_;        ///< allocations that kernels wrote, the last one last
  std::vector<size_t> sinceHostTask_;    ///< launches
  std::optional<size_t> lastHostTask_;
};

} // namespace

std::vector<Use> usesOf(const run::Launch &launch,
                        const std::optional<std::vector<profile::AccessRow>> &accesses) {
  std::map<std::string_view, Access> byName;
  for (const run::Argument &argument : launch.arguments)
    if (inMemory(argument))
      byName[argument.name];
  Access anywhere;
  if (!accesses)
    anywhere = {.any = true, .reads = true, .writes = true, .written = 0};
  for (const profile::AccessRow &row : accesses ? *accesses : std::vector<profile::AccessRow>{}) {
    if (row.space == profile::MemorySpace::kLocal)
      continue;
    const auto named =
        row.array.empty() || row.function != launch.kernel ? byName.end() : byName.find(row.array);
    add(named == byName.end() ? anywhere : named->second, row);
  }
  std::map<uint64_t, Use> uses;
  for (const run::Argument &argument : launch.arguments) {
    if (!inMemory(argument))
      continue;
    const Access &own = byName.at(argument.name);
    const Access &access = own.any ? own : anywhere;
    if (!access.any)
      continue;
    Use &use = uses[*argument.allocation];
    use.allocation = *argument.allocation;
    use.bytes = std::max(use.bytes, argument.bytes);
    use.writes |= access.writes;
    use.reads |= access.reads || (access.writes && (!own.any || own.written < argument.bytes));
  }
  std::vector<Use> list;
  list.reserve(uses.size());
  for (const auto &[allocation, use] : uses)
    list.push_back(use);
  return list;
}

Graph graphOf(std::span<const LaunchTask> launches, std::span<const predict::DeviceProfile> devices,
              const predict::CostModel &model) {
  return Builder(launches, devices, model).graph();
}

} // namespace aiwc::schedule
