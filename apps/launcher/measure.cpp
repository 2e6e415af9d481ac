// The application on its own device, with the layer of OpenCL's loader.

#include "attach/capture_memory.h"
#include "attach/pending_reports.h"
#include "common/error.h"
#include "launcher/captured.h"
#include "launcher/child.h"
#include "launcher/locate.h"
#include "launcher/preflight.h"
#include "launcher/recording.h"
#include "launcher/session.h"
#include "launcher/task.h"

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace aiwc::launcher {
namespace {

void setOrUnset(const char *variable, const std::string &value) {
  value.empty() ? ::unsetenv(variable) : ::setenv(variable, value.c_str(), 1);
}

} // namespace

int perform(const Measure &task) {
  checkApplication(task.application.front());
  SessionOptions options = optionsOfRun(task.options, task.application);
  checkOutput(options.output, options.append);
  const fs::path library = findLayer();
  if (!fs::exists(library))
    throw PluginError("'" + library.string() +
                      "' does not exist: expected the layer of aiwc attach there");
  Children children;
  PrivateFolder scratch;
  run::Run run = begun(task.application, task.options);
  std::vector<std::string> command = task.application;
  command.front() = applicationPath(command.front()).string();
  // Made here: the links that they name lead to the process that makes them.
  std::string budget, reports;
  std::optional<Capturing> capturing;
  if (task.capture)
    budget =
        attach::budgetText(capturing.emplace(*task.capture, options, children, scratch).budget());
  std::optional<PendingLaunches> pending;
  try {
    reports = pending.emplace(scratch).hold();
  } catch (const Error &) { // a killed process then takes its last launches along
  }
  const OwnDevice device{task.preload, capturing ? &*capturing : nullptr,
                         pending ? &*pending : nullptr};
  return record({options, children, scratch, &device}, std::move(run), command, [&] {
    setEnvironment(options);
    addLibrary("OPENCL_LAYERS", library, scratch);
    if (task.preload)
      addLibrary("LD_PRELOAD", library, scratch);
    setOrUnset(attach::kReportsVariable, reports);
    setOrUnset(attach::kBudgetVariable, budget);
    ::setenv("PYOPENCL_NO_CACHE", "1", 0); // its second build would be from a binary
  });
}

} // namespace aiwc::launcher
