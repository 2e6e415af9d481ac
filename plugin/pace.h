#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>

namespace aiwc::plugin {

/// How fast the work-groups of a launch run, one after another or in bursts, and how long the
/// others will take. Work-groups that are recorded take longer than others. Speeds change
/// while a launch runs: better code is compiled, and more threads take part.
class Pace {
public:
  /// Of the last so many seconds is the present speed.
  static constexpr double kPresent = 10;
  /// A speed is steady if that of the first half of these seconds and that of the second half give
  /// times that are at most so many times each other.
  static constexpr double kSteady = 1.25;
  /// From this share of the work-groups on, their speed tells how long the others take.
  static constexpr double kEnough = 0.01;

  /// `recorded` of the `groups` are recorded. Times are seconds of one clock.
  Pace(uint64_t groups, uint64_t recorded, double now);

  /// Call it after each work-group. `recorded`: whether it is one of these, if any is left.
  void groupDone(bool recorded, double now);

  uint64_t groups() const { return kinds_[0].total + kinds_[1].total; }
  uint64_t done() const { return kinds_[0].done + kinds_[1].done; }
  double begun() const { return begun_; }
  double now() const { return now_; } ///< when the last work-group was done
  double taken() const { return now_ - begun_; }
  /// How long the other work-groups take at the present speed. None before a hundredth of the
  /// work-groups is done or ten seconds have passed at a steady speed, nor while no work-group of
  /// those that are not recorded is done.
  std::optional<double> secondsLeft() const;

private:
  /// Work-groups that are recorded, or those that are not: how many are done, and how long
  /// these took.
  struct Kind {
    uint64_t total = 0, done = 0;
    double seconds = 0;
  };
  using Kinds = std::array<Kind, 2>; ///< by whether they are recorded
  struct Moment {
    double time;
    Kinds kinds;
  };

  /// How long the work-groups that are left take at the speed between two moments.
  double secondsLeft(const Kinds &from, const Kinds &to) const;
  bool isSteady() const;

  Kinds kinds_;
  double begun_, now_;
  /// A second or more apart: the first is the last one that is not after the present's begin.
  std::deque<Moment> moments_;
};

} // namespace aiwc::plugin
