#include "plugin/returned_threads.h"

#include "decoding/source_text.h"
#include "plugin/private_members.h"
#include "simulator/compat.h"

#include <dlfcn.h>

#include <utility>
#include <vector>

namespace aiwc::plugin {

struct WorkItemsMember {
  using Pointer = std::vector<oclgrind::WorkItem *> oclgrind::WorkGroup::*;
  friend Pointer memberOf(WorkItemsMember);
};
template struct Access<WorkItemsMember, &oclgrind::WorkGroup::m_workItems>;

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

} // namespace

void takeBarriers() {
  using Hook = void (*)(oclgrind::WorkGroup *, void (*)(oclgrind::WorkGroup *));
  if (const auto take = reinterpret_cast<void (*)(Hook)>(dlsym(RTLD_DEFAULT, "aiwcTakeBarriers")))
    take(clearBarrier);
}

} // namespace aiwc::plugin
