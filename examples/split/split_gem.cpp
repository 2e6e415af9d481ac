// Splits one launch of the suite's `gem` over several OpenCL devices, with the offsets and sizes
// that `aiwc split` prints, and holds the result against that of one device.

#include "devices.h"
#include "potential.h"
#include "shares.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace aiwc::examples {
namespace {

using eod::UsageError;

constexpr int kRounds = 2; // where times are to be compared

struct Options {
  uint32_t atoms = 102; // as eod-gem --size tiny
  uint32_t vertices = 1901;
  size_t localSize = 64;
  uint64_t seed = 1;
  std::string split;
  std::vector<std::string> shares;
  std::vector<std::string> devices;
  std::vector<cl_uint> computeUnits;
};

std::vector<Share> sharesOf(const Options &options, const Problem &problem) {
  std::vector<Share> shares;
  if (!options.split.empty())
    shares = readShares(options.split, kKernel);
  for (const std::string &share : options.shares)
    shares.push_back(parseShare(share));
  if (!shares.empty())
    checkShares(shares, problem.workItems(), problem.localSize);
  return shares;
}

Devices devicesFor(const Options &options, size_t shares) {
  Devices devices = !options.devices.empty()        ? namedDevices(options.devices)
                    : !options.computeUnits.empty() ? subDevices(options.computeUnits)
                                                    : equalSubDevices(shares);
  if (devices.parts.size() < shares)
    throw UsageError(fmt::format("{} shares for {} devices: expected one for each", shares,
                                 devices.parts.size()));
  return devices;
}

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// `rounds` times the same; the time is that of the last, which has nothing left to compile.
std::vector<float> runWhole(cl_device_id device, const Problem &problem, int rounds) {
  std::vector<float> potential(problem.vertices, NAN);
  Part part(device, problem);
  auto begin = std::chrono::steady_clock::now();
  for (int round = 0; round < rounds; ++round) {
    begin = std::chrono::steady_clock::now();
    part.start(0, problem.workItems(), potential);
    part.finish();
  }
  fmt::print("one device, {}\n  {:>10} {:>10} {:>14}\n  {:>10} {:>10} {:>11.3f} ms\n"
             "  {:.3f} ms with transfers\n",
             deviceName(device), "offset", "size", "kernel", 0, problem.workItems(),
             part.kernelSeconds() * 1e3, secondsSince(begin) * 1e3);
  return potential;
}

std::vector<float> runShares(const Devices &devices, const std::vector<Share> &shares,
                             const Problem &problem) {
  std::vector<float> potential(problem.vertices, NAN);
  std::vector<std::unique_ptr<Part>> parts(shares.size());
  for (size_t i = 0; i < shares.size(); ++i)
    if (shares[i].size > 0)
      parts[i] = std::make_unique<Part>(devices.parts[i].get(), problem);
  double seconds = 0;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (size_t i = 0; i < shares.size(); ++i)
      if (parts[i])
        parts[i]->start(shares[i].offset, shares[i].size, potential);
    for (const auto &part : parts)
      if (part)
        part->finish();
    seconds = secondsSince(begin);
  }

  fmt::print("{} shares\n  {:>10} {:>10} {:>14}  device\n", shares.size(), "offset", "size",
             "kernel");
  for (size_t i = 0; i < shares.size(); ++i)
    fmt::print("  {:>10} {:>10} {:>11.3f} ms  {}{}{}\n", shares[i].offset, shares[i].size,
               parts[i] ? parts[i]->kernelSeconds() * 1e3 : 0, deviceName(devices.parts[i].get()),
               shares[i].device.empty() ? "" : " for ", shares[i].device);
  fmt::print("  {:.3f} ms with transfers\n", seconds * 1e3);
  return potential;
}

/// Whether the parts are of the same kind as the whole: then they also round alike.
bool alike(const Devices &devices) {
  return std::ranges::all_of(devices.parts, [&](const OwnedDevice &part) {
    return deviceName(part.get()) == deviceName(devices.whole);
  });
}

void verify(const Problem &problem, const std::vector<float> &potential, uint64_t seed) {
  const eod::Verdict verdict = eod::gem::checkPotential(problem.molecule, problem.surface,
                                                        problem.coefficients, potential, seed);
  if (!verdict.passed)
    throw eod::Error("wrong: " + verdict.finding);
}

void run(const Options &options) {
  const Problem problem =
      makeProblem(options.atoms, options.vertices, options.localSize, options.seed);
  const std::vector<Share> shares = sharesOf(options, problem);
  const Devices devices = shares.empty() && options.devices.empty()
                              ? namedDevices({"0:0"})
                              : devicesFor(options, shares.size());
  const std::vector<float> expected =
      runWhole(devices.whole, problem, shares.empty() ? 1 : kRounds);
  verify(problem, expected, options.seed);
  if (shares.empty())
    return;

  const std::vector<float> potential = runShares(devices, shares, problem);
  verify(problem, potential, options.seed);
  size_t equal = 0;
  for (size_t i = 0; i < potential.size(); ++i)
    equal += std::memcmp(&potential[i], &expected[i], sizeof(float)) == 0;
  if (equal < potential.size() && alike(devices))
    throw eod::Error(fmt::format("wrong: {} of {} values differ from those of one device",
                                 potential.size() - equal, potential.size()));
  fmt::print("correct: {} of {} values are those of one device to the bit\n", equal,
             potential.size());
}

} // namespace
} // namespace aiwc::examples

int main(int argc, char **argv) {
  using namespace aiwc::examples;
  Options options;
  CLI::App app("The potential of a molecule at its surface, on several OpenCL devices at once",
               "split-gem");
  app.add_option("--atoms", options.atoms, "of the generated molecule")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--vertices", options.vertices, "of its surface")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  app.add_option("--local-size", options.localSize, "work-items of a work-group")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app.add_option("--seed", options.seed, "of the molecule")->capture_default_str();
  CLI::Option *split = app.add_option("--split", options.split, "what aiwc split --json printed");
  app.add_option("--share", options.shares, "OFFSET:SIZE in work-items, one for each device")
      ->excludes(split);
  CLI::Option *devices =
      app.add_option("--devices", options.devices, "PLATFORM:DEVICE, for the shares in their order")
          ->delimiter(',');
  app.add_option("--compute-units", options.computeUnits,
                 "cut the first device into sub-devices of so many compute units (default: equal)")
      ->delimiter(',')
      ->excludes(devices);
  try {
    app.parse(argc, argv);
    run(options);
    return 0;
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2; // prints help, too
  } catch (const aiwc::eod::UsageError &error) {
    std::fputs(fmt::format("split-gem: {}\n", error.what()).c_str(), stderr);
    return 2;
  } catch (const std::exception &error) {
    std::fputs(fmt::format("split-gem: {}\n", error.what()).c_str(), stderr);
    return 1;
  }
}
