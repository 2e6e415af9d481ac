#pragma once

#include <filesystem>
#include <vector>

/// Where things are: the stock Oclgrind behind this launcher, and our own files next to it.
namespace aiwc::launcher {

namespace fs = std::filesystem;

struct Stock {
  fs::path program;
  /// Somebody's wrapper script rather than a program; it may lead back to this launcher.
  bool script = false;
};

/// The file that AIWC_OCLGRIND names, or the next `oclgrind` on PATH: behind this launcher if it is
/// itself on PATH, never one of our launchers, never a script that led here (see markScript).
/// Throws Error if there is none.
Stock findStock();

/// Notes in the environment that `stock` is about to be run if it is a script, so that a launcher
/// that the script starts in turn looks further. Removes the note for a program.
void markScript(const Stock &stock);

/// This launcher was started by a script that another launcher took for the stock Oclgrind.
bool calledBack();

/// The plugin: AIWC_PLUGIN, or the file at its place next to this launcher. It may not exist.
fs::path findPlugin();

/// The library to preload: beside `plugin`. It may not exist.
fs::path findPreload(const fs::path &plugin);

/// The program that makes Oclgrind load its plugins. It may not exist.
fs::path findPluginCheck();

} // namespace aiwc::launcher
