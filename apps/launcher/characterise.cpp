// The application in the simulator, with the plugin.

#include "common/error.h"
#include "launcher/child.h"
#include "launcher/locate.h"
#include "launcher/preflight.h"
#include "launcher/recording.h"
#include "launcher/session.h"
#include "launcher/task.h"
#include "predict/device_library.h"
#include "predict/device_profile.h"
#include "predict/opencl_type.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace aiwc::launcher {
namespace {

/// What an implementation of OpenCL answers. The rules are in docs/devices.md, "As OpenCL describes
/// them".
struct OpenClDevice {
  std::string id;   ///< in the library, or kGenericGpu
  std::string name; ///< empty: the simulator's
  predict::DeviceType type = predict::DeviceType::kGpu;
  uint64_t computeUnits = 1;
  uint64_t clockMhz = 0;
  uint64_t preferredMultiple = 1; ///< of work-group sizes
  uint64_t workGroupItems = 1024; ///< the most of a work-group
  uint64_t localBytes = 0;        ///< of a work-group
  bool hasDouble = true, hasHalf = true;
  // Without a value, the simulator's.
  std::optional<uint64_t> memoryBytes, cacheBytes, lineBytes;
  std::optional<uint64_t> vectorBytes; ///< that the implementation prefers; 0: scalars

  /// The text of the variable AIWC_DEVICE (plugin/simulated_device.h).
  std::string text() const;
};

/// The id of the device that applications see where the user names none.
inline constexpr std::string_view kGenericGpu = "generic-gpu";

using predict::DeviceProfile;
using predict::DeviceType;
using predict::Parameter;

constexpr uint64_t kKib = 1024;

// Bits of cl_device_type and values of cl_device_local_mem_type.
constexpr uint64_t kCpuBit = 2, kGpuBit = 4, kAcceleratorBit = 8;
constexpr uint64_t kLocalMemory = 1, kGlobalMemory = 2;

std::optional<uint64_t> wholeOf(const DeviceProfile &device, Parameter parameter,
                                double factor = 1) {
  if (!device.has(parameter))
    return std::nullopt;
  return static_cast<uint64_t>(std::llround(device[parameter] * factor));
}

/// What vendors' implementations allow a work-group of a GPU.
struct Limits {
  std::string_view vendor;
  DeviceType type;
  uint64_t localBytes, items;
};
constexpr Limits kGpuLimits[] = {
    {"NVIDIA", DeviceType::kGpu, 48 * kKib, 1024},
    {"AMD", DeviceType::kGpu, 64 * kKib, 256},
    {"AMD", DeviceType::kIntegratedGpu, 64 * kKib, 256},
    {"Intel", DeviceType::kGpu, 64 * kKib, 1024},
    {"Intel", DeviceType::kIntegratedGpu, 64 * kKib, 256},
    {"Apple", DeviceType::kIntegratedGpu, 32 * kKib, 256},
};

/// PoCL's, on processors.
constexpr uint64_t kCpuItems = 4096, kCpuLocalBytes = 512 * kKib, kCpuMultiple = 8;

/// Whether the vendor's implementation has the extension cl_khr_fp16. NVIDIA's has not, whatever
/// the hardware computes, nor has PoCL 3.1 on processors.
bool hasHalf(const DeviceProfile &device) {
  if (device.type != DeviceType::kGpu && device.type != DeviceType::kIntegratedGpu)
    return false;
  if (device.vendor == "AMD") // from the third generation of GCN on
    return device.series != "Tahiti" && device.series != "Hawaii";
  if (device.vendor == "Intel")
    return device.series != "Gen7.5";
  return device.vendor == "Qualcomm";
}

bool isShared(DeviceType type) {
  return type == DeviceType::kCpu || type == DeviceType::kIntegratedGpu;
}

std::string OpenClDevice::text() const {
  const bool isCpu = type == DeviceType::kCpu;
  const uint64_t bit = isCpu                              ? kCpuBit
                       : type == DeviceType::kAccelerator ? kAcceleratorBit
                                                          : kGpuBit;
  std::string text = fmt::format(
      "type={} clock={} multiple={} local_type={} fp64={:d} fp16={:d} unified={:d}", bit, clockMhz,
      preferredMultiple, isCpu ? kGlobalMemory : kLocalMemory, hasDouble, hasHalf, isShared(type));
  if (memoryBytes) // the least that OpenCL allows an allocation to be
    text += fmt::format(" memory={} allocation={}", *memoryBytes, *memoryBytes / 4);
  if (cacheBytes && lineBytes)
    text += fmt::format(" cache={} line={}", *cacheBytes, *lineBytes);
  if (vectorBytes)
    text += fmt::format(" vector={}", *vectorBytes);
  return text;
}

/// A GPU of about 2020: 32 compute units, 48 KiB of local memory, 1024 work-items in a work-group,
/// multiples of 32.
OpenClDevice genericGpu() {
  OpenClDevice gpu;
  gpu.id = kGenericGpu;
  gpu.computeUnits = 32;
  gpu.clockMhz = 1500;
  gpu.preferredMultiple = 32;
  gpu.localBytes = 48 * kKib;
  gpu.memoryBytes = 8 * kKib * kKib * kKib;
  return gpu;
}

OpenClDevice openClDeviceOf(const DeviceProfile &device) {
  OpenClDevice result = genericGpu();
  const bool isCpu = device.type == DeviceType::kCpu;
  result.id = device.id;
  result.name = device.name;
  result.type = device.type;
  const auto lanes = wholeOf(device, Parameter::kLaneWidth);
  result.preferredMultiple = isCpu ? kCpuMultiple : lanes.value_or(result.preferredMultiple);
  const auto *limits = std::ranges::find_if(kGpuLimits, [&](const Limits &known) {
    return known.vendor == device.vendor && known.type == device.type;
  });
  if (limits != std::end(kGpuLimits)) {
    result.localBytes = limits->localBytes;
    result.workGroupItems = limits->items;
  } else if (isCpu) {
    result.localBytes = kCpuLocalBytes;
    result.workGroupItems = kCpuItems;
    constexpr uint64_t kLaneBytes = 4;
    if (lanes)
      result.vectorBytes = *lanes * kLaneBytes;
  }
  // A GPU whose profile has no compute units is taken for one of the generic size.
  const auto units = isCpu || device.type == DeviceType::kAccelerator
                         ? wholeOf(device, Parameter::kCores)
                         : wholeOf(device, Parameter::kComputeUnits);
  result.computeUnits = units.value_or(result.computeUnits);
  constexpr double kMhzPerGhz = 1000;
  result.clockMhz = wholeOf(device, Parameter::kClock, kMhzPerGhz).value_or(result.clockMhz);
  result.hasDouble = device.has(Parameter::kFp64Rate);
  result.hasHalf = hasHalf(device);
  if (const auto memory = wholeOf(device, Parameter::kMemoryCapacity))
    result.memoryBytes = memory;
  result.lineBytes = wholeOf(device, Parameter::kCacheLine);
  for (const Parameter level :
       {Parameter::kL3Capacity, Parameter::kL2Capacity, Parameter::kL1Capacity})
    if (!result.cacheBytes)
      result.cacheBytes = wholeOf(device, level);
  return result;
}

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
