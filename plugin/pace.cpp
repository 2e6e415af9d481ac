#include "plugin/pace.h"

#include <algorithm>
#include <functional>

namespace aiwc::plugin {
namespace {

constexpr double kApart = 1; // seconds between moments

} // namespace

Pace::Pace(uint64_t groups, uint64_t recorded, double now)
    : kinds_{{{groups - recorded}, {recorded}}}, begun_(now), now_(now), moments_{{now, kinds_}} {}

void Pace::groupDone(bool recorded, double now) {
  // Before the work-group is counted: several may follow at the same time.
  if (now > now_ && now_ - moments_.back().time >= kApart)
    moments_.push_back({now_, kinds_});
  while (moments_.size() > 1 && moments_[1].time <= now - kPresent)
    moments_.pop_front();
  Kind &kind = kinds_[kinds_[recorded].done < kinds_[recorded].total ? recorded : !recorded];
  kind.done = std::min(kind.done + 1, kind.total);
  kind.seconds += now - now_;
  now_ = now;
}

std::optional<double> Pace::secondsLeft() const {
  if (kinds_[0].total > 0 && kinds_[0].done == 0 && kinds_[1].done < kinds_[1].total)
    return std::nullopt;
  const bool isEnough =
      static_cast<double>(done()) >= kEnough * static_cast<double>(groups()) && done() > 0;
  if (!isEnough && !isSteady())
    return std::nullopt;
  return secondsLeft(moments_.front().kinds, kinds_);
}

double Pace::secondsLeft(const Kinds &from, const Kinds &to) const {
  double seconds = 0;
  for (size_t i = 0; i < kinds_.size(); ++i) {
    const Kind &all = kinds_[i];
    uint64_t done = to[i].done - from[i].done;
    double taken = to[i].seconds - from[i].seconds;
    if (done == 0) { // as before
      done = all.done;
      taken = all.seconds;
    }
    if (done > 0)
      seconds += taken * static_cast<double>(all.total - all.done) / static_cast<double>(done);
  }
  return seconds;
}

bool Pace::isSteady() const {
  if (now_ - moments_.front().time < kPresent)
    return false;
  const auto middle =
      std::ranges::lower_bound(moments_, now_ - kPresent / 2, std::less(), &Moment::time);
  if (middle == moments_.end())
    return false;
  const double first = secondsLeft(moments_.front().kinds, middle->kinds);
  const double second = secondsLeft(middle->kinds, kinds_);
  return first <= kSteady * second && second <= kSteady * first;
}

} // namespace aiwc::plugin
