// Counts serial episodes in a stream of events: an occurrence of the episode A, B, C is an event A,
// a later event B at most `interval` after it, and a later event C at most `interval` after that.
// The count is that of non-overlapped occurrences: each begins behind the end of the one before.
//
// An event is a byte: its type in the lower 5 bits, above them the time since the event before.
// An episode is a uint, its first type in the lowest byte. `length` is that of all candidates, at
// most LONGEST, which is 2 to 4. TILE is the number of events in local memory at a time.

#define TYPE_BITS 5

// The automaton of an episode: for each of its types but the last, when the most recent event was
// that completes the episode up to there. More is not needed: as there is no lower bound on the
// time between two events, whatever an older one could continue to, the most recent one can.
typedef struct {
  uint times[LONGEST - 1];
} Automaton;

// Automata pass from one segment of the stream to the next as ages, a byte each, of which
// interval + 1 stands for all that is too old to be continued.
static Automaton unpack(uint ages) {
  Automaton automaton; // at time 0; differences of times are what counts, so they may wrap around
#pragma unroll
  for (uint k = 0; k + 1 < LONGEST; ++k)
    automaton.times[k] = -(ages >> (8 * k) & 255);
  return automaton;
}

static uint pack(const Automaton *automaton, uint now, uint interval) {
  uint ages = 0;
#pragma unroll
  for (uint k = 0; k + 1 < LONGEST; ++k)
    ages |= min(now - automaton->times[k], interval + 1) << (8 * k);
  return ages;
}

// The ages of an automaton that has seen nothing.
static uint nothing_seen(uint interval) {
  return (interval + 1) * (1 + (1 << 8) + (1 << 16)) & ((1u << (8 * (LONGEST - 1))) - 1);
}

// The episode, and behind its last type what no event has.
static uint padded(uint episode, uint length) {
  return length < 4 ? episode | 0xffffffffu << (8 * length) : episode;
}

// A bit for each type of the episode: most events have none of them and leave the automaton alone.
static uint types_of(uint episode, uint length) {
  uint types = 0;
  for (uint k = 0; k < length; ++k)
    types |= 1u << (episode >> (8 * k) & 255);
  return types;
}

// Takes an event; whether it completes an occurrence. The last type comes first, so that an event
// has one place in an occurrence.
static bool advance(Automaton *automaton, uint episode, uint length, uint type, uint now,
                    uint interval) {
#pragma unroll
  for (uint k = LONGEST; k-- > 0;) {
    if (type != (episode >> (8 * k) & 255))
      continue;
    if (k > 0 && now - automaton->times[max(k, 1u) - 1] > interval)
      continue;
    if (k == length - 1) {
#pragma unroll
      for (uint i = 0; i + 1 < LONGEST; ++i)
        automaton->times[i] = now - interval - 1;
      return true;
    }
    automaton->times[min(k, LONGEST - 2u)] = now;
  }
  return false;
}

// Counts in each segment of the stream as if it were the whole stream. A work-item has a candidate
// (dimension 0 of the NDRange, rounded up to whole work-groups) and a segment (dimension 1); a
// work-group reads its segment through local memory. For candidate c and segment s, element
// s * capacity + c: the count, and the ages of the automaton behind the segment's last event.
kernel void countCandidates(const global uchar *restrict events, const uint event_count,
                            const uint segment_length, const global uint *restrict candidates,
                            const uint candidate_count, const uint capacity, const uint length,
                            const uint interval, global uint *restrict counts,
                            global uint *restrict ages) {
  local uchar tile[TILE];
  const size_t lane = get_local_id(0);
  const size_t lanes = get_local_size(0);
  const size_t candidate = get_global_id(0);
  const size_t segment = get_group_id(1);
  const uint begin = segment * segment_length;
  const uint end = begin + min(segment_length, event_count - begin);
  // Work-items beyond the last candidate stay for the barriers.
  const bool needed = candidate < candidate_count;
  const uint episode = needed ? padded(candidates[candidate], length) : 0;
  const uint types = needed ? types_of(episode, length) : 0;

  Automaton automaton = unpack(nothing_seen(interval));
  uint now = 0;
  uint count = 0;
  for (uint first = begin; first < end; first += TILE) {
    const uint width = min((uint)TILE, end - first);
    for (size_t i = lane; i < width; i += lanes)
      tile[i] = events[first + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; needed && i < width; ++i) {
      const uint event = tile[i];
      const uint type = event & ((1 << TYPE_BITS) - 1);
      now += event >> TYPE_BITS;
      if ((types >> type & 1) && advance(&automaton, episode, length, type, now, interval))
        ++count;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  if (needed) {
    counts[segment * capacity + candidate] = count;
    ages[segment * capacity + candidate] = pack(&automaton, now, interval);
  }
}

// Puts the segments together, exactly: a work-item per candidate. Where the automaton comes into a
// segment having seen something, it is run again beside one that has seen nothing, until they are
// the same, which they soon are, as nothing older than `interval` matters: from there on
// countCandidates has done the rest.
kernel void joinSegments(const global uchar *restrict events, const uint event_count,
                         const uint segment_length, const global uint *restrict candidates,
                         const uint candidate_count, const uint capacity, const uint length,
                         const uint interval, const global uint *restrict counts,
                         const global uint *restrict ages, global uint *restrict totals) {
  const size_t candidate = get_global_id(0);
  if (candidate >= candidate_count)
    return;
  const uint episode = padded(candidates[candidate], length);
  const uint nothing = nothing_seen(interval);
  uint total = 0;
  uint carried = nothing;
  size_t element = candidate;
  for (uint begin = 0; begin < event_count; element += capacity) {
    const uint end = begin + min(segment_length, event_count - begin);
    Automaton real = unpack(carried);
    Automaton fresh = unpack(nothing);
    uint now = 0;
    uint real_ages = carried;
    uint fresh_ages = nothing;
    total += counts[element];
    for (uint i = begin; i < end && real_ages != fresh_ages; ++i) {
      const uint event = events[i];
      const uint type = event & ((1 << TYPE_BITS) - 1);
      now += event >> TYPE_BITS;
      if (advance(&real, episode, length, type, now, interval))
        ++total;
      if (advance(&fresh, episode, length, type, now, interval))
        --total;
      real_ages = pack(&real, now, interval);
      fresh_ages = pack(&fresh, now, interval);
    }
    carried = real_ages == fresh_ages ? ages[element] : real_ages;
    begin = end;
  }
  totals[candidate] = total;
}

// Writes the candidates with at least `threshold` occurrences, and their counts, one behind the
// other in the order of the candidates, and their number to found[0]. One work-group; `positions`
// has a number per work-item.
kernel void writeCandidates(const global uint *restrict candidates,
                            const global uint *restrict totals, const uint candidate_count,
                            const uint threshold, global uint *restrict frequent,
                            global uint *restrict frequent_counts, global uint *restrict found,
                            local uint *restrict positions) {
  const size_t lane = get_local_id(0);
  const size_t lanes = get_local_size(0);
  uint written = 0;
  for (uint first = 0; first < candidate_count; first += lanes) {
    const size_t candidate = first + lane;
    const uint total = candidate < candidate_count ? totals[candidate] : 0;
    const bool wanted = candidate < candidate_count && total >= threshold;
    // How many are wanted up to and including each work-item's: in every step, those of twice as
    // many work-items.
    positions[lane] = wanted;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t distance = 1; distance < lanes; distance *= 2) {
      const uint before = lane >= distance ? positions[lane - distance] : 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      positions[lane] += before;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (wanted) {
      frequent[written + positions[lane] - 1] = candidates[candidate];
      frequent_counts[written + positions[lane] - 1] = total;
    }
    written += positions[lanes - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0)
    found[0] = written;
}
