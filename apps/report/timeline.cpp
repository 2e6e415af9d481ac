#include "report/timeline.h"

#include "text/json_text.h"

#include <fmt/format.h>

#include <string_view>

namespace aiwc::report {

namespace {

using text::JsonList;
constexpr double kMicrosPerSecond = 1e6;

/// An event of the format, of which `begin` has written what all phases have.
class Event {
public:
  Event(JsonList &events, std::string_view phase, std::string_view name, size_t process,
        size_t thread)
      : object_(events.next(), JsonList::Kind::kObject) {
    object_.member("ph", phase);
    object_.member("name", name);
    object_.member("pid", uint64_t{process});
    object_.member("tid", uint64_t{thread});
  }
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;
  ~Event() { object_.close(); }

  void micros(std::string_view key, double seconds) {
    object_.next(key) += fmt::format("{}", seconds * kMicrosPerSecond);
  }
  JsonList &object() { return object_; }

private:
  JsonList object_;
};

void name(JsonList &events, std::string_view what, size_t process, size_t thread,
          std::string_view text) {
  Event event(events, "M", what, process, thread);
  JsonList arguments(event.object().next("args"), JsonList::Kind::kObject);
  arguments.member("name", text);
  arguments.close();
}

void addEvent(JsonList &events, const TimelineEvent &one, size_t process) {
  Event event(events, "X", one.name, process, one.track + 1);
  event.object().member("cat", one.category);
  event.micros("ts", one.begin);
  event.micros("dur", one.seconds);
  JsonList arguments(event.object().next("args"), JsonList::Kind::kObject);
  for (const auto &[key, count] : one.counts)
    arguments.member(key, count);
  arguments.close();
}

/// An arrow ends where an event begins, and starts inside of one: the format takes the event that
/// goes on at this time.
void addDependence(JsonList &events, const TimelineEvent &from, const TimelineEvent &to,
                   size_t process, uint64_t id) {
  constexpr std::string_view kName = "needs";
  for (const bool isEnd : {false, true}) {
    const TimelineEvent &at = isEnd ? to : from;
    Event event(events, isEnd ? "f" : "s", kName, process, at.track + 1);
    event.object().member("cat", "dependence");
    event.object().member("id", id);
    if (isEnd)
      event.object().member("bp", "e"); // of the event that goes on, not of the next one
    event.micros("ts", isEnd ? at.begin : at.begin + at.seconds / 2);
  }
}

} // namespace

std::string traceJson(std::span<const Timeline> timelines) {
  std::string text;
  JsonList object(text, JsonList::Kind::kObject, 0);
  object.member("displayTimeUnit", std::string_view("ns"));
  JsonList events(object.next("traceEvents"), JsonList::Kind::kArray, 2);
  uint64_t arrows = 0;
  for (size_t i = 0; i < timelines.size(); ++i) {
    const Timeline &timeline = timelines[i];
    const size_t process = i + 1; // 0 has a meaning of its own in some readers
    name(events, "process_name", process, 0, timeline.name);
    for (size_t track = 0; track < timeline.tracks.size(); ++track)
      name(events, "thread_name", process, track + 1, timeline.tracks[track]);
    for (const TimelineEvent &event : timeline.events)
      addEvent(events, event, process);
    for (const auto &[from, to] : timeline.dependences)
      addDependence(events, timeline.events[from], timeline.events[to], process, ++arrows);
  }
  events.close();
  object.close();
  return text + "\n";
}

} // namespace aiwc::report
