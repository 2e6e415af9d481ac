/// aiwc-scaling: how metrics follow the work-items from one problem size to another, and how good
/// profiles scaled from other sizes are. docs/embedding.md ("Other launches") has what comes out.
#include "automatch/automatch_model.h"
#include "cases.h"
#include "common/error.h"
#include "observed.h"
#include "predict/device_library.h"
#include "predicted.h"
#include "report.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

int main(int argc, char **argv) {
  using namespace aiwc;
  std::vector<std::string> folders;
  std::vector<std::string> deviceFolders;
  bool json = false;
  CLI::App app("Measures how profiles follow the NDRange");
  app.add_option("FOLDER", folders, "Folders of folders APPLICATION-SIZE of profiles")->required();
  app.add_option("--device-dir", deviceFolders, "Folder of device profiles, repeatable")
      ->allow_extra_args(false) // or it takes the folders, too
      ->type_name("DIR");
  app.add_flag("--json", json, "Print JSON");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    const std::vector<std::filesystem::path> paths(folders.begin(), folders.end());
    const auto kernels = scaling_study::readCases(paths);
    const std::vector<std::filesystem::path> chosen(deviceFolders.begin(), deviceFolders.end());
    const predict::DeviceLibrary library(predict::deviceFolders(chosen));
    const automatch::AutomatchModel model;
    const auto observed = scaling_study::observe(kernels);
    const auto trials = scaling_study::tryAll(kernels, library.devices(), model);
    const std::string text =
        json ? scaling_study::asJson(observed, trials) : scaling_study::asTable(observed, trials);
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      throw Error("standard output: cannot be written: expected room for the report");
  } catch (const Error &error) {
    std::fputs((std::string(error.what()) + "\n").c_str(), stderr);
    return 2;
  }
}
