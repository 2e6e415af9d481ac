#pragma once

#include "common/error.h"
#include "launcher/child.h"
#include "launcher/locate.h"
#include "session/options.h"

#include <filesystem>

/// What is checked before the application starts, so that a characterisation which cannot work is
/// refused instead of silently left out after hours of simulation.
namespace aiwc::launcher {

/// The plugin is missing, does not load, or does not match the Oclgrind or the launcher.
class PluginError : public Error {
public:
  using Error::Error;
};

/// A folder for this run alone, removed with all that is in it.
class PrivateFolder {
public:
  /// In TMPDIR, or in /tmp. Throws Error if neither can hold it.
  PrivateFolder();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder &) = delete;
  PrivateFolder &operator=(const PrivateFolder &) = delete;
  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
};

/// Throws Error unless `folder` is a folder in which this process can write a file.
void checkOutput(const std::filesystem::path &folder);

/// Throws PluginError unless `stock` has the version that the plugin was built for.
void checkVersion(const Stock &stock, Children &children, const PrivateFolder &scratch);

/// Lets Oclgrind load the plugin of `options` into a program of ours. Throws PluginError, with
/// the loader's reason, unless the plugin then reports that it is there and has our version.
void checkPlugin(const Stock &stock, SessionOptions options, Children &children,
                 const PrivateFolder &scratch);

} // namespace aiwc::launcher
