#include "plugin/warp_races.h"

#include <algorithm>
#include <utility>

namespace aiwc::plugin {

void WarpRaces::beginGroup(const trace::Program &program, const trace::Group &group) {
  if (!stores_)
    stores_ = std::ranges::any_of(program.operations, [](const trace::Operation &operation) {
      return operation.memory == trace::MemoryKind::kStore &&
             operation.space == trace::AddressSpace::kLocal;
    });
  bytes_.reset();
  polls_ = 0;
  next_.beginGroup(program, group);
}

void WarpRaces::consume(const trace::Chunk &chunk) {
  for (const trace::Run &run : chunk.runs) {
    if (!*stores_ || !found_.looksOn())
      break;
    if (run.item != trace::Run::kWorkGroup)
      look(chunk, run);
  }
  if (chunk.end != trace::ChunkEnd::kFull)
    bytes_.reset();
  lookForWait(chunk);
  next_.consume(chunk);
}

/// Only who waits fills a chunk alone; of most others, the last access shows that they do not.
void WarpRaces::lookForWait(const trace::Chunk &chunk) {
  const std::span<const trace::Access> all = chunk.accesses;
  const auto isPoll = [&](const trace::Access &access) {
    return access.address == all.front().address && (!access.write || access.atomic);
  };
  if (chunk.runs.size() != 1 || all.empty() || !isPoll(all.back()) ||
      !std::ranges::all_of(all, isPoll)) {
    polls_ = 0;
    return;
  }
  const std::pair poller(chunk.runs.front().item, all.front().address);
  polls_ = all.size() + (std::exchange(poller_, poller) == poller ? polls_ : 0);
  const auto event =
      std::ranges::lower_bound(chunk.events, all.size(), {}, &trace::BlockEvent::accessEnd);
  if (polls_ < kMostPolls || event == chunk.events.end() || found_.isWaitTold_.exchange(true))
    return;
  const trace::Block &block = chunk.program.blocks[index(event->block)];
  tellOfWait_(chunk.program.operations[index(block.firstOp) + all.back().opOffset].line);
}

void WarpRaces::endGroup() {
  next_.endGroup();
}

void WarpRaces::look(const trace::Chunk &chunk, const trace::Run &run) {
  uint64_t looked = 0;
  uint32_t begin = run.accessBegin;
  for (uint32_t i = run.eventBegin; i < run.eventEnd; ++i) {
    const trace::BlockEvent &event = chunk.events[i];
    for (const trace::Access &access : chunk.accesses.subspan(begin, event.accessEnd - begin)) {
      if (access.addressSpace() != trace::AddressSpace::kLocal || access.atomic)
        continue;
      ++looked;
      if (isRace(access, run.item)) {
        const trace::Block &block = chunk.program.blocks[index(event.block)];
        found_.add(chunk.program.operations[index(block.firstOp) + access.opOffset].line);
      }
    }
    begin = event.accessEnd;
  }
  found_.accesses_ += looked;
}

/// Notes the access as well.
bool WarpRaces::isRace(const trace::Access &access, uint32_t item) {
  const auto isOther = [&](uint32_t one) {
    return one != kNobody && one != item && one / warp_ == item / warp_;
  };
  bool result = false;
  const auto add = [&](Byte &byte) {
    if (access.write) {
      result |= isOther(byte.reader) || isOther(byte.readerBefore);
      byte.writer = item;
    } else if (byte.writer != item) {
      result |= isOther(byte.writer);
      if (byte.reader != item)
        byte.readerBefore = std::exchange(byte.reader, item);
    }
  };
  const uint64_t end = access.address + access.size;
  for (uint64_t at = access.address; at < end;) {
    Bytes::Page &page = bytes_.findOrAdd(0, Bytes::pageOf(at));
    const uint64_t first = Bytes::offsetOf(at);
    const uint64_t last = std::min(first + end - at, Bytes::kPageBytes);
    if (!page.bytes && (first | last) % Bytes::kWordBytes == 0)
      std::for_each(page.words.begin() + first / Bytes::kWordBytes,
                    page.words.begin() + last / Bytes::kWordBytes, add);
    else
      std::for_each(Bytes::split(page).begin() + first, Bytes::split(page).begin() + last, add);
    at += last - first;
  }
  return result;
}

} // namespace aiwc::plugin
