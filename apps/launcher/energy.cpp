#include "launcher/energy.h"

#include <cstdlib>

namespace aiwc::launcher {

std::optional<double> Energy::Counter::soFar() {
  const std::optional<double> now = counter ? counter->joules() : std::nullopt;
  return now && begin ? std::optional(*now - *begin) : std::nullopt;
}

Energy::Energy() : board_{eod::nvmlCounter("")} {
  const char *const given = std::getenv("AIWC_POWERCAP");
  processors_.counter = given ? eod::raplCounter(given) : eod::raplCounter();
  for (Counter *const counter : {&processors_, &board_})
    if (counter->counter)
      counter->begin = counter->counter->joules();
}

run::Energy Energy::soFar() {
  return {processors_.soFar(), board_.soFar()};
}

} // namespace aiwc::launcher
