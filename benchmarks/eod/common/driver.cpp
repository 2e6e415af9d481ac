#include "eod/common/application.h"
#include "eod/common/device.h"
#include "eod/common/options.h"
#include "eod/common/output_file.h"
#include "eod/common/report.h"
#include "eod/common/session.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

namespace aiwc::eod {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

Sample takeSample(Application &application, Session &session, double minSeconds) {
  Recorder &recorder = session.recorder();
  recorder.beginSample();
  const Clock::time_point begin = Clock::now();
  do {
    recorder.beginRun();
    application.run(session);
    session.finish();
    recorder.endRun();
  } while (secondsSince(begin) < minSeconds);
  return recorder.sample();
}

void print(std::FILE *stream, const std::string &text) {
  if (std::fwrite(text.data(), 1, text.size(), stream) != text.size() || std::fflush(stream) != 0)
    throw Error("standard output: cannot be written");
}

int measure(Application &application, const Options &options) {
  OutputFile csv(options.csv);
  OutputFile json(options.json);
  const Device device = selectDevice(options);
  const std::vector<size_t> localSizes = localSizesFor(device, application, options);
  checkFits(device, application.allocations(localSizes.front()));

  Report report;
  report.application = &application;
  report.options = options;
  report.device = device;
  const Clock::time_point begin = Clock::now();
  Session session(device, application, localSizes);
  application.setUp(session, options.seed);
  report.setUpUs = 1e6 * secondsSince(begin);
  report.localSize = session.localSize();
  report.buildOptions = session.buildOptions();

  for (uint32_t i = 0; i < options.samples; ++i)
    report.samples.push_back(takeSample(application, session, options.minSeconds));
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
    if (options.list) {
      print(stdout, sizeTable(application, options));
      return 0;
    }
    return measure(application, options);
  } catch (const UsageError &error) {
    return complain(application, error.what(), 2);
  } catch (const std::exception &error) {
    return complain(application, error.what(), 1);
  }
}

} // namespace aiwc::eod
