#include "eod/tdm/tdm_reference.h"

#include "eod/common/random.h"

#include <fmt/format.h>

#include <algorithm>

namespace aiwc::eod::tdm {
namespace {

constexpr uint32_t kMostNoise = 2; ///< events between two of a planted episode
constexpr uint32_t kSpacings = 4;  ///< times between events are below
constexpr float kPlanting = 0.25f; ///< probability that an episode begins where none is under way
constexpr size_t kPlantedLength = 3;

/// The times of events that complete the beginnings of an occurrence, by the beginning's length.
using Beginnings = std::vector<std::vector<uint64_t>>;

/// Whether an event at `now` can follow one of them; forgets those that nothing can follow any
/// more.
bool follows(std::vector<uint64_t> &times, uint64_t now, uint32_t interval) {
  std::erase_if(times, [&](uint64_t time) { return now - time > interval; });
  return !times.empty();
}

} // namespace

std::array<Episode, 2> plantedEpisodes(uint32_t types, uint64_t seed) {
  Random random(~seed);
  std::array<Episode, 2> planted;
  Episode used;
  for (Episode &episode : planted)
    while (episode.size() < kPlantedLength) {
      const auto type = static_cast<uint8_t>(random.below(types));
      const bool fresh = std::ranges::find(used, type) == used.end();
      if (!fresh && types >= planted.size() * kPlantedLength)
        continue;
      used.push_back(type);
      episode.push_back(type);
    }
  return planted;
}

Events eventStream(uint32_t events, uint32_t types, uint64_t seed) {
  const std::array<Episode, 2> planted = plantedEpisodes(types, seed);
  Random random(seed);
  Events stream;
  stream.reserve(events);
  const Episode *current = nullptr;
  size_t next = 0;
  uint32_t noise = 0; // since the last event of the current episode
  while (stream.size() < events) {
    if (!current && random.uniform() < kPlanting) {
      current = &planted[random.below(planted.size())];
      next = 0;
      noise = 0;
    }
    uint32_t type = 0;
    if (current && (noise == kMostNoise || random.below(2))) {
      type = (*current)[next++];
      noise = 0;
      if (next == current->size())
        current = nullptr;
    } else {
      type = random.below(types);
      ++noise;
    }
    stream.push_back(static_cast<uint8_t>(type | random.below(kSpacings) << kTypeBits));
  }
  return stream;
}

uint32_t occurrences(const Events &events, const Episode &episode, uint32_t interval) {
  Beginnings beginnings(episode.size());
  uint64_t now = 0;
  uint32_t count = 0;
  for (uint8_t event : events) {
    now += event >> kTypeBits;
    for (size_t k = episode.size(); k-- > 0;) {
      if (event % kMostTypes != episode[k])
        continue;
      if (k > 0 && !follows(beginnings[k - 1], now, interval))
        continue;
      if (k + 1 == episode.size()) {
        ++count;
        beginnings.assign(episode.size(), {});
        break;
      }
      beginnings[k].push_back(now);
    }
  }
  return count;
}

std::vector<Counted> frequentEpisodes(const Events &events, const Query &query) {
  std::vector<Counted> all;
  std::vector<Episode> shorter{{}};
  std::vector<uint8_t> types(query.types);
  for (uint32_t type = 0; type < query.types; ++type)
    types[type] = static_cast<uint8_t>(type);
  for (uint32_t length = 1; length <= query.length; ++length) {
    std::vector<Episode> frequent;
    for (const Episode &beginning : shorter)
      for (uint8_t type : types) {
        Episode episode = beginning;
        episode.push_back(type);
        const uint32_t count = occurrences(events, episode, query.interval);
        if (count < query.threshold)
          continue;
        all.push_back({episode, count});
        frequent.push_back(std::move(episode));
      }
    if (length == 1) {
      types.clear();
      for (const Episode &episode : frequent)
        types.push_back(episode[0]);
    }
    shorter = std::move(frequent);
  }
  return all;
}

Verdict checkFrequent(const Events &events, const Query &query, const std::vector<Counted> &found) {
  const std::vector<Counted> expected = frequentEpisodes(events, query);
  for (size_t i = 0; i < std::min(found.size(), expected.size()); ++i)
    if (found[i] != expected[i])
      return {false, fmt::format("frequent episode {} is {}, {} times, instead of {}, {} times", i,
                                 name(found[i].episode), found[i].count, name(expected[i].episode),
                                 expected[i].count)};
  if (found.size() != expected.size())
    return {false,
            fmt::format("{} frequent episodes instead of {}", found.size(), expected.size())};
  std::string longest = "none";
  if (!expected.empty())
    longest = fmt::format("{}, {} times", name(expected.back().episode), expected.back().count);
  return {true, fmt::format("{} episodes with {} or more occurrences, exactly those of a serial "
                            "automaton; the last one {}",
                            expected.size(), query.threshold, longest)};
}

std::string name(const Episode &episode) {
  std::string text;
  for (uint8_t type : episode) {
    text += text.empty() ? "" : "-";
    text += type < 26 ? std::string(1, static_cast<char>('A' + type)) : fmt::format("#{}", type);
  }
  return text;
}

} // namespace aiwc::eod::tdm
