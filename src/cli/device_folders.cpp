#include "device_folders.h"

namespace aiwc::cli {

void addDeviceFolders(CLI::App &command, std::vector<std::string> &folders) {
  command
      .add_option("--device-dir", folders,
                  "Folder of device profiles in place of the usual ones; repeat it for several")
      ->type_name("DIR")
      ->expected(1)
      ->allow_extra_args(false) // or it would take what follows, profiles included
      ->take_all();
}

predict::DeviceLibrary loadDevices(const std::vector<std::string> &folders) {
  return predict::DeviceLibrary(predict::deviceFolders({folders.begin(), folders.end()}));
}

} // namespace aiwc::cli
