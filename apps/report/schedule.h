/// The schedules of a run as a page: Gantt charts of what each device does at which time.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace aiwc::report {

struct SchedulePage {
  std::string title;                ///< for people
  std::vector<std::string> said;    ///< sentences below the title
  nlohmann::ordered_json schedule;  ///< as of `aiwc split --schedule --json` (docs/formats.md)
  std::vector<std::string> workers; ///< names of the devices
  std::vector<std::string> kernels; ///< by kind
  std::vector<size_t> kinds;        ///< of the tasks of each schedule: a place in `kernels`; those
                                    ///< of the host have none and are not drawn
};

/// The page: HTML that loads nothing. Names appear as text, whatever they contain.
std::string html(const SchedulePage &page);

} // namespace aiwc::report
