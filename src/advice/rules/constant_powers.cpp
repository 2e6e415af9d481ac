#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

// Instructions that a power takes beyond a product: those of pow (compiler/decoding/builtins.cpp).
// NVIDIA's compiler keeps powf(x, 2.0f), 130 instructions of PTX (CUDA 13.0), and PoCL 3.1 takes
// 350 times as long for it as for x * x. LLVM's for AMD replaces squares, and with
// -cl-fast-relaxed-math the other powers (AMDGPULibCalls.cpp).
constexpr double kOfFloat = 40, kOfDouble = 100;

std::optional<Finding> constantPowers(const ExaminedLaunch &launch) {
  const LaunchDemand &demand = launch.demand();
  const double powers = launch.sumOverLines(&LineRow::constantPowers);
  constexpr double kNotable = 0.01;
  if (powers == 0 || powers < kNotable * demand.instructions || demand.specialInstructions == 0)
    return std::nullopt;
  Finding finding;
  const bool isDouble = 2 * demand.doubleSpecialInstructions > demand.specialInstructions;
  const double each = isDouble ? kOfDouble : kOfFloat;
  finding.problem = fmt::format(
      "Each work-item calls pow {} with a small exponent that is in the code, which takes some "
      "{:.0f} instructions of a GPU; a product that does the same takes one to three.",
      powers == demand.workItems ? "once" : plural(powers / demand.workItems, "time"), each);
  finding.remedy = "Write x * x instead of pow(x, 2.0f), x * x * x instead of pow(x, 3.0f), and "
                   "sqrt(x) instead of pow(x, 0.5f).";
  finding.evidence = launch.heaviestLines(&LineRow::constantPowers, [&](const LineRow &row) {
    return fmt::format("{} for each work-item",
                       plural(static_cast<double>(row.constantPowers) / demand.workItems, "power"));
  });
  finding.change.kind = Change::Kind::kMultiply;
  for (const LineRow &row : launch.profile().histograms.lines)
    if (row.constantPowers > 0)
      finding.change.lines.push_back(row.line);
  finding.gains = launch.gainsIf([&](LaunchDemand &changed, const DeviceProfile &device) {
    if (!predict::isGpu(device) || device.vendor != "AMD")
      changed.keepSpecial(1 - std::min(1.0, each * powers / demand.specialInstructions));
  });
  ExaminedLaunch::allLikely(finding.gains);
  return launch.ifWorthInLarger(std::move(finding));
}

} // namespace

const Definition kConstantPowers = {
    RuleInfo{
        Rule::kConstantPowers, "constant-powers", "Powers that are products",
        "Calls of pow, powr or pown whose exponent is a small multiple of 1/2 in the code are 1 % "
        "of the instructions or more."},
    constantPowers};

} // namespace aiwc::advice::rule
