/// What Chrome's trace event format requires of a file.
#pragma once

#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace aiwc::test {

/// The processes of a trace with their complete events, by name. Checks that the trace is one:
/// every event has a phase, a name, a process and a thread; complete events have a time and a
/// duration in microseconds, in a process and on a thread that metadata name; an arrow (flow) has
/// one start, inside of an event, and one end, where an event begins that does not begin before
/// the first one has ended.
inline std::map<std::string, std::vector<nlohmann::json>> processesOf(const nlohmann::json &trace) {
  using nlohmann::json;
  using Thread = std::pair<uint64_t, uint64_t>;
  REQUIRE(trace.is_object());
  REQUIRE(trace["traceEvents"].is_array());
  std::map<uint64_t, std::string> names;
  std::set<Thread> threads;
  std::map<Thread, std::vector<json>> complete;
  std::map<uint64_t, std::vector<json>> starts, ends;
  for (const json &event : trace["traceEvents"]) {
    INFO(event.dump());
    REQUIRE(event["ph"].is_string());
    REQUIRE(event["name"].is_string());
    REQUIRE(event["pid"].is_number_unsigned());
    REQUIRE(event["tid"].is_number_unsigned());
    const std::string phase = event["ph"];
    const Thread thread{event["pid"], event["tid"]};
    if (phase == "M") {
      REQUIRE(event["args"]["name"].is_string());
      if (event["name"] == "process_name")
        CHECK(names.emplace(thread.first, event["args"]["name"]).second);
      else
        CHECK((event["name"] == "thread_name" && threads.insert(thread).second));
      continue;
    }
    REQUIRE(event["ts"].is_number());
    REQUIRE(event["cat"].is_string());
    CHECK(event["ts"] >= 0);
    if (phase == "X") {
      REQUIRE(event["dur"].is_number());
      CHECK(event["dur"] >= 0);
      CHECK(event["args"].is_object());
      complete[thread].push_back(event);
    } else {
      REQUIRE((phase == "s" || phase == "f"));
      REQUIRE(event["id"].is_number_unsigned());
      CHECK((phase == "s" || event["bp"] == "e"));
      (phase == "s" ? starts : ends)[event["id"]].push_back(event);
    }
  }
  std::map<std::string, std::vector<json>> processes;
  for (const auto &[thread, events] : complete) {
    REQUIRE(names.contains(thread.first));
    CHECK(threads.contains(thread));
    auto &all = processes[names[thread.first]];
    all.insert(all.end(), events.begin(), events.end());
  }
  constexpr double kRounding = 1e-6;
  CHECK(starts.size() == ends.size());
  for (const auto &[id, start] : starts) {
    INFO("arrow " << id);
    REQUIRE(start.size() == 1);
    REQUIRE(ends[id].size() == 1);
    const json &end = ends[id].front();
    CHECK(start.front()["name"] == end["name"]);
    CHECK(start.front()["cat"] == end["cat"]);
    CHECK(start.front()["pid"] == end["pid"]);
    const double from = start.front()["ts"], to = end["ts"];
    bool isInside = false, begins = false;
    for (const json &event : complete[{start.front()["pid"], start.front()["tid"]}]) {
      const double begin = event["ts"], ended = begin + event["dur"].get<double>();
      isInside |= begin <= from && from <= ended && ended <= to * (1 + 1e-12) + kRounding;
    }
    for (const json &event : complete[{end["pid"], end["tid"]}])
      begins |= event["ts"] == end["ts"];
    CHECK(isInside);
    CHECK(begins);
  }
  return processes;
}

/// The durations of the events of this category, in microseconds, added up.
inline double microsOf(const std::vector<nlohmann::json> &events, const std::string &category) {
  double sum = 0;
  for (const nlohmann::json &event : events)
    if (event["cat"] == category)
      sum += event["dur"].get<double>();
  return sum;
}

} // namespace aiwc::test
