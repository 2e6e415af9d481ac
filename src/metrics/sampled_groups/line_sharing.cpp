#include "metrics/sampled_groups/line_sharing.h"

#include "metrics/shared/reuse_lines.h"

#include <algorithm>
#include <bit>

namespace aiwc::metrics {

namespace {

constexpr uint64_t kNoLine = UINT64_MAX;

} // namespace

LineSharing::LineSharing(uint32_t lineBytes)
    : lineShift_(static_cast<unsigned>(std::countr_zero(lineBytes))),
      recent_(size_t{1} << kRecentBits, kNoLine) {}

void LineSharing::beginGroup(uint64_t rank) {
  rank_ = rank;
  std::ranges::fill(recent_, kNoLine);
}

void LineSharing::consume(const trace::Chunk &chunk) {
  for (const trace::Access &access : chunk.accesses)
    forEachReuseLine(access, lineShift_, [this](uint64_t line) { touch(line); });
}

void LineSharing::touch(uint64_t line) {
  uint64_t &recent = recent_[line * 0x9E3779B97F4A7C15U >> (64 - kRecentBits)];
  if (recent == line)
    return;
  recent = line;
  const auto [entry, isNew] = users_.try_emplace(line, rank_);
  if (entry->second != rank_)
    entry->second = kSeveral;
}

void LineSharing::merge(const LineSharing &other) {
  for (const auto &[line, user] : other.users_) {
    const auto [entry, isNew] = users_.try_emplace(line, user);
    if (!isNew)
      entry->second = kSeveral;
  }
}

LineSharing::Lines LineSharing::lines() const {
  Lines lines;
  lines.all = users_.size();
  for (const auto &[line, user] : users_)
    lines.ofOneGroup += user != kSeveral;
  return lines;
}

} // namespace aiwc::metrics
