#pragma once

#include "common/error.h"
#include "common/temporary_folder.h"
#include "launcher/child.h"
#include "launcher/locate.h"
#include "session/options.h"

#include <filesystem>
#include <string>

/// Checks before the application starts. A characterisation that cannot work is refused at once,
/// instead of being found missing after hours of simulation.
namespace aiwc::launcher {

/// The plugin is missing, does not load, or does not match the Oclgrind or the launcher.
class PluginError : public Error {
public:
  using Error::Error;
};

/// A temporary folder for this run only. What an application is told the path of, it still reaches
/// after it has changed its user; other users neither enter nor list the folder.
class PrivateFolder {
public:
  /// Throws Error if it cannot be made.
  PrivateFolder();
  const std::filesystem::path &path() const { return path_; }
  /// Makes `name` in the folder a symbolic link to `target`, in the place of an older one. Returns
  /// its path.
  std::filesystem::path link(const std::string &name, const std::filesystem::path &target) const;
  /// Leaves the folder to another process, which has a copy of this object.
  void leave() { whole_.leave(); }

private:
  TemporaryFolder whole_{"aiwc"};
  std::filesystem::path path_;
};

/// In a child: sends its output to the file `output` and gives it no input, so that it cannot read
/// the user's. Throws std::system_error.
void redirect(const std::filesystem::path &output);

/// Throws Error unless this process can write a file into the folder, and unless the folder holds
/// no run, or `append` is set. Makes the folder, for the test only, if there is none.
void checkOutput(const std::filesystem::path &folder, bool append);

/// Throws PluginError unless `stock` has the version that the plugin was built for and, with the
/// plugin of `options`, runs a program of ours in which the plugin then reports that it is loaded
/// and has our version; with the loader's reason. The cache of `options` remembers that this went
/// well for these files and the loader's environment: then nothing is run. A script may do
/// something else each time, and is always run.
void checkTools(const Stock &stock, const SessionOptions &options, Children &children,
                const PrivateFolder &scratch);

} // namespace aiwc::launcher
