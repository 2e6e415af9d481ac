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
  words_.clear();
  next_.beginGroup(program, group);
}

void WarpRaces::consume(const trace::Chunk &chunk) {
  for (const trace::Run &run : chunk.runs) {
    if (!*stores_ || line_ || accesses_ >= kMostAccesses)
      break;
    if (run.item != trace::Run::kWorkGroup)
      look(chunk, run);
  }
  if (chunk.end != trace::ChunkEnd::kFull)
    words_.clear();
  next_.consume(chunk);
}

void WarpRaces::endGroup() {
  next_.endGroup();
}

void WarpRaces::look(const trace::Chunk &chunk, const trace::Run &run) {
  uint32_t begin = run.accessBegin;
  for (uint32_t i = run.eventBegin; i < run.eventEnd; ++i) {
    const trace::BlockEvent &event = chunk.events[i];
    for (const trace::Access &access : chunk.accesses.subspan(begin, event.accessEnd - begin))
      if (access.addressSpace() == trace::AddressSpace::kLocal && !access.atomic &&
          isRace(access, run.item)) {
        const trace::Block &block = chunk.program.blocks[index(event.block)];
        line_ = chunk.program.operations[index(block.firstOp) + access.opOffset].line;
        return;
      }
    begin = event.accessEnd;
  }
}

/// Notes the access as well.
bool WarpRaces::isRace(const trace::Access &access, uint32_t item) {
  ++accesses_;
  const auto isOther = [&](uint32_t one) {
    return one != kNobody && one != item && one / warp_ == item / warp_;
  };
  bool result = false;
  for (uint64_t at = access.address, end = at + access.size; at < end;) {
    std::array<Byte, kWord> &word = words_[at / kWord];
    do {
      Byte &byte = word[at % kWord];
      if (access.write) {
        result |= isOther(byte.reader) || isOther(byte.readerBefore);
        byte.writer = item;
      } else {
        result |= isOther(byte.writer);
        if (byte.reader != item)
          byte.readerBefore = std::exchange(byte.reader, item);
      }
    } while (++at < end && at % kWord != 0);
  }
  return result;
}

} // namespace aiwc::plugin
