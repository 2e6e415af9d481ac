#include "device_measurement/item.h"

#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace aiwc::device_measurement {

Patience Effort::patience(size_t parts) const {
  Patience patience;
  patience.seconds = seconds / static_cast<double>(std::max<size_t>(parts, 1));
  return patience;
}

std::string idiomItem(predict::Idiom idiom) {
  return fmt::format("idiom {}", toString(idiom));
}

std::vector<Item> itemsFor(const DeviceFacts &facts, bool quick) {
  std::vector<Item> items;
  addLaunches(items);
  addMemory(items);
  addStreams(items);
  addIdioms(items);
  addTransfers(items);
  addCompute(facts, quick, items);
  return items;
}

double largestFootprint(const DeviceFacts &facts, bool quick) {
  const double usual = (quick ? 64.0 : 256.0) * (1 << 20);
  const double beyondCache = (quick ? 1.5 : 4) * facts.cacheBytes;
  return std::min(facts.memoryBytes / 4, std::max(usual, beyondCache));
}

Outcome curveOver(const std::vector<size_t> &sizes, const Effort &effort, std::string_view what,
                  const std::function<predict::CurvePoint(size_t)> &measure) {
  constexpr double kOverrun = 2;
  const auto begin = Clock::now();
  Outcome outcome;
  const auto leaveOut = [&](size_t size, std::string_view reason) {
    outcome.missing.push_back(fmt::format("{} from {} bytes on: {}", what, size, reason));
  };
  std::optional<size_t> firstSkipped;
  for (const size_t size : sizes) {
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    const bool late = outcome.points.size() >= kLeastPoints && elapsed > kOverrun * effort.seconds;
    if (late && size != sizes.back()) {
      firstSkipped = firstSkipped.value_or(size);
      continue;
    }
    try {
      outcome.points.push_back(measure(size));
    } catch (const NoRoom &) {
      leaveOut(size, "the device has no room");
      break;
    } catch (const NoTime &) {
      leaveOut(size, "no time was left");
      break;
    }
  }
  if (firstSkipped)
    outcome.missing.push_back(fmt::format("{} from {} to below {} bytes: no time was left", what,
                                          *firstSkipped, sizes.back()));
  return outcome;
}

Estimate timed(Device &device, TimedKernel &kernel, const Range &range, const Patience &patience) {
  device.seconds(kernel, range);
  return repeated([&] { return device.seconds(kernel, range); }, patience);
}

uint32_t calibrated(Device &device, TimedKernel &kernel, const Range &range, uint32_t least,
                    uint32_t most, const std::function<void(uint32_t)> &set) {
  // Long beside a launch, short beside the turns that a busy host gives its programs: then most
  // samples see no other program.
  constexpr double kGoodSample = 5e-4; // s
  uint32_t amount = least;
  for (;; amount *= 2) {
    set(amount);
    device.seconds(kernel, range); // compiles it, fills the caches
    if (device.seconds(kernel, range) >= kGoodSample || amount > most / 2)
      return amount;
  }
}

void requireResult(bool good, const Device &device, std::string_view kernel,
                   const std::string &what) {
  if (!good)
    throw Error(fmt::format("device {}: kernel {} computed something wrong: expected {}",
                            text::printable(device.facts().name, 100), kernel, what));
}

} // namespace aiwc::device_measurement
