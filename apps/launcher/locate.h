#pragma once

#include "common/error.h"

#include <filesystem>
#include <string>

/// Finds the stock Oclgrind that this launcher runs, and our own files. "This launcher" is the
/// program `oclgrind` of the installation, or `aiwc` in its place.
namespace aiwc::launcher {

namespace fs = std::filesystem;

struct Stock {
  fs::path program;
  /// Whether `program` is a wrapper script. A script may start this launcher again.
  bool script = false;
};

/// The file that AIWC_OCLGRIND names, or else the first suitable `oclgrind` on PATH. If this
/// launcher is itself on PATH, the search begins after it. It skips our launchers and any script
/// that started this launcher (see markScript). Throws Error if it finds none.
Stock findStock();

/// If `stock` is a script, notes in the environment that it is about to run, so that a launcher
/// which the script starts searches further. If `stock` is a program, removes the note.
void markScript(const Stock &stock);

/// Whether this launcher was started by a script that another launcher took for the stock Oclgrind.
bool calledBack();

/// Thrown for an application that cannot be started.
class ApplicationError : public Error {
public:
  ApplicationError(const std::string &message, int status) : Error(message), status_(status) {}
  /// The exit status of a shell: 127 if there is no such command, 126 if it cannot be executed.
  int status() const { return status_; }

private:
  int status_;
};

/// Checks that a shell would find and execute `command`, a path or a name on PATH. Throws
/// ApplicationError otherwise.
void checkApplication(const std::string &command);

/// The plugin: the file that AIWC_PLUGIN names, or the one installed with this launcher. The
/// file may be missing.
fs::path findPlugin();

/// The library to preload, in the folder of `plugin`. The file may be missing.
fs::path findPreload(const fs::path &plugin);

/// The layer that measures times (host/attach/layer.cpp). The file may be missing.
fs::path findLayer();

/// The command `aiwc` that was installed or built with this launcher. The file may be missing.
fs::path findCommand();

/// The path of `command`, a path or a name on PATH, for which `checkApplication` throws nothing.
fs::path applicationPath(const std::string &command);

/// One of the programs that aiwc runs: `aiwc-kernel-host`, the application of `aiwc kernel`;
/// `aiwc-plugin-check`, which makes Oclgrind load its plugins; `aiwc-target-code`, which compiles
/// kernels for other devices. The file may be missing.
fs::path findTool(const char *name);

} // namespace aiwc::launcher
