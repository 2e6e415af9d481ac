/// What `aiwc split --schedule` prints and draws.
#pragma once

#include "predict/device_profile.h"
#include "schedule/comparison.h"

#include <cstddef>
#include <string>
#include <vector>

namespace aiwc::cli {

struct ScheduleReport {
  std::string run; ///< its file
  std::string command;
  std::string model;
  std::vector<predict::DeviceProfile> devices; ///< the workers of the graph, but for the host
  std::vector<std::string> kernels;            ///< by kind of task, less one
  size_t launches = 0;
  schedule::Graph graph;
  schedule::Comparison comparison;
};

std::string scheduleText(const ScheduleReport &report);
std::string scheduleJson(const ScheduleReport &report);
std::string scheduleCsv(const ScheduleReport &report);
/// A timeline of each schedule, with its workers and links as tracks (report/timeline.h).
std::string scheduleTrace(const ScheduleReport &report);

} // namespace aiwc::cli
