// What captures of earlier runs are left, in the simulator.

#include "common/file.h"
#include "launcher/capture_jobs.h"
#include "launcher/captured.h"
#include "launcher/child.h"
#include "launcher/preflight.h"
#include "launcher/recording.h"
#include "launcher/report.h"
#include "launcher/session.h"
#include "launcher/task.h"
#include "run/folder.h"
#include "run/run.h"
#include "session/status.h"

#include <sys/wait.h>

#include <cstddef>
#include <vector>

namespace aiwc::launcher {

int perform(const Resume &task) {
  SessionOptions options = sessionOptions(task.options);
  options.output = absolutePath(task.folder);
  const std::vector<LeftCaptures> runs = leftIn(options.output);
  Children children;
  const PrivateFolder scratch;
  std::size_t left = 0;
  int signal = 0;
  SessionStatus status;
  status.loaded = true;
  for (const LeftCaptures &ofRun : runs) {
    run::Run run = run::readRun(ofRun.file);
    CaptureJobs jobs(options, children, scratch.path(), nullptr);
    addCaptures(ofRun, options.output, jobs);
    if (signal == 0)
      signal = characteriseCaptures(jobs, children, options.quiet);
    mergeProfiles(run, ofRun.processes, jobs);
    left += keepCaptures(jobs, ofRun.processes, options, ofRun.file);
    replaceFile(ofRun.file, toJson(run));
    status.errors = run.errors;
    reportTimes(status, run, options);
  }
  if (!options.quiet)
    reportLeft(left, false, options);
  if (signal != 0)
    throw Interrupted{signal};
  return left > 0 ? W_EXITCODE(kPluginStatus, 0) : 0;
}

} // namespace aiwc::launcher
