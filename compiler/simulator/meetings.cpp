#include "simulator/meetings.h"

#include "decoding/builtins.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <set>

namespace aiwc::simulator {
namespace {

using Set = std::bitset<kMostLanes>; // of lanes of one sub-group

/// Lanes of the sub-groups that the call is for: warps of the device's size, or of 32 lanes.
uint32_t sizeOf(const Meeting &meeting) {
  return std::clamp<uint32_t>(meeting.lanes, 1, kMostLanes);
}

/// Whether lanes that wait at these calls take part in the same exchange.
bool isSame(const Meeting &a, const Meeting &b) {
  return a.exchange == b.exchange && a.mask == b.mask && sizeOf(a) == sizeOf(b) &&
         (a.exchange != Exchange::kMultiply || (a.value == b.value && a.argument == b.argument));
}

bool isWaiting(const Lane &lane) {
  return lane.waits && !lane.hasMet;
}

/// The lane that `lane` reads from; may be one that is not there.
uint32_t sourceOf(const Meeting &meeting, uint32_t lane) {
  const uint32_t inSegment = lane & (meeting.width - 1);
  const uint32_t segment = lane - inSegment;
  switch (meeting.exchange) {
  case Exchange::kIndex:
    return segment + (meeting.argument & (meeting.width - 1));
  case Exchange::kUp:
    return inSegment < meeting.argument ? lane : lane - meeting.argument;
  case Exchange::kDown:
    return meeting.argument >= meeting.width - inSegment ? lane : lane + meeting.argument;
  default: { // a later segment's value is not read
    const uint32_t source = lane ^ meeting.argument;
    return source >= segment + meeting.width ? lane : source;
  }
  }
}

uint32_t combined(Exchange exchange, uint32_t a, uint32_t b) {
  const auto x = static_cast<int32_t>(a);
  const auto y = static_cast<int32_t>(b);
  switch (exchange) {
  case Exchange::kMinSigned:
    return x < y ? a : b;
  case Exchange::kMinUnsigned:
    return std::min(a, b);
  case Exchange::kMaxSigned:
    return x < y ? b : a;
  case Exchange::kMaxUnsigned:
    return std::max(a, b);
  case Exchange::kAnd:
    return a & b;
  case Exchange::kOr:
    return a | b;
  case Exchange::kXorAll:
    return a ^ b;
  default:
    return a + b;
  }
}

bool isInMask(const Meeting &meeting, uint32_t lane) {
  return meeting.mask == 0 || (lane < 32 && (meeting.mask >> lane & 1) != 0);
}

/// What `lane` gets from those of `set`, to which it belongs.
uint32_t resultOf(std::span<const Lane> lanes, const Set &set, uint32_t lane) {
  const Meeting &own = lanes[lane].meeting;
  switch (own.exchange) {
  case Exchange::kBarrier:
  case Exchange::kMultiply:
    return 0;
  case Exchange::kIndex:
  case Exchange::kUp:
  case Exchange::kDown:
  case Exchange::kXor: {
    const uint32_t source = sourceOf(own, lane);
    return source < lanes.size() && set[source] ? lanes[source].meeting.value : own.value;
  }
  default:
    break;
  }
  const bool isMatch = own.exchange == Exchange::kMatch;
  if (isMatch || own.exchange == Exchange::kBallot) {
    const uint32_t first = 32 * own.argument;
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 32 && first + i < lanes.size(); ++i) {
      const uint32_t value = lanes[first + i].meeting.value;
      if (set[first + i] && isInMask(own, first + i) && (isMatch ? value == own.value : value != 0))
        bits |= 1U << i;
    }
    return bits;
  }
  uint32_t result = own.value;
  bool isFirst = true;
  for (uint32_t i = 0; i < lanes.size(); ++i)
    if (set[i] && isInMask(own, i)) {
      result =
          isFirst ? lanes[i].meeting.value : combined(own.exchange, result, lanes[i].meeting.value);
      isFirst = false;
    }
  return result;
}

void multiplyAmong(std::span<Lane> lanes, const Set &set, const Meeting &call) {
  std::array<Fragments *, 32> fragments{};
  for (uint32_t i = 0; i < lanes.size(); ++i)
    if (set[i])
      fragments.at(i) = lanes[i].fragments;
  if (call.argument / 2 == decoding::kSpreadFunction)
    return spread(static_cast<decoding::Spread>(call.value), fragments);
  multiply(decoding::MatrixProduct::of(call.value), static_cast<SumType>(call.argument / 2),
           call.argument % 2 != 0, fragments);
}

void exchangeAmong(std::span<Lane> lanes, const Set &set) {
  if (const size_t first = set._Find_first();
      first < lanes.size() && lanes[first].meeting.exchange == Exchange::kMultiply)
    multiplyAmong(lanes, set, lanes[first].meeting);
  for (uint32_t i = 0; i < lanes.size(); ++i)
    if (set[i]) {
      lanes[i].result = resultOf(lanes, set, i);
      lanes[i].hasMet = true;
    }
}

template <typename Belongs> Set setOf(std::span<const Lane> lanes, Belongs belongs) {
  Set set;
  for (size_t i = 0; i < lanes.size(); ++i)
    set[i] = isWaiting(lanes[i]) && belongs(lanes[i].meeting);
  return set;
}

/// At calls for sub-groups of `size` lanes, of which `lanes` are one.
void meetInSubGroup(std::span<Lane> lanes, uint32_t size) {
  bool anyMet = false;
  for (const Lane &lane : lanes) {
    if (!isWaiting(lane) || lane.meeting.mask == 0 || sizeOf(lane.meeting) != size)
      continue;
    const Meeting &meeting = lane.meeting;
    const Set set = setOf(lanes, [&](const Meeting &other) { return isSame(meeting, other); });
    bool isComplete = true;
    for (uint32_t i = 0; i < lanes.size() && isComplete; ++i)
      isComplete = set[i] || lanes[i].hasFinished || !isInMask(meeting, i);
    if (isComplete)
      exchangeAmong(lanes, set);
    anyMet |= isComplete;
  }
  const Lane *first = nullptr;
  for (const Lane &lane : lanes)
    if (lane.waits && (!first || lane.meeting.place < first->meeting.place))
      first = &lane;
  if (anyMet || !first || first->hasMet || sizeOf(first->meeting) != size)
    return;
  const Meeting &meeting = first->meeting;
  exchangeAmong(lanes, setOf(lanes, [&](const Meeting &other) {
                  return other.place == meeting.place && isSame(other, meeting);
                }));
}

} // namespace

bool meet(std::span<Lane> group) {
  const auto hasMet = [](const Lane &lane) { return lane.hasMet; };
  if (std::ranges::none_of(group, hasMet)) {
    std::set<uint32_t> sizes;
    for (const Lane &lane : group)
      if (isWaiting(lane))
        sizes.insert(sizeOf(lane.meeting));
    if (sizes.empty())
      return false;
    for (const uint32_t size : sizes)
      for (size_t i = 0; i < group.size(); i += size)
        meetInSubGroup(group.subspan(i, std::min<size_t>(size, group.size() - i)), size);
  }
  uint32_t place = UINT32_MAX;
  for (const Lane &lane : group)
    if (lane.hasMet)
      place = std::min(place, lane.meeting.place);
  for (Lane &lane : group)
    lane.goesOn = lane.hasMet && lane.meeting.place == place;
  return true;
}

bool meetTogether(const Meeting &call, std::span<const uint32_t> values,
                  std::span<const uint32_t> arguments, std::span<const uint32_t> masks,
                  std::span<uint32_t> results) {
  const uint32_t all = masks.front();
  if ((all != 0 && (all != UINT32_MAX || call.lanes > 32)) ||
      std::ranges::any_of(masks, [all](uint32_t mask) { return mask != all; }))
    return false;
  if (call.exchange == Exchange::kBarrier)
    return true;
  if (call.exchange < Exchange::kIndex || call.exchange > Exchange::kXor)
    return false;
  Meeting own = call;
  for (size_t first = 0; first < values.size(); first += call.lanes)
    for (size_t i = first; i < std::min(values.size(), first + call.lanes); ++i) {
      own.argument = arguments[i];
      const size_t source = first + sourceOf(own, static_cast<uint32_t>(i - first));
      const bool isThere = source < std::min(values.size(), first + call.lanes);
      results[i] = values[isThere ? source : i];
    }
  return true;
}

} // namespace aiwc::simulator
