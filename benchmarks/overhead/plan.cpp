#include "plan.h"

#include "common/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace aiwc::overhead {
namespace {

/// A synthetic workload, about 10 million instructions per second of bare simulation.
struct Synthetic {
  const char *name;
  const char *what;
  const char *kernel;
  unsigned global, local, words, steps, launches;
  unsigned repetitions = 0;
};

constexpr unsigned kMi = 1U << 20;

constexpr Synthetic kSynthetic[] = {
    {"memory", "a strided copy through 8 MiB, 4 instructions per access", "stream", 1024, 64,
     2 * kMi, 1024, 1},
    {"branch", "fair coins, 7 instructions per branch", "coin", 256, 64, 1024, 6144, 1},
    {"sequential", "one work-item, 4096 rows, each from the one before", "rows", 1, 1, kMi / 16,
     4096, 1},
    {"groups", "65536 work-groups of 2 work-items that do next to nothing", "touch", 131072, 2,
     131072, 1, 1},
    {"launches", "2000 launches of one work-group of 64", "touch", 64, 64, 1024, 1, 2000},
    {"growth-1x", "a strided copy of 256 KiB, once", "stream", 1024, 64, kMi / 8, 16, 1, 1},
    {"growth-4x", "the same copy 4 times", "stream", 1024, 64, kMi / 8, 64, 1, 4},
    {"growth-16x", "the same copy 16 times", "stream", 1024, 64, kMi / 8, 256, 1, 16},
};

std::vector<std::string> commandOf(const Synthetic &synthetic, const std::filesystem::path &bin,
                                   unsigned divisor) {
  const auto less = [divisor](unsigned n) { return std::max(n / divisor, 1U); };
  const bool byGroups = synthetic.global > 1024;
  return {(bin / "aiwc-overhead-workload").string(),
          synthetic.kernel,
          fmt::format("--global={}", byGroups ? less(synthetic.global) : synthetic.global),
          fmt::format("--local={}", synthetic.local),
          fmt::format("--words={}", synthetic.words),
          fmt::format("--steps={}", less(synthetic.steps)),
          fmt::format("--launches={}", less(synthetic.launches))};
}

template <typename Entry>
void keep(std::vector<Entry> &entries, const std::vector<std::string> &names, size_t always,
          const char *kind) {
  std::vector<std::string> known;
  for (const Entry &entry : entries)
    known.push_back(entry.name);
  for (const std::string &name : names)
    if (std::ranges::find(known, name) == known.end())
      throw Error(fmt::format("{} '{}': expected one of {}", kind, name, fmt::join(known, ", ")));
  if (names.empty())
    return;
  const auto unwanted = [&names](const Entry &entry) {
    return std::ranges::find(names, entry.name) == names.end();
  };
  const auto first = entries.begin() + static_cast<ptrdiff_t>(always);
  entries.erase(std::remove_if(first, entries.end(), unwanted), entries.end());
}

} // namespace

std::filesystem::path buildFolder() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error)
    throw Error(withReason("/proc/self/exe: cannot be read", error.value()));
  return self.parent_path().parent_path();
}

Variant pluginVariant(const std::string &name, const std::filesystem::path &plugin) {
  if (!std::filesystem::exists(plugin))
    throw Error(plugin.string() + ": no such file: expected a plugin of Oclgrind");
  return {name,
          "our plugin, " + plugin.filename().string(),
          {{"OCLGRIND_PLUGINS", std::filesystem::absolute(plugin).string()},
           {"AIWC_OUTPUT", "{output}"},
           {"AIWC_ACCURACY", "exact"},
           {"AIWC_CACHE", "none"}, // times include the compilation
           {"AIWC_QUIET", "1"}},
          true};
}

Plan makePlan(const std::filesystem::path &build, unsigned divisor) {
  const auto lib = build / "lib";
  const auto bin = build / "bin";
  Plan plan;
  plan.variants.push_back({"bare", "Oclgrind alone", {}, false});
  plan.variants.push_back(
      {"empty",
       "a plugin that listens to nothing",
       {{"OCLGRIND_PLUGINS", (lib / "aiwc-overhead" / "empty_plugin.so").string()}},
       false});
  plan.variants.push_back(pluginVariant("aiwc", lib / "aiwc" / "aiwc_oclgrind_plugin.so"));
  const std::string size = divisor > 1 ? "tiny" : "small";
  for (const std::string name : {"lud", "kmeans"})
    plan.workloads.push_back({name,
                              fmt::format("eod-{} --size {}", name, size),
                              {(bin / ("eod-" + name)).string(), "--size", size}});
  for (const Synthetic &synthetic : kSynthetic)
    plan.workloads.push_back({synthetic.name, synthetic.what, commandOf(synthetic, bin, divisor),
                              synthetic.repetitions});
  return plan;
}

void select(Plan &plan, const std::vector<std::string> &variants,
            const std::vector<std::string> &workloads, bool keepsFirst) {
  keep(plan.variants, variants, keepsFirst ? 1 : 0, "--variants");
  keep(plan.workloads, workloads, 0, "--workloads");
}

} // namespace aiwc::overhead
