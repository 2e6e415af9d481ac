/// aiwc-native-rates: measures peak rate, bandwidth and latency by native loops and prints them,
/// one a line. With --profile: prints such lines beside the same numbers of device profiles that
/// `aiwc devices measure` wrote, and of clpeak's output. Of several profiles, outputs and
/// repetitions the best counts, as on a busy machine everything else is a disturbance.
#include "common/error.h"
#include "common/file.h"
#include "loops.h"
#include "predict/device_json.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace aiwc;
using predict::DeviceMeasurements;
using predict::DeviceProfile;

struct Options {
  std::vector<std::string> profiles, native, clpeak;
  size_t threads = std::max(1U, std::thread::hardware_concurrency());
  size_t repetitions = 200;
};

/// The shortest time of `work(thread)` on all threads at once, s.
double shortest(const Options &options, const std::function<void(size_t)> &work) {
  double least = 1e300;
  for (size_t i = 0; i < options.repetitions; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> threads;
    for (size_t t = 1; t < options.threads; ++t)
      threads.emplace_back(work, t);
    work(0);
    for (std::thread &thread : threads)
      thread.join();
    least = std::min(
        least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}

void require(bool correct, const char *what) {
  if (!correct)
    throw Error(fmt::format("aiwc-native-rates: {} is wrong: expected what follows by hand", what));
}

/// GFLOP/s. With m = 1 and c = 1, every chain ends at its start + steps.
template <typename Number> double peak(const Options &options, size_t lanes) {
  constexpr size_t kSteps = 100'000;
  constexpr size_t kVectors = 16;
  const double seconds = shortest(options, [&](size_t) {
    volatile Number one = 1;
    const Number sum = native::multiplyAdd(one, one, kSteps);
    // 0 + 1 + ... + 15 in each lane, and the steps of all chains; a float rounds the sum.
    const double expected = static_cast<double>(lanes) * (120.0 + kVectors * double{kSteps});
    require(std::abs(static_cast<double>(sum) / expected - 1) < 1e-5, "the multiply-add loop");
  });
  return 2.0 * kVectors * static_cast<double>(lanes * kSteps * options.threads) / seconds / 1e9;
}

/// GB/s of a[i] = a[i] + b[i], both arrays together of `bytes`, a part for each thread.
double streamed(const Options &options, size_t bytes) {
  const size_t count = bytes / 2 / sizeof(float) / options.threads;
  std::vector<std::vector<float>> a(options.threads);
  std::vector<std::vector<float>> b(options.threads);
  for (size_t t = 0; t < options.threads; ++t) {
    a[t].assign(count, 0);
    b[t].assign(count, 1);
  }
  const size_t passes = std::max<size_t>((size_t{16} << 20U) / bytes, 1);
  const double seconds = shortest(options, [&](size_t t) {
    for (size_t pass = 0; pass < passes; ++pass)
      native::stream(a[t].data(), b[t].data(), count);
  });
  require(a[0][count / 2] == static_cast<float>(passes * options.repetitions), "the stream loop");
  return 3.0 * sizeof(float) * static_cast<double>(count * passes * options.threads) / seconds /
         1e9;
}

/// GB/s of sums, each thread of all of its own `bytes`, again and again.
double summed(const Options &options, size_t bytes) {
  const size_t count = bytes / sizeof(uint32_t);
  std::vector<uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 1U);
  const uint32_t expected = std::accumulate(numbers.begin(), numbers.end(), 0U);
  const size_t passes = std::max<size_t>((size_t{32} << 20U) / bytes, 1);
  const double seconds = shortest(options, [&](size_t) {
    for (size_t pass = 0; pass < passes; ++pass)
      require(native::sum(numbers.data(), count) == expected, "the sum");
  });
  return static_cast<double>(bytes * passes * options.threads) / seconds / 1e9;
}

/// ns of a dependent load within `bytes`: a random cycle through lines of 64 bytes, one thread.
double chased(const Options &options, size_t bytes) {
  constexpr size_t kWordsOfLine = 16;
  constexpr size_t kSteps = 1 << 13;
  std::vector<uint32_t> order(bytes / sizeof(uint32_t) / kWordsOfLine);
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin() + 1, order.end(), std::mt19937(2));
  std::vector<uint32_t> next(order.size() * kWordsOfLine);
  for (size_t i = 0; i < order.size(); ++i)
    next[order[i] * kWordsOfLine] =
        static_cast<uint32_t>(order[(i + 1) % order.size()] * kWordsOfLine);
  Options one = options;
  one.threads = 1;
  // Each repetition goes on where the one before arrived, so that all of the cycle is seen.
  uint32_t at = 0;
  const double seconds =
      shortest(one, [&](size_t) { at = native::chase(next.data(), at, kSteps); });
  require(at == order[kSteps * options.repetitions % order.size()] * kWordsOfLine,
          "the pointer chase");
  return seconds / kSteps * 1e9;
}

/// The best of several measurements of something, of which more is better, or less.
class Best {
public:
  explicit Best(bool more) : more_(more) {}
  void see(std::optional<double> value) {
    if (value && (!value_ || (more_ ? *value > *value_ : *value < *value_)))
      value_ = value;
  }
  std::optional<double> value() const { return value_; }

private:
  bool more_;
  std::optional<double> value_;
};

/// The highest (lowest) number of the lines below the title in clpeak's output, until the next.
std::optional<double> clpeakOf(const std::vector<std::string> &outputs, const std::string &title,
                               bool more) {
  Best best(more);
  for (const std::string &output : outputs) {
    std::istringstream lines(output);
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
      const size_t colon = line.rfind(" : ");
      if (line.find(title) != std::string::npos)
        inside = true;
      else if (colon == std::string::npos && line.find_first_not_of(' ') != std::string::npos)
        inside = false;
      if (inside && colon != std::string::npos)
        best.see(std::strtod(line.c_str() + colon + 3, nullptr));
    }
  }
  return best.value();
}

std::string readsWithin(size_t bytes) {
  return fmt::format("reads within {} KiB", bytes >> 10U);
}
std::string streamOver(size_t bytes) {
  return fmt::format("stream over {} KiB", bytes >> 10U);
}
std::string latencyWithin(size_t bytes) {
  return fmt::format("latency within {} KiB", bytes >> 10U);
}
constexpr size_t kReads[] = {size_t{16} << 10U, size_t{256} << 10U};
constexpr size_t kStreams[] = {size_t{512} << 10U, size_t{128} << 20U};
constexpr size_t kLatencies[] = {size_t{16} << 10U, size_t{512} << 10U, size_t{8} << 20U,
                                 size_t{128} << 20U};
const std::string kPeak32 = "fp32 peak";
const std::string kPeak64 = "fp64 peak";

/// Every native number, one a line: "fp32 peak,123.4".
std::string nativeLines(const Options &options) {
  std::string text;
  const auto add = [&](const std::string &what, double value) {
    text += fmt::format("{},{:.4g}\n", what, value);
  };
  add(kPeak32, peak<float>(options, 16));
  add(kPeak64, peak<double>(options, 8));
  for (const size_t bytes : kReads)
    add(readsWithin(bytes), summed(options, bytes));
  for (const size_t bytes : kStreams)
    add(streamOver(bytes), streamed(options, bytes));
  for (const size_t bytes : kLatencies)
    add(latencyWithin(bytes), chased(options, bytes));
  return text;
}

class Table {
public:
  explicit Table(const Options &options) {
    for (const std::string &file : options.profiles) {
      const DeviceProfile device = predict::readDevice(file);
      if (!device.measurements)
        throw Error(
            fmt::format("{}: no measurements: expected what aiwc devices measure wrote", file));
      measured_.push_back(*device.measurements);
    }
    for (const std::string &file : options.clpeak)
      outputs_.push_back(readFile(file, "clpeak's output"));
    for (const std::string &file : options.native)
      native_ += readFile(file, "lines of aiwc-native-rates");
  }

  std::string text() {
    using Pick = std::function<std::optional<double>(const DeviceMeasurements &)>;
    const auto fastest = [](const std::string &prefix) -> Pick {
      return [prefix](const DeviceMeasurements &measured) {
        Best best(true);
        for (const predict::Figure &figure : measured.figures)
          if (figure.key.starts_with(prefix))
            best.see(figure.value);
        return best.value();
      };
    };
    add(kPeak32, "GFLOP/s", true, fastest("fp32_"), "native", nativeOf(kPeak32, true));
    add(kPeak64, "GFLOP/s", true, fastest("fp64_"), "native", nativeOf(kPeak64, true));
    const auto at = [](const predict::Curve DeviceMeasurements::*curve, double bytes) -> Pick {
      return [=](const DeviceMeasurements &measured) {
        const predict::Curve &points = measured.*curve;
        return points.empty() ? std::nullopt : std::optional(predict::valueAt(points, bytes));
      };
    };
    for (const size_t bytes : kReads)
      add(readsWithin(bytes), "GB/s", true,
          at(&DeviceMeasurements::bandwidth, static_cast<double>(bytes)), "native",
          nativeOf(readsWithin(bytes), true));
    for (const size_t bytes : {size_t{512} << 10U, size_t{128} << 20U})
      add(
          fmt::format("stream over {} KiB", bytes >> 10U), "GB/s", true,
          [=](const DeviceMeasurements &measured) {
            const auto *curve = measured.curve(predict::Idiom::kStream);
            return curve ? std::optional(curve->bandwidthAt(static_cast<double>(bytes)))
                         : std::nullopt;
          },
          "native", nativeOf(streamOver(bytes), true));
    for (const size_t bytes : kLatencies)
      add(latencyWithin(bytes), "ns", false,
          at(&DeviceMeasurements::latency, static_cast<double>(bytes)), "native",
          nativeOf(latencyWithin(bytes), false));
    add("fp32 peak", "GFLOP/s", true, fastest("fp32_"), "clpeak",
        clpeakOf(outputs_, "Single-precision compute", true));
    add("fp64 peak", "GFLOP/s", true, fastest("fp64_"), "clpeak",
        clpeakOf(outputs_, "Double-precision compute", true));
    add("int32 peak", "Gop/s", true, fastest("int32_mul_add_"), "clpeak",
        clpeakOf(outputs_, "Integer compute (", true));
    add(
        "memory bandwidth", "GB/s", true,
        [](const DeviceMeasurements &measured) {
          return measured.bandwidth.empty() ? std::nullopt
                                            : std::optional(measured.bandwidth.back().value);
        },
        "clpeak", clpeakOf(outputs_, "Global memory bandwidth", true));
    add(
        "launch latency", "us", false,
        [](const DeviceMeasurements &measured) { return measured.figure("launch_start_us"); },
        "clpeak", clpeakOf(outputs_, "Kernel launch latency", false));
    return text_;
  }

private:
  std::optional<double> nativeOf(const std::string &what, bool more) const {
    Best best(more);
    std::istringstream lines(native_);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with(what + ","))
        best.see(std::strtod(line.c_str() + what.size() + 1, nullptr));
    return best.value();
  }

  void add(const std::string &what, const std::string &unit, bool more,
           const std::function<std::optional<double>(const DeviceMeasurements &)> &pick,
           const std::string &tool, std::optional<double> other) {
    Best ours(more);
    for (const DeviceMeasurements &measured : measured_)
      ours.see(pick(measured));
    if (!ours.value() || !other)
      return;
    const double aim = unit == "ns" || unit == "us" ? 0.20 : 0.15;
    const double ratio = *ours.value() / *other;
    text_ +=
        fmt::format("{},{},{},{:.4g},{:.4g},{:.3f},{:.2f},{}\n", what, unit, tool, *ours.value(),
                    *other, ratio, aim, std::abs(ratio - 1) <= aim ? "yes" : "no");
  }

  std::vector<DeviceMeasurements> measured_;
  std::vector<std::string> outputs_;
  std::string native_;
  std::string text_ = "quantity,unit,tool,aiwc,other,ratio,aim,within\n";
};

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Measures by native loops, beside what aiwc devices measure and clpeak measured");
  app.add_option("--profile", options.profiles,
                 "Profile that aiwc devices measure wrote; repeatable")
      ->type_name("FILE");
  app.add_option("--native", options.native, "What this program printed; repeatable")
      ->type_name("FILE");
  app.add_option("--clpeak", options.clpeak, "Output of clpeak; repeatable")->type_name("FILE");
  app.add_option("--threads", options.threads, "Threads of the native loops")
      ->check(CLI::Range(size_t{1}, size_t{1024}))
      ->capture_default_str();
  app.add_option("--repetitions", options.repetitions, "Of each native loop; the fastest counts")
      ->check(CLI::Range(size_t{1}, size_t{100'000}))
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    const std::string text =
        options.profiles.empty() ? nativeLines(options) : Table(options).text();
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      throw Error("standard output: cannot be written: expected room for the table");
  } catch (const Error &error) {
    std::fputs((std::string(error.what()) + "\n").c_str(), stderr);
    return 2;
  }
}
