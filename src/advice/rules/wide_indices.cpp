#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

// Instructions that 64-bit operations take on a GPU beyond those of 32 bits, as counted in the code
// that LLVM 14 makes for AMD's gfx803, gfx906 and gfx1030. Compilers that test whether both
// operands of a division fit into 32 bits take a tenth of that.
constexpr double kMoreOfProduct = 3, kMoreOfDivision = 10;

std::optional<Finding> wideIndices(const ExaminedLaunch &launch) {
  const double products = launch.sumOverLines(&LineRow::wideIndexProducts);
  const double divisions = launch.sumOverLines(&LineRow::wideIndexDivisions);
  const LaunchDemand &demand = launch.demand();
  const double more = kMoreOfProduct * products + kMoreOfDivision * divisions;
  const auto isLong = [&](const DeviceProfile &device) {
    if (!predict::isGpu(device))
      return false;             // it has registers of 64 bits
    LaunchDemand wide = demand; // as operations of 32 bits, which the model counts
    withInstructions(wide, more);
    wide.integerOperations = demand.integerOperations + more / predict::hardware::kPerInteger;
    return launch.model().cost(wide, device).seconds >
           kLeastGain * launch.model().cost(demand, device).seconds;
  };
  if (std::ranges::none_of(launch.devices(), isLong))
    return std::nullopt;
  Finding finding;
  finding.isCosted = false; // what a division takes depends on the compiler
  const auto both = [](double divided, double multiplied) {
    std::string text;
    if (divided > 0)
      text = plural(divided, "division");
    if (multiplied > 0)
      text += (text.empty() ? "" : " and ") + plural(multiplied, "product");
    return text;
  };
  const double workItems = demand.workItems;
  finding.problem = fmt::format(
      "Each work-item computes indices with {} of 64 bits. A GPU has instructions of 32 bits: it "
      "takes four of them for such a product, and more than a hundred for such a division, or some "
      "ten more than in 32 bits if the compiler tests that both operands fit.",
      both(divisions / workItems, products / workItems));
  finding.remedy =
      "Declare indices, loop counters and widths as int instead of size_t or long, and "
      "cast work-item ids to int before you divide or multiply them, if no array has "
      "2^31 elements or more.";
  std::vector<Weighed> places;
  for (const LineRow &row : launch.profile().histograms.lines) {
    const auto divided = static_cast<double>(row.wideIndexDivisions);
    const auto multiplied = static_cast<double>(row.wideIndexProducts);
    if (row.line > 0 && divided + multiplied > 0) {
      places.push_back(
          {kMoreOfDivision * divided + kMoreOfProduct * multiplied,
           {row.line, fmt::format("{} of 64 bits for each work-item",
                                  both(divided / workItems, multiplied / workItems))}});
      finding.change.lines.push_back(row.line);
    }
  }
  finding.evidence = heaviest(std::move(places));
  finding.change.kind = Change::Kind::kNarrowIndices;
  return finding;
}

} // namespace

const Definition kWideIndices = {
    RuleInfo{
        Rule::kWideIndices, "wide-indices", "Indices of 64 bits",
        "On a GPU, 64-bit products and divisions that compute indices, for which 32 bits would "
        "do, are likely to take 5 % of the time or more."},
    wideIndices};

} // namespace aiwc::advice::rule
