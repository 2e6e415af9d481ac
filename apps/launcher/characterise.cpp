// The application in the simulator, with the plugin.

#include "common/error.h"
#include "launcher/child.h"
#include "launcher/locate.h"
#include "launcher/opencl_device.h"
#include "launcher/preflight.h"
#include "launcher/recording.h"
#include "launcher/run_content.h"
#include "launcher/session.h"
#include "launcher/task.h"
#include "predict/device_library.h"
#include "predict/opencl_type.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace aiwc::launcher {
namespace {

std::vector<std::string> stockCommand(const Stock &stock, const Characterise &task) {
  std::vector<std::string> command = {stock.program.string()};
  command.insert(command.end(), task.stockOptions.begin(), task.stockOptions.end());
  command.insert(command.end(), task.application.begin(), task.application.end());
  return command;
}

// The plugins: ours, then those of the command line, then those of the environment, each once,
// because a plugin that is loaded twice gets every callback twice.
std::string pluginList(const SessionOptions &options, const Characterise &task) {
  std::vector<std::string> lists = task.plugins;
  if (const char *inherited = std::getenv("OCLGRIND_PLUGINS"))
    lists.emplace_back(inherited);
  std::vector<std::string> plugins = {options.plugin.string()};
  for (const std::string &list : lists)
    for (std::size_t begin = 0; begin < list.size();) {
      const std::size_t end = std::min(list.find(':', begin), list.size());
      const std::string plugin = list.substr(begin, end - begin);
      begin = end + 1;
      std::error_code error;
      bool known = plugin.empty() || fs::equivalent(plugin, options.plugin, error);
      for (const std::string &other : plugins)
        known |= other == plugin;
      if (!known)
        plugins.push_back(plugin);
    }
  std::string joined = plugins.front();
  for (std::size_t i = 1; i < plugins.size(); ++i)
    joined += ":" + plugins[i];
  return joined;
}

// The device that the application sees. Throws Error for an id that the library does not have.
launcher::OpenClDevice chosenDevice(const SessionOptions &options) {
  if (options.device.empty())
    return launcher::genericGpu();
  return launcher::openClDeviceOf(predict::DeviceLibrary(predict::deviceFolders())[options.device]);
}

// Half of this machine's memory: the simulated device has its buffers there.
std::uint64_t mostDeviceMemory() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 2;
}

// Describes the device to the preloaded library and to Oclgrind, whose limits the user may have set
// in the environment; options of the command line replace these later.
void showDevice(launcher::OpenClDevice device) {
  if (device.memoryBytes)
    device.memoryBytes = std::min(*device.memoryBytes, mostDeviceMemory());
  const auto limit = [](const char *variable, std::uint64_t value) {
    ::setenv(variable, std::to_string(value).c_str(), 0);
  };
  limit("OCLGRIND_COMPUTE_UNITS", device.computeUnits);
  limit("OCLGRIND_LOCAL_MEM_SIZE", device.localBytes);
  limit("OCLGRIND_MAX_WGSIZE", device.workGroupItems);
  ::setenv("AIWC_DEVICE", device.text().c_str(), 1);
  ::setenv("AIWC_DEVICE_NAME", device.name.c_str(), 1);
}

} // namespace

int perform(const Characterise &task) {
  if (calledBack()) { // the launcher that ran the script does the rest
    const Stock stock = findStock();
    markScript(stock);
    replaceBy(stockCommand(stock, task));
  }
  if (task.application.empty())
    throw Error("no application to characterise: expected oclgrind --aiwc [OPTIONS] COMMAND");
  checkApplication(task.application.front());
  SessionOptions options = optionsOfRun(task.options, task.application);
  const launcher::OpenClDevice device = chosenDevice(options);
  checkOutput(options.output, options.append);
  const Stock stock = findStock();

  Children children; // outlives the folder, so that a signal cannot leave the folder undeleted
  PrivateFolder scratch;
  checkTools(stock, options, children, scratch);
  const bool hasPreload = fs::exists(findPreload(options.plugin));
  if (namesInterpretedKernels(options.engine) && !hasPreload)
    throw Error("'" + findPreload(options.plugin).string() +
                "' does not exist: expected the library of the compiled engine beside the plugin");

  run::Run run = begun(task.application, task.options, task.stockOptions);
  if (hasPreload)
    run.answeredAs = {device.id, std::string(predict::openClType(device.type))};
  const std::string plugins = pluginList(options, task);
  return record({options, children, scratch}, std::move(run), stockCommand(stock, task), [&] {
    markScript(stock);
    setEnvironment(options);
    ::setenv("OCLGRIND_PLUGINS", plugins.c_str(), 1);
    if (hasPreload) {
      // Stock Oclgrind puts its runtime before all of them.
      addLibrary("LD_PRELOAD", findPreload(options.plugin), scratch);
      showDevice(device);
    }
    // Its second build would be from a binary.
    ::setenv("PYOPENCL_NO_CACHE", "1", 0);
    const char *threads = std::getenv("OCLGRIND_NUM_THREADS");
    // With more, Oclgrind 21.10 sometimes corrupts its heap.
    if (!threads || !*threads)
      ::setenv("OCLGRIND_NUM_THREADS", "1", 1);
  });
}

} // namespace aiwc::launcher
