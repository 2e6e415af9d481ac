#include "plugin/engine/held_output.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>

namespace aiwc::engine {
namespace {

/// Most bytes that are held back.
constexpr size_t kMostBytes = size_t{64} << 20;

/// Oclgrind counts in the same type.
std::atomic<unsigned> logged = 0;

/// Number of errors that Oclgrind shows.
unsigned mostShown() {
  constexpr unsigned kDefault = 1000;
  static const char *const text = std::getenv("OCLGRIND_MAX_ERRORS");
  // Oclgrind has ended the process if the text is no number.
  static const unsigned most =
      text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : kDefault;
  return most;
}

/// The text that Oclgrind composes for the error.
void log(const oclgrind::Context &context, const Report &report) {
  using Message = oclgrind::Context::Message;
  Message message(oclgrind::ERROR, &context);
  message << messageOf(report.violation, report.space, report.address, report.size) << std::endl
          << Message::INDENT << "Kernel: " << Message::CURRENT_KERNEL << std::endl
          << "Entity: ";
  if (report.ofWorkItem)
    message << "Global" << report.globalId << " Local" << report.localId << " ";
  message << "Group" << report.group << std::endl << report.instruction << std::endl;
  message.send();
}

} // namespace

void countLoggedMessage() {
  ++logged;
}

bool HeldOutput::isFull() const {
  return entries_.size() * sizeof(Entry) + arguments_.size() + reports_.size() * sizeof(Report) >
         kMostBytes;
}

bool HeldOutput::print(const BuiltinSite &site, const uint8_t *arguments) {
  if (isFull())
    return false;
  entries_.push_back({.call = &site, .at = arguments_.size()});
  arguments_.insert(arguments_.end(), arguments, arguments + site.argumentBytes);
  return true;
}

bool HeldOutput::report(const Report &report) {
  const unsigned number = logged + errors_;
  if (number >= mostShown()) {
    if (entries_.empty() || entries_.back().unshown == 0) {
      if (isFull())
        return false;
      entries_.emplace_back();
    }
    ++entries_.back().unshown;
  } else {
    if (isFull())
      return false;
    entries_.push_back({.at = reports_.size()});
    reports_.push_back(report);
  }
  ++errors_;
  return true;
}

bool HeldOutput::takeReports(std::span<HeldOutput *const> others) {
  std::vector<Report> reports;
  uint64_t unshown = 0;
  for (HeldOutput *other : others) {
    reports.insert(reports.end(), other->reports_.begin(), other->reports_.end());
    for (const Entry &entry : other->entries_)
      unshown += entry.unshown;
    other->clear();
  }
  std::ranges::stable_sort(reports, {}, [](const Report &report) {
    return std::array{report.group.z, report.group.y, report.group.x};
  });
  if (!std::ranges::all_of(reports, [this](const Report &one) { return report(one); }))
    return false;
  if (unshown > 0) { // each of the others shows as many as are shown in all
    entries_.push_back({.unshown = unshown});
    errors_ += unshown;
  }
  return true;
}

void HeldOutput::write(const oclgrind::Context &context,
                       const std::function<void(const BuiltinSite &, const uint8_t *)> &print) {
  for (const Entry &entry : entries_) {
    if (entry.call)
      print(*entry.call, arguments_.data() + entry.at);
    else if (entry.unshown == 0)
      log(context, reports_[entry.at]);
    for (uint64_t i = 0; i < entry.unshown; ++i)
      context.notifyMessage(oclgrind::ERROR, "");
  }
  clear();
}

void HeldOutput::clear() {
  entries_.clear();
  arguments_.clear();
  reports_.clear();
  errors_ = 0;
}

} // namespace aiwc::engine
