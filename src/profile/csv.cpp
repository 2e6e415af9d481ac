#include "profile/csv.h"

#include "text/text.h"

#include <fmt/format.h>

namespace aiwc::profile {

std::string wideCsvHeader() {
  std::string text = "file,kernel,invocation,work_dim";
  for (const std::string_view size : {"global_offset", "global_size", "local_size"})
    text += fmt::format(",{0}_x,{0}_y,{0}_z", size);
  text += ",source_hash,build_options,engine,complete,simulator_errors,sampled_groups,total_groups,"
          "line_bytes";
  for (const MetricInfo &metric : catalogue())
    text += fmt::format(",{}", metric.key);
  return text + "\n";
}

std::string wideCsvRow(std::string_view file, const KernelProfile &profile) {
  const Provenance &from = profile.provenance;
  std::string text = fmt::format("{},{},{},{}", text::csvField(file), text::csvField(from.kernel),
                                 from.invocation, from.workDim);
  for (const Size3 &size : {from.globalOffset, from.globalSize, from.localSize})
    text += fmt::format(",{},{},{}", size[0], size[1], size[2]);
  text += fmt::format(",{},{},{},{},{},{},{},{}", text::csvField(from.sourceHash),
                      text::csvField(from.buildOptions), text::csvField(from.engine),
                      profile.complete, profile.simulatorErrors, from.sampledGroups,
                      from.totalGroups, profile.reuse.lineBytes);
  for (const MetricInfo &metric : catalogue())
    text += fmt::format(",{}", text::formatValue(profile[metric.metric], "NaN"));
  return text + "\n";
}

} // namespace aiwc::profile
