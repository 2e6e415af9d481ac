#include "eod/common/application.h"
#include "eod/common/parameters.h"
#include "eod/common/session.h"
#include "eod/tdm/tdm_reference.h"
#include "tdm_cl.h"

#include <fmt/format.h>

#include <algorithm>

namespace aiwc::eod {
namespace {

constexpr uint32_t kMostEvents = 1 << 30;
/// Ages have a byte, and one value stands for all that is too old.
constexpr uint32_t kLongestInterval = 254;
constexpr uint32_t kMostCandidates = 1 << 20;

/// An episode as the kernels have it: the first type in the lowest byte.
cl_uint packed(const tdm::Episode &episode) {
  cl_uint bits = 0;
  for (size_t i = episode.size(); i-- > 0;)
    bits = bits << 8 | episode[i];
  return bits;
}

tdm::Episode unpacked(cl_uint bits, uint32_t length) {
  tdm::Episode episode;
  for (uint32_t i = 0; i < length; ++i)
    episode.push_back(static_cast<uint8_t>(bits >> (8 * i)));
  return episode;
}

class Tdm : public Application {
public:
  const Description &description() const override { return description_; }

  void addOptions(Parameters &parameters) override {
    parameters.add("-n,--events", events_, "events of the stream").excludesSize();
    parameters.add("--types", types_, "different events").showDefault();
    parameters.add("--length", length_, "of the longest episodes").showDefault();
    parameters.add("--interval", interval_, "time between two events of an episode, at most")
        .showDefault();
    parameters
        .add("--threshold", threshold_, "occurrences of a frequent episode, per thousand events")
        .showDefault();
    parameters.add("--segment", segment_, "events of a segment").showDefault();
    parameters.add("--candidates", capacity_, "of a length, at most").showDefault();
  }

  void selectSize(Size size) override {
    constexpr std::array<uint32_t, 4> kEvents{20'000, 50'000, 200'000, 1'000'000};
    events_ = kEvents[static_cast<size_t>(size)];
  }

  void checkParameters() const override {
    expect("--events", events_, 1, kMostEvents);
    expect("--types", types_, 1, tdm::kMostTypes);
    expect("--length", length_, 1, tdm::kLongest);
    expect("--interval", interval_, 0, kLongestInterval);
    expect("--threshold", threshold_, 1, 1000);
    expect("--segment", segment_, 1, kMostEvents);
    expect("--candidates", capacity_, types_, kMostCandidates);
    if (segments() * capacity_ > UINT32_MAX)
      throw UsageError(fmt::format("--segment {}: expected at least {} for so many events",
                                   segment_, uint64_t{events_} * capacity_ / UINT32_MAX + 1));
  }

  std::string parameter() const override { return fmt::format("{}", events_); }

  std::string settings() const override {
    return fmt::format("{} types, episodes of 1 to {} events, at most {} apart, {} per thousand "
                       "(--types, --length, --interval, --threshold); segments of {} (--segment)",
                       types_, length_, interval_, threshold_, segment_);
  }

  std::vector<Allocation> allocations(size_t) const override {
    const uint64_t perCandidate = uint64_t{capacity_} * sizeof(cl_uint);
    return {{"events", events_, CL_MEM_READ_ONLY},
            {"candidates", perCandidate, CL_MEM_READ_ONLY},
            {"counts", segments() * perCandidate},
            {"ages", segments() * perCandidate},
            {"totals", perCandidate},
            {"frequent", perCandidate, CL_MEM_WRITE_ONLY},
            {"frequentCounts", perCandidate, CL_MEM_WRITE_ONLY},
            {"found", sizeof(cl_uint), CL_MEM_WRITE_ONLY}};
  }

  WorkGroup workGroup(size_t localSize) const override {
    return {localSize, std::max(kTile, localSize * sizeof(cl_uint))};
  }

  std::string buildOptions(size_t) const override {
    return fmt::format("-DTILE={} -DLONGEST={}", kTile, std::max(length_, 2u));
  }

  void setUp(Session &, uint64_t seed) override {
    stream_ = tdm::eventStream(events_, types_, seed);
    found_.clear();
  }

  void run(Session &session) override {
    session.write("events", stream_);
    found_.clear();
    std::vector<tdm::Episode> candidates;
    for (uint32_t type = 0; type < types_; ++type)
      candidates.push_back({static_cast<uint8_t>(type)});
    for (uint32_t length = 1; length <= length_ && !candidates.empty(); ++length) {
      if (candidates.size() > capacity_)
        throw Error(fmt::format("{} candidates of length {}: expected at most {}, or a higher "
                                "--threshold, or more --candidates",
                                candidates.size(), length, capacity_));
      candidates = joined(count(session, candidates, length));
    }
  }

  Verdict verify(Session &) override { return tdm::checkFrequent(stream_, query(), found_); }

  std::string result() const override {
    std::string text;
    for (const tdm::Counted &one : found_)
      text += fmt::format("{} {}\n", tdm::name(one.episode), one.count);
    return text;
  }

private:
  /// Events in local memory at a time.
  static constexpr size_t kTile = 1024;

  static void expect(const char *option, uint32_t value, uint32_t low, uint32_t high) {
    if (value < low || value > high)
      throw UsageError(fmt::format("{} {}: expected {} to {}", option, value, low, high));
  }

  uint64_t segments() const { return roundUp(events_, segment_) / segment_; }

  tdm::Query query() const {
    const uint64_t count = (uint64_t{events_} * threshold_ + 999) / 1000;
    return {types_, length_, interval_, static_cast<uint32_t>(count)};
  }

  /// The frequent ones among the candidates, all of this length, in the same order.
  std::vector<tdm::Episode> count(Session &session, const std::vector<tdm::Episode> &candidates,
                                  cl_uint length) {
    const size_t localSize = session.localSize();
    const auto number = static_cast<cl_uint>(candidates.size());
    const size_t rounded = roundUp(number, localSize);
    const cl_uint capacity = capacity_, interval = interval_, events = events_, segment = segment_;
    const cl_mem episodes = session.buffer("candidates"), stream = session.buffer("events");
    const cl_mem counts = session.buffer("counts"), ages = session.buffer("ages");
    const cl_mem totals = session.buffer("totals");
    std::vector<cl_uint> bits;
    for (const tdm::Episode &episode : candidates)
      bits.push_back(packed(episode));
    session.write("candidates", bits);
    session.launch("countCandidates", {{rounded, segments()}, {localSize, 1}}, stream, events,
                   segment, episodes, number, capacity, length, interval, counts, ages);
    session.launch("joinSegments", {{rounded}, {localSize}}, stream, events, segment, episodes,
                   number, capacity, length, interval, counts, ages, totals);
    session.launch("writeCandidates", {{localSize}, {localSize}}, episodes, totals, number,
                   cl_uint{query().threshold}, session.buffer("frequent"),
                   session.buffer("frequentCounts"), session.buffer("found"),
                   LocalMemory{localSize * sizeof(cl_uint)});
    return readFrequent(session, length);
  }

  std::vector<tdm::Episode> readFrequent(Session &session, cl_uint length) {
    std::vector<cl_uint> found(1);
    session.read("found", found);
    if (found[0] > capacity_)
      throw Error(fmt::format("{} frequent episodes: expected at most {}", found[0], capacity_));
    if (found[0] == 0)
      return {};
    std::vector<cl_uint> bits(found[0]), occurrences(found[0]);
    session.read("frequent", bits);
    session.read("frequentCounts", occurrences);
    std::vector<tdm::Episode> frequent;
    for (size_t i = 0; i < bits.size(); ++i) {
      frequent.push_back(unpacked(bits[i], length));
      found_.push_back({frequent.back(), occurrences[i]});
    }
    return frequent;
  }

  /// The episodes, one longer, whose beginning and whose end are frequent. Those in between need
  /// not be: with a bound on the time between events only what is contiguous occurs as often.
  static std::vector<tdm::Episode> joined(const std::vector<tdm::Episode> &frequent) {
    std::vector<tdm::Episode> longer;
    for (const tdm::Episode &beginning : frequent)
      for (const tdm::Episode &end : frequent)
        if (std::equal(beginning.begin() + 1, beginning.end(), end.begin(), end.end() - 1)) {
          longer.push_back(beginning);
          longer.back().push_back(end.back());
        }
    return longer;
  }

  const Description description_{
      .name = "tdm",
      .dwarf = "finite state machine",
      .summary = "temporal data mining: frequent serial episodes in a stream of events",
      .source = kSource,
      .kernels = {"countCandidates", "joinSegments", "writeCandidates"},
      .localSizeMeaning = "work-items of a work-group, a candidate each",
      .localSizes = {1, 8, 16, 32, 48, 64, 128, 256},
      .defaultLocalSize = 32};
  uint32_t events_ = 0;
  uint32_t types_ = 16;
  uint32_t length_ = 3;
  uint32_t interval_ = 10;
  uint32_t threshold_ = 50;
  uint32_t segment_ = 5000;
  uint32_t capacity_ = 256;
  tdm::Events stream_;
  std::vector<tdm::Counted> found_;
};

} // namespace
} // namespace aiwc::eod

int main(int argc, char **argv) {
  aiwc::eod::Tdm application;
  return aiwc::eod::runApplication(application, argc, argv);
}
