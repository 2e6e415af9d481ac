/// A run: what `oclgrind --aiwc` did for one command. It is a folder with profiles, the sources of
/// their kernels, and run.json (docs/formats.md, "Runs").
#pragma once

#include "run/launch.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::run {

/// The version of the format of run.json. Incremented when a reader of the old format would misread
/// the new one.
inline constexpr uint64_t kRunSchemaVersion = 2;

/// So many launches of a run are written in full, for people and simple scripts; those after them
/// only in what they differ from an earlier one, if there is one like them.
inline constexpr size_t kLaunchesInFull = 1000;

/// The device that the application saw.
struct AnsweredAs {
  std::string device; ///< its id; empty if Oclgrind answered
  std::string type;   ///< in OpenCL: "cpu", "gpu" or "accelerator"

  bool operator==(const AnsweredAs &) const = default;
};

struct Run {
  std::vector<std::string> command; ///< the application and its arguments
  std::vector<std::string> options; ///< of the launcher, as the user wrote them
  std::string folder;               ///< in which the command ran
  std::string started;              ///< "2026-11-22T15:49:00Z"
  /// What follows is known when the application has ended.
  std::optional<double> seconds; ///< from its start to its end
  /// How the application ended: its exit status, or 128 and the number of the signal that ended it.
  uint64_t status = 0;
  /// The signal that ended the application, or that the launcher was told to end it by: 2 for
  /// SIGINT. 0 if it ended by itself.
  uint64_t cutOffBy = 0;
  std::string toolVersion; ///< of this project
  std::string oclgrindVersion;
  AnsweredAs answeredAs;
  std::vector<std::string> asked;  ///< what the application asked of it: "CL_DEVICE_TYPE", sorted
  std::vector<std::string> errors; ///< what could not be done
  std::vector<Launch> launches;    ///< of all processes, in the order in which they ended

  bool finished() const { return seconds.has_value(); }
  bool operator==(const Run &) const = default;
};

/// run.json: an object with one line per value, and one line per launch. Equal runs give equal
/// bytes.
std::string toJson(const Run &run);

/// Reads what `toJson` wrote. Throws Error, `file:line:column: what is wrong: what was expected`.
Run runOf(std::string_view text, const std::string &file);

/// Whether the command is that of the host program of `aiwc kernel`.
bool isKernelHost(const std::vector<std::string> &command);

/// Sets DeviceTime::first of the measured launches.
void markFirstLaunches(Run &run);

/// Now, as `Run::started` has it.
std::string timestamp();

/// "SIGINT", or "signal 40" for one without a name.
std::string signalName(uint64_t signal);

/// The command on one line, as people type it: "./app 3", "aiwc kernel blur.cl".
std::string commandLine(const Run &run);

} // namespace aiwc::run
