#include "advice/rules/rule.h"
#include "profile/local_memory.h"

#include <cmath>

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> bankConflicts(const ExaminedLaunch &launch) {
  constexpr int64_t kTwo = 2; // turns are no cost
  constexpr double kNone = 1.1;
  if (!std::isnan(launch.profile().real("bank_efficiency"_metric)) &&
      launch.demand().bankTurns < kNone)
    return std::nullopt; // whatever their usual distance, neighbours meet in no bank
  // The lanes that are so far apart are those of a row of work-items.
  const uint64_t inRow = launch.profile().provenance.localSize[0];
  const double rowItems = inRow > 1 ? static_cast<double>(inRow) : launch.demand().workGroupSize;
  std::vector<Weighed> places;
  std::vector<Weighed> others; // whose usual distance does not tell
  Change change{Change::Kind::kPadRows};
  for (const AccessRow &row : launch.accesses()) {
    if (row.space != MemorySpace::kLocal)
      continue;
    const int64_t turns = profile::bankTurns(row, rowItems);
    if (turns > kTwo) {
      std::vector<std::string> &padded = change.arrays;
      if (std::ranges::find(padded, row.array) == padded.end())
        padded.push_back(row.array);
      places.push_back(
          {static_cast<double>(row.bytes) * static_cast<double>(turns),
           {row.line,
            fmt::format("{}: neighbours are {} apart, {} of them in one "
                        "bank",
                        arrayOf(row),
                        plural(static_cast<double>(std::abs(*row.laneStride)), "byte"), turns)}});
    } else if (row.laneStride != 0) {
      others.push_back({static_cast<double>(row.bytes),
                        {row.line, fmt::format("{}: {} of local memory", arrayOf(row),
                                               text::formatBytes(row.bytes))}});
    }
  }
  const bool byDistance = !places.empty();
  if (!byDistance && (launch.demand().bankTurns <= kTwo || others.empty()))
    return std::nullopt;
  Finding finding;
  finding.problem = fmt::format("On a GPU with 32 banks, accesses to local memory take {:.1f} "
                                "times as long as without conflicts.",
                                launch.demand().bankTurns);
  finding.remedy = byDistance
                       ? "Make rows of local arrays one element longer, so that the elements "
                         "of a column lie in different banks."
                       : "Let neighbouring work-items access neighbouring elements in each "
                         "step, such as those of a sum that adds the second half of the "
                         "array to the first, or make rows one element longer.";
  finding.evidence = heaviest(std::move(byDistance ? places : others));
  if (byDistance)
    finding.change = std::move(change);
  finding.gains =
      launch.gainsIf([](LaunchDemand &changed, const DeviceProfile &) { changed.bankTurns = 1; });
  ExaminedLaunch::allLikely(finding.gains); // rows are padded
  return gainless(std::move(finding));
}

} // namespace

const Definition kBankConflicts = {
    RuleInfo{Rule::kBankConflicts, "bank-conflicts", "Bank conflicts",
             "Neighbouring work-items access local memory in the same one of 32 banks of four "
             "bytes."},
    bankConflicts};

} // namespace aiwc::advice::rule
