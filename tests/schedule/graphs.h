/// Task graphs made up by the tests, and what any schedule of one has to fulfil.
#pragma once

#include "schedule/simulation.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace aiwc::test {

inline constexpr std::array kPolicies = {schedule::Policy::kHeft, schedule::Policy::kDmda,
                                         schedule::Policy::kEager};

struct Edge {
  size_t from, to;
  double seconds; ///< if they run on different workers
};

/// Tasks with times by worker. Each worker has a memory of its own; any number of transfers go on
/// at the same time.
schedule::Graph graphOf(const std::vector<std::vector<double>> &times,
                        const std::vector<Edge> &edges);

/// At most `tasks` tasks on at most `workers` devices, some of which share a memory, and a host
/// that runs some of the tasks; data with several readers, partial reads, order without data.
schedule::Graph randomGraph(uint64_t seed, size_t tasks, size_t workers);

/// Why the schedule cannot be of the graph, from the definition: tasks overlap on a worker, take
/// another time than theirs, begin before those that they wait for have ended or their data have
/// arrived, transfers overlap on a link, or a sum is wrong. Empty if it can.
std::string wrongIn(const schedule::Graph &graph, const schedule::Schedule &schedule,
                    const schedule::Durations &seconds);
std::string wrongIn(const schedule::Graph &graph, const schedule::Schedule &schedule);

} // namespace aiwc::test
