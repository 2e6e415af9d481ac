// What is compared with what where the engines are.
#include "kernel_times.h"
#include "plan.h"

#include <fmt/format.h>

namespace aiwc::overhead {
namespace {

class EngineVariants {
public:
  explicit EngineVariants(const std::filesystem::path &build)
      : plugin_(build / "lib" / "aiwc" / "aiwc_oclgrind_plugin.so"),
        preload_(build / "lib" / "aiwc" / "aiwc_preload.so"),
        clock_(build / "lib" / "aiwc-overhead" / "kernel_clock.so") {}

  Variant bare() const { return timed({"bare", "Oclgrind alone", {}, false}, ""); }

  Variant interpreter() const {
    Variant variant = pluginVariant("interpreter", plugin_);
    variant.what = "the interpreter engine, all metrics";
    variant.environment["AIWC_ENGINE"] = "interpreter";
    return timed(std::move(variant), "");
  }

  Variant compiled(const std::string &name, unsigned threads) const {
    Variant variant = pluginVariant(name, plugin_);
    variant.what = fmt::format("the compiled engine, all metrics, threads: {}", threads);
    variant.environment["AIWC_ENGINE"] = "compiled";
    variant.environment["AIWC_THREADS"] = std::to_string(threads);
    return timed(std::move(variant), ":" + preload_.string());
  }

  Variant oneGroup() const {
    Variant variant = compiled("one-group", 1);
    variant.what = "the compiled engine, which traces one work-group of a launch";
    variant.environment["AIWC_SAMPLE_GROUPS"] = "1";
    return variant;
  }

private:
  Variant timed(Variant variant, const std::string &preloadedBehind) const {
    variant.kernels = Variant::Kernels::kClock;
    variant.environment["LD_PRELOAD"] = clock_.string() + preloadedBehind;
    variant.environment["AIWC_OVERHEAD_CLOCK"] = fmt::format("{{output}}/{}", kClockFile);
    return variant;
  }

  std::filesystem::path plugin_, preload_, clock_;
};

Variant poclVariant() {
  Variant variant{"pocl",
                  "PoCL on one thread",
                  // The second is what newer ones call it.
                  {{"POCL_MAX_PTHREAD_COUNT", "1"}, {"POCL_CPU_MAX_CU_COUNT", "1"}},
                  false};
  variant.simulated = false;
  variant.kernels = Variant::Kernels::kSamples;
  variant.arguments = {"--platform", "Portable Computing",
                       "--samples",  "4",
                       "--json",     fmt::format("{{output}}/{}", kSamplesFile)};
  return variant;
}

Variant ofFirstLaunch(Variant variant) {
  variant.name += "-first";
  variant.what += ", of the first launch";
  variant.environment["AIWC_INVOCATIONS"] = "0";
  return variant;
}

} // namespace

Plan makeEnginesPlan(const std::filesystem::path &build,
                     const std::vector<std::string> &applications, const std::string &size) {
  const EngineVariants engines(build);
  Plan plan;
  plan.variants = {engines.bare(),
                   engines.interpreter(),
                   engines.compiled("compiled", 1),
                   engines.compiled("compiled-2", 2),
                   engines.oneGroup(),
                   poclVariant()};
  for (const std::string &name : applications)
    plan.workloads.push_back({name,
                              fmt::format("eod-{} --size {}", name, size),
                              {(build / "bin" / ("eod-" + name)).string(), "--size", size}});
  return plan;
}

Plan makeLaunchesPlan(const std::filesystem::path &build, unsigned launches) {
  const EngineVariants engines(build);
  const Variant interpreter = engines.interpreter();
  const Variant compiled = engines.compiled("compiled", 1);
  const Variant compiled2 = engines.compiled("compiled-2", 2);
  Plan plan;
  plan.variants = {engines.bare(), interpreter, ofFirstLaunch(interpreter),
                   compiled,       compiled2,   ofFirstLaunch(compiled)};
  for (const unsigned items : {1U, 64U})
    plan.workloads.push_back(
        {fmt::format("touch-{}", items),
         fmt::format("{} launches of one work-group of {}", launches, items),
         {(build / "bin" / "aiwc-overhead-workload").string(), "touch",
          fmt::format("--global={}", items), fmt::format("--local={}", items), "--words=1024",
          "--steps=1", fmt::format("--launches={}", launches)}});
  return plan;
}

Plan makeImagesPlan(const std::filesystem::path &build) {
  const EngineVariants engines(build);
  Plan plan;
  plan.variants = {engines.bare(), engines.compiled("compiled", 1), engines.oneGroup()};
  for (const std::string name : {"filter_image", "filter_buffer"})
    plan.workloads.push_back({name,
                              "3 launches on 1024 x 512 pixels",
                              {(build / "bin" / "aiwc-overhead-workload").string(), name,
                               "--global=524288", "--words=524288", "--launches=3"}});
  return plan;
}

} // namespace aiwc::overhead
