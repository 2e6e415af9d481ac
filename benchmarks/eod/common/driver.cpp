#include "eod/common/application.h"
#include "eod/common/device.h"
#include "eod/common/device_energy.h"
#include "eod/common/options.h"
#include "eod/common/output_file.h"
#include "eod/common/program_source.h"
#include "eod/common/report.h"
#include "eod/common/session.h"
#include "eod/common/tuning.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdio>

namespace aiwc::eod {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// What the counter advanced by since `before`.
std::optional<double> joulesSince(std::optional<double> before, EnergyCounter *energy) {
  const std::optional<double> now = energy ? energy->joules() : std::nullopt;
  return before && now ? std::optional(*now - *before) : std::nullopt;
}

Sample takeSample(Application &application, Session &session, EnergyCounter *energy,
                  double minSeconds) {
  Recorder &recorder = session.recorder();
  recorder.beginSample();
  const std::optional<double> joules = energy ? energy->joules() : std::nullopt;
  const Clock::time_point begin = Clock::now();
  do {
    recorder.beginRun();
    application.run(session);
    session.finish();
    recorder.endRun();
  } while (secondsSince(begin) < minSeconds);
  recorder.setEnergy(joulesSince(joules, energy));
  return recorder.sample();
}

void print(std::FILE *stream, const std::string &text) {
  if (std::fwrite(text.data(), 1, text.size(), stream) != text.size() || std::fflush(stream) != 0)
    throw Error("standard output: cannot be written");
}

/// What the kernels are built from.
std::string programOf(const Application &application, const Options &options) {
  return options.program.empty() ? application.description().source : readProgram(options.program);
}

int measure(Application &application, const Options &options) {
  const std::string program = programOf(application, options);
  OutputFile csv(options.csv);
  OutputFile json(options.json);
  const Device device = selectDevice(options);
  std::vector<size_t> localSizes = localSizesFor(device, application, options);
  checkFits(device, application.allocations(localSizes.front()));

  Report report;
  report.application = &application;
  report.options = options;
  report.device = device;
  if (options.tune) {
    report.tuning = measureLocalSizes(device, application, options.seed, program);
    localSizes = {fastest(report.tuning).localSize};
  }
  const Clock::time_point begin = Clock::now();
  Session session(device, application, localSizes, program);
  application.setUp(session, options.seed);
  report.setUpUs = 1e6 * secondsSince(begin);
  report.localSize = session.localSize();
  report.buildOptions = session.buildOptions();
  report.sourceHash = programHash(program);

  const std::unique_ptr<EnergyCounter> energy = counterFor(device.id);
  for (uint32_t i = 0; i < options.samples; ++i)
    report.samples.push_back(takeSample(application, session, energy.get(), options.minSeconds));
  if (options.verify)
    report.verdict = application.verify(session);

  print(csv.isStdout() || json.isStdout() ? stderr : stdout, toText(report));
  if (csv.wanted())
    csv.commit(toCsv(report));
  if (json.wanted())
    json.commit(toJson(report));
  if (report.verdict && !report.verdict->passed)
    throw Error("wrong result: " + report.verdict->finding);
  return 0;
}

int list(Application &application, const Options &options) {
  OutputFile json(options.json);
  if (!json.isStdout())
    print(stdout, sizeTable(application, options));
  if (json.wanted())
    json.commit(sizesToJson(application, options));
  return 0;
}

int complain(const Application &application, const char *message, int status) {
  fmt::print(stderr, "eod-{}: {}\n", application.description().name, message);
  return status;
}

} // namespace

int runApplication(Application &application, int argc, char **argv) {
  try {
    Options options;
    if (const auto status = parseOptions(options, application, argc, argv))
      return *status;
    if (options.list)
      return list(application, options);
    return measure(application, options);
  } catch (const UsageError &error) {
    return complain(application, error.what(), 2);
  } catch (const std::exception &error) {
    return complain(application, error.what(), 1);
  }
}

} // namespace aiwc::eod
