#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> bankConflicts(const ExaminedLaunch &launch) {
  constexpr int64_t kBanks = 32;
  constexpr int64_t kBankBytes = 4;
  const int64_t lanes =
      std::clamp(static_cast<int64_t>(launch.demand().workGroupSize), int64_t{1}, kBanks);
  double bytes = 0;
  double serial = 0;
  std::vector<Weighed> places;
  Change change{Change::Kind::kPadRows};
  for (const AccessRow &row : launch.accesses()) {
    if (row.space != MemorySpace::kLocal)
      continue;
    const auto weight = static_cast<double>(row.bytes);
    bytes += weight;
    int64_t ways = 1;
    if (row.laneStride && *row.laneStride != 0 && *row.laneStride % kBankBytes == 0) {
      const int64_t usedBanks = kBanks / std::gcd(std::abs(*row.laneStride) / kBankBytes, kBanks);
      ways = (lanes + usedBanks - 1) / usedBanks;
    }
    // An element of several banks is read in several turns, whatever its stride.
    const auto words = std::max<int64_t>(
        1, static_cast<int64_t>(row.bytes / std::max<uint64_t>(1, row.accesses)) / kBankBytes);
    ways = std::max<int64_t>(1, ways / words);
    serial += weight * static_cast<double>(ways);
    if (ways > 2) {
      std::vector<std::string> &padded = change.arrays;
      if (std::ranges::find(padded, row.array) == padded.end())
        padded.push_back(row.array);
      places.push_back(
          {weight * static_cast<double>(ways),
           {row.line,
            fmt::format("{}: neighbours are {} apart, {} of them in one "
                        "bank",
                        arrayOf(row),
                        plural(static_cast<double>(std::abs(*row.laneStride)), "byte"), ways)}});
    }
  }
  if (places.empty())
    return std::nullopt;
  const double factor = serial / bytes;
  Finding finding;
  finding.rule = Rule::kBankConflicts;
  finding.problem = fmt::format("On a GPU with 32 banks, accesses to local memory take {:.1f} "
                                "times as long as without conflicts.",
                                factor);
  finding.remedy = "Make rows of local arrays one element longer, so that the elements of a "
                   "column lie in different banks.";
  finding.evidence = heaviest(std::move(places));
  finding.change = std::move(change);
  finding.gains = launch.gainsWithout([&](size_t device) {
    return predict::isGpu(launch.devices()[device])
               ? (factor - 1) * launch.partSeconds(device, "local_memory")
               : 0;
  });
  return gainless(std::move(finding));
}

} // namespace

const Definition kBankConflicts = {
    RuleInfo{Rule::kBankConflicts, "bank-conflicts", "Bank conflicts",
             "Neighbouring work-items access local memory in the same one of 32 banks of four "
             "bytes."},
    bankConflicts};

} // namespace aiwc::advice::rule
