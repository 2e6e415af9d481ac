#include "report/views.h"

namespace aiwc::report {

const std::vector<View> &scheduleViews() {
  static const std::vector<View> views = {
      {"gantt",
       "Schedules",
       "what each device does at which time, by policy",
       {{"label", "Gantt charts of the schedules"},
        {"axis", "time since the start of the run"},
        {"caption",
         "What each device does at which time: a panel for each policy, and one for the device "
         "that is the fastest alone. Numbers and colours are kernels; thin rows are transfers. "
         "All panels have the same axis, so that lengths compare."},
        {"alone", "{device} alone"},
        {"fromHost", "from host"},
        {"toHost", "to host"},
        {"taskTitle", "{task}, {time}, from {begin} on"},
        {"transferTitle", "{bytes} for {task}, {time}"}}},
  };
  return views;
}

} // namespace aiwc::report
