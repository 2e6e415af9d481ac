#include "times_table.h"

#include "text/text.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>

namespace aiwc::cli {

std::string timesTable(const run::Run &run, const std::string &dataSet,
                       const std::string &application, const std::string &size,
                       const std::string &device) {
  struct KernelTime {
    uint64_t nanos = 0;
    std::map<std::string, uint64_t> profiles; ///< launches of each
  };
  std::map<std::string, KernelTime> kernels;
  for (const run::Launch &launch : run.launches)
    if (launch.hasProfile() && !launch.nearestTo && launch.measured && launch.measured->nanos > 0 &&
        launch.measured->first != run::FirstLaunch::kWarmUp) {
      KernelTime &kernel = kernels[launch.kernel];
      kernel.nanos += launch.measured->nanos;
      ++kernel.profiles[launch.profile];
    }
  if (kernels.empty())
    return "";
  constexpr double kNanosPerMicro = 1e3;
  std::string table = "data_set,suite,application,size,kernel,profiles,host_bytes,host_transfers,"
                      "doubt,device,time_us,clock\n";
  for (const auto &[name, kernel] : kernels) {
    std::string profiles;
    for (const auto &[file, launches] : kernel.profiles)
      profiles += fmt::format("{}{}*{}", profiles.empty() ? "" : " ", launches, file);
    table += fmt::format("{0},{0},{1},{2},{3},{4},0,0,,{5},{6},kernel\n", dataSet,
                         text::csvField(application), text::csvField(size), text::csvField(name),
                         text::csvField(profiles), device,
                         static_cast<double>(kernel.nanos) / kNanosPerMicro);
  }
  return table;
}

} // namespace aiwc::cli
