#include "evaluation/published.h"

#include "common/error.h"
#include "train/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace aiwc::evaluation {

namespace {

/// Names of the publication that the suite of this project writes otherwise.
CaseId ownName(CaseId id) {
  if (id.application == "dwt")
    id.application = "dwt2d";
  if (id.application == "gem" && id.kernel == "calc_potential_single_step_dev")
    id.kernel = "calc_potential_single_step";
  return id;
}

std::string nameOf(const CaseId &id) {
  return fmt::format("{} {} {}", id.application, id.size, id.kernel);
}

} // namespace

std::string doubt(const CaseId &id) {
  if (id.application == "fft")
    return "one time, copied to all kernels of the application";
  if (id.application == "kmeans" && id.kernel == "invert_mapping")
    return "the time is of a region that sets up buffers";
  if (id.application == "hmm" && id.kernel == "scale_alpha_dev")
    return "the time merges two regions of the program";
  if (id.application == "hmm" && id.kernel == "init_alpha_dev")
    return "the first launch of the program: most of its time is the driver's";
  return {};
}

PublishedTimes readPublished(const std::filesystem::path &file) {
  const train::CsvTable table(file, {"application", "size", "kernel", "device", "median_us"});
  PublishedTimes times;
  std::map<CaseId, std::map<std::string, double>, CaseOrder> rows;
  for (size_t row = 0; row < table.size(); ++row) {
    const std::string &device = table.text(row, "device");
    if (std::ranges::find(times.devices, device) == times.devices.end())
      times.devices.push_back(device);
    const CaseId id = ownName(
        {table.text(row, "application"), table.text(row, "size"), table.text(row, "kernel")});
    const double seconds = table.positive(row, "median_us") / 1e6;
    if (!rows[id].emplace(device, seconds).second)
      throw Error(fmt::format("{}: {} on {} is there twice: expected one row", file.string(),
                              nameOf(id), device));
  }
  for (const auto &[id, byDevice] : rows)
    for (const std::string &device : times.devices) {
      const auto found = byDevice.find(device);
      if (found == byDevice.end())
        throw Error(fmt::format("{}: no time of {} on {}: expected one for every device",
                                file.string(), nameOf(id), device));
      times.seconds[id].push_back(found->second);
    }
  return times;
}

PublishedTimes only(const PublishedTimes &times, const std::vector<std::string> &devices) {
  PublishedTimes some{devices, {}};
  for (const std::string &device : devices) {
    const auto found = std::ranges::find(times.devices, device);
    if (found == times.devices.end())
      throw Error(fmt::format("device {}: no times: expected one of {}", device,
                              fmt::join(times.devices, ", ")));
    for (const auto &[id, seconds] : times.seconds)
      some.seconds[id].push_back(seconds[static_cast<size_t>(found - times.devices.begin())]);
  }
  return some;
}

PublishedWorks readPublishedWork(const std::filesystem::path &file) {
  const train::CsvTable table(
      file, {"application", "size", "kernel", "total_instruction_count", "workitems"});
  PublishedWorks works;
  for (size_t row = 0; row < table.size(); ++row) {
    const CaseId id = ownName(
        {table.text(row, "application"), table.text(row, "size"), table.text(row, "kernel")});
    const PublishedWork work{table.positive(row, "total_instruction_count"),
                             table.positive(row, "workitems")};
    if (!works.emplace(id, work).second)
      throw Error(
          fmt::format("{}: {} is there twice: expected one row", file.string(), nameOf(id)));
  }
  return works;
}

std::string otherWork(const PredictedCase &ours, const PublishedWork &theirs, double factor) {
  const auto differs = [&](uint64_t own, double other) {
    const double ratio = static_cast<double>(own) / other;
    return ratio > factor || ratio < 1 / factor;
  };
  if (differs(ours.workItems, theirs.workItems))
    return fmt::format("{:g} work-items published, {} here", theirs.workItems, ours.workItems);
  if (differs(ours.instructions, theirs.instructions))
    return fmt::format("{:g} instructions published, {} here", theirs.instructions,
                       ours.instructions);
  return {};
}

Joined join(const PredictedCases &predicted, const PublishedTimes &published,
            const JoinOptions &options) {
  Joined joined;
  std::set<std::string> sizes;
  for (const auto &[id, ours] : predicted) {
    sizes.insert(id.size);
    const auto found = published.seconds.find(id);
    std::string reason = found == published.seconds.end() ? "no published time" : ours.ruledOut;
    if (reason.empty() && !options.doubted)
      reason = doubt(id);
    if (reason.empty() && options.works) {
      const auto work = options.works->find(id);
      reason = work == options.works->end() ? "no published characterisation"
                                            : otherWork(ours, work->second, options.factor);
    }
    if (!reason.empty()) {
      joined.leftOut.push_back({id, reason});
      continue;
    }
    Case both{id, ours.seconds, found->second};
    for (double &seconds : both.predicted)
      seconds /= static_cast<double>(ours.launches.size());
    joined.cases.push_back(std::move(both));
  }
  for (const auto &[id, seconds] : published.seconds)
    if (sizes.contains(id.size) && !predicted.contains(id))
      joined.leftOut.push_back({id, "no profile"});
  return joined;
}

} // namespace aiwc::evaluation
