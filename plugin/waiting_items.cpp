#include "plugin/waiting_items.h"

#include "decoding/builtins.h"
#include "decoding/source_text.h"
#include "plugin/hooks.h"
#include "plugin/private_members.h"
#include "simulator/meetings.h"

#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace aiwc::plugin {

struct WorkItemsMember {
  using Pointer = std::vector<oclgrind::WorkItem *> oclgrind::WorkGroup::*;
  friend Pointer memberOf(WorkItemsMember);
};
template struct Access<WorkItemsMember, &oclgrind::WorkGroup::m_workItems>;

struct StateMember {
  using Pointer = oclgrind::WorkItem::State oclgrind::WorkItem::*;
  friend Pointer memberOf(StateMember);
};
template struct Access<StateMember, &oclgrind::WorkItem::m_state>;

/// Of a type whose name is private.
struct RunningMember {
  friend auto memberOf(RunningMember);
};
template <typename Pointer, Pointer pointer> struct AccessRunning {
  friend auto memberOf(RunningMember) { return pointer; }
};
template struct AccessRunning<decltype(&oclgrind::WorkGroup::m_running),
                              &oclgrind::WorkGroup::m_running>;

namespace {

/// The work-items of a group, without those that have returned as long as the object lives.
class WithoutReturned {
public:
  explicit WithoutReturned(oclgrind::WorkGroup &group)
      : items_(group.*memberOf(WorkItemsMember())), all_(items_) {
    std::erase_if(items_, [](const oclgrind::WorkItem *item) {
      return item->getState() == oclgrind::WorkItem::FINISHED;
    });
  }
  ~WithoutReturned() { items_ = std::move(all_); }
  WithoutReturned(const WithoutReturned &) = delete;
  WithoutReturned &operator=(const WithoutReturned &) = delete;

private:
  std::vector<oclgrind::WorkItem *> &items_;
  std::vector<oclgrind::WorkItem *> all_;
};

/// Oclgrind reports a barrier at which fewer work-items have arrived than the group has.
void clearBarrier(oclgrind::WorkGroup *group, void (*byOclgrind)(oclgrind::WorkGroup *)) {
  if (!decoding::isCuda(*group->getCurrentBarrier()->getModule()))
    return byOclgrind(group);
  const WithoutReturned others(*group);
  byOclgrind(group);
}

/// The work-items of a group of which some have waited for their sub-group, by local linear id.
struct Waiting {
  std::vector<simulator::Lane> lanes;
  std::vector<const llvm::CallInst *> calls; ///< at which each waits, or waited last
  std::vector<simulator::Fragments> fragments;
};
/// By the groups of this thread.
thread_local std::map<const oclgrind::WorkGroup *, Waiting> waiting;

void arriveAt(oclgrind::WorkItem *item, const llvm::CallInst *call,
              const simulator::Meeting &meeting, oclgrind::TypedValue &result,
              const simulator::Fragments *fragments = nullptr) {
  std::memset(result.data, 0, static_cast<size_t>(result.size) * result.num);
  auto *group = const_cast<oclgrind::WorkGroup *>(item->getWorkGroup());
  const oclgrind::Size3 id = item->getLocalID(), size = group->getGroupSize();
  const size_t index = id.x + (id.y + id.z * size.y) * size.x;
  Waiting &all = waiting[group];
  all.lanes.resize(size.x * size.y * size.z);
  all.calls.resize(all.lanes.size());
  if (fragments) {
    all.fragments.resize(all.lanes.size());
    all.fragments[index] = *fragments;
  }
  all.lanes[index].arrive(meeting, fragments ? &all.fragments[index] : nullptr);
  all.calls[index] = call;
  item->*memberOf(StateMember()) = oclgrind::WorkItem::BARRIER;
  (group->*memberOf(RunningMember())).erase(item);
}

uint32_t wordOf(oclgrind::WorkItem *item, const llvm::CallInst *call, unsigned argument) {
  return static_cast<uint32_t>(item->getOperand(call->getArgOperand(argument)).getUInt());
}

/// The function `__aiwc_meet`.
void arrive(oclgrind::WorkItem *item, const llvm::CallInst *call, const std::string &,
            const std::string &, oclgrind::TypedValue &result, void *) {
  std::array<uint32_t, simulator::kMeetingArguments> arguments{};
  for (unsigned i = 0; i < arguments.size(); ++i)
    arguments[i] = wordOf(item, call, i);
  arriveAt(item, call, std::bit_cast<simulator::Meeting>(arguments), result);
}

/// The functions of decoding::kMatrixFunctions.
void arriveAtProduct(oclgrind::WorkItem *item, const llvm::CallInst *call, const std::string &name,
                     const std::string &, oclgrind::TypedValue &result, void *) {
  simulator::Fragments fragments{};
  const unsigned words = (call->arg_size() - decoding::kMatrixArguments) / 2;
  const auto copy = [&](unsigned argument, uint8_t *to) {
    const oclgrind::TypedValue value = item->getOperand(call->getArgOperand(argument));
    const size_t bytes = static_cast<size_t>(value.size) * value.num;
    std::memcpy(to, value.data, bytes);
    return to + bytes;
  };
  uint8_t *left = fragments.left.data(), *right = fragments.right.data();
  for (unsigned i = 0; i < words; ++i) {
    left = copy(2 + i, left);
    right = copy(2 + words + i, right);
  }
  copy(call->arg_size() - 2, fragments.sum.data());
  arriveAt(item, call,
           simulator::Meeting::multiplication(wordOf(item, call, 0), wordOf(item, call, 1) != 0,
                                              *decoding::matrixFunction(name),
                                              wordOf(item, call, call->arg_size() - 1)),
           result, &fragments);
}

/// Lets work-items go on that have met, if no other of the group can.
void beforeNextItem(const oclgrind::WorkGroup *constGroup) {
  const auto found = waiting.find(constGroup);
  if (found == waiting.end())
    return;
  auto *group = const_cast<oclgrind::WorkGroup *>(constGroup);
  auto &running = group->*memberOf(RunningMember());
  if (!running.empty())
    return;
  const std::vector<oclgrind::WorkItem *> &items = group->*memberOf(WorkItemsMember());
  auto &[lanes, calls, fragments] = found->second;
  for (size_t i = 0; i < items.size(); ++i)
    lanes[i].hasFinished = items[i]->getState() == oclgrind::WorkItem::FINISHED;
  if (!simulator::meet(lanes)) {
    waiting.erase(found);
    return;
  }
  for (size_t i = 0; i < items.size(); ++i)
    if (lanes[i].leaves()) {
      // The value of the call has had its place since the call was made.
      auto *value = const_cast<unsigned char *>(items[i]->getValueData(calls[i]));
      if (lanes[i].fragments)
        std::memcpy(value, fragments[i].sum.data(), oclgrind::getTypeSize(calls[i]->getType()));
      else
        std::memcpy(value, &lanes[i].result, sizeof lanes[i].result);
      items[i]->clearBarrier();
      running.insert(items[i]);
    }
}

} // namespace

void takeWaitingItems() {
  oclgrind::workItemBuiltins.emplace(decoding::kMeetingFunction.str(),
                                     oclgrind::BuiltinFunction(arrive, nullptr));
  for (const llvm::StringLiteral name : decoding::kMatrixFunctions)
    oclgrind::workItemBuiltins.emplace(name.str(),
                                       oclgrind::BuiltinFunction(arriveAtProduct, nullptr));
  if (Hooks *const hooks = preloadedHooks()) {
    hooks->clearBarrier = clearBarrier;
    hooks->beforeNextItem = beforeNextItem;
  }
}

void forgetMeetings(const oclgrind::WorkGroup *group) {
  waiting.erase(group);
}

} // namespace aiwc::plugin
