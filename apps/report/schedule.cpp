#include "report/schedule.h"

#include "common/version.h"
#include "report/document.h"
#include "report/json_parts.h"
#include "report/page_parts.h"
#include "report/views.h"
#include "text/text.h"

#include <fmt/format.h>

namespace aiwc::report {

namespace {

Json printableNames(const std::vector<std::string> &names) {
  Json rows = Json::array();
  for (const std::string &name : names)
    rows.push_back(text::printable(name, kNameBytes));
  return rows;
}

} // namespace

std::string html(const SchedulePage &page) {
  const std::string title = text::printable(page.title, kNameBytes);
  const Json json = {{"title", title},
                     {"said", printableNames(page.said)},
                     {"footer", fmt::format("Written by aiwc {}. Times are predicted: no device "
                                            "was used.",
                                            kVersion)},
                     {"workers", printableNames(page.workers)},
                     {"kernels", printableNames(page.kernels)},
                     {"kinds", page.kinds},
                     {"schedule", page.schedule},
                     {"views", viewsJson(scheduleViews())}};
  return document(title + ": schedule", json.dump(-1, ' ', false, Json::error_handler_t::replace),
                  kScheduleProgram);
}

} // namespace aiwc::report
