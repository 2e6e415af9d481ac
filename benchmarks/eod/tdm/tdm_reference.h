#pragma once

#include "eod/common/application.h"

#include <array>
#include <cstdint>
#include <vector>

namespace aiwc::eod::tdm {

/// The types of events that follow each other.
using Episode = std::vector<uint8_t>;

inline constexpr uint32_t kLongest = 4; ///< types of an episode
inline constexpr uint32_t kTypeBits = 5;
inline constexpr uint32_t kMostTypes = 1 << kTypeBits;

/// Bytes: the type in the lower kTypeBits, above them the time since the event before.
using Events = std::vector<uint8_t>;

/// The episodes that eventStream() plants; with less than six types they share some.
std::array<Episode, 2> plantedEpisodes(uint32_t types, uint64_t seed);

/// Noise with all types equally often, 0 to 3 units of time between events, and the planted
/// episodes scattered over it, at most nine units between their events: each makes up three of
/// about twenty events.
Events eventStream(uint32_t events, uint32_t types, uint64_t seed);

/// The number of non-overlapped occurrences with at most `interval` between successive events: the
/// largest possible one, found by taking the occurrence that ends first, again and again. An
/// automaton that keeps the times of all events that complete a beginning (Patnaik, Sastry,
/// Unnikrishnan: Inferring neuronal network connectivity from spike data, Scientific Programming
/// 2008), where the device keeps one.
uint32_t occurrences(const Events &events, const Episode &episode, uint32_t interval);

struct Counted {
  Episode episode;
  uint32_t count;
  bool operator==(const Counted &) const = default;
};

/// The search parameters: episodes of 1 to `length` types, with at least `threshold` occurrences.
struct Query {
  uint32_t types;
  uint32_t length;
  uint32_t interval;
  uint32_t threshold;
};

/// All frequent episodes, by length and then by types. Extends every frequent episode by every
/// frequent type: more candidates than need to be counted, so that what is left out of them on the
/// device is checked, too.
std::vector<Counted> frequentEpisodes(const Events &events, const Query &query);

/// Whether `found` is exactly the same.
Verdict checkFrequent(const Events &events, const Query &query, const std::vector<Counted> &found);

/// "A-C-B" for the types 0, 2, 1; beyond 26 types "#26".
std::string name(const Episode &episode);

} // namespace aiwc::eod::tdm
