#pragma once

#include "eod/common/opencl.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// The host library of the benchmark suite: the code that all applications share (options, choice
/// of device, build, buffers, launches, timing, output). An application derives from Application,
/// describes itself, and passes itself to runApplication(). Nothing in common/ depends on an
/// application.
namespace aiwc::eod {

class Parameters;
class Session;

enum class Size { kTiny, kSmall, kMedium, kLarge };
inline constexpr std::array kSizes{Size::kTiny, Size::kSmall, Size::kMedium, Size::kLarge};
/// "tiny", "small", "medium", "large".
std::string_view name(Size size);

struct Description {
  std::string name;    ///< "lud"; the program is eod-lud
  std::string dwarf;   ///< the Berkeley dwarf that it represents
  std::string summary; ///< what it computes, in one line
  std::string source;  ///< OpenCL C
  std::vector<std::string> kernels;
  std::string localSizeMeaning;   ///< what --local-size sets
  std::vector<size_t> localSizes; ///< the legal ones, increasing
  size_t defaultLocalSize;        ///< a smaller legal one is used if the device requires it
};

/// A buffer of device memory. All of them exist from set-up to the end.
struct Allocation {
  std::string name;
  uint64_t bytes;
  cl_mem_flags flags = CL_MEM_READ_WRITE;
  /// Whether the kernels of the repeated work access it. The sum over these buffers is the
  /// footprint that the problem sizes are chosen by.
  bool inFootprint = true;
};

/// The resources that a local size needs on the device, the maximum over the kernels.
struct WorkGroup {
  uint64_t workItems;
  uint64_t localBytes;
};

/// The result of verification.
struct Verdict {
  bool passed;
  std::string finding; ///< one line: what was compared, the difference, and the allowed difference
};

/// One benchmark. The driver calls: selectSize and the options, checkParameters, allocations,
/// then setUp once, run once or many times, verify and result after the last run.
class Application {
public:
  Application() = default;
  Application(const Application &) = delete;
  Application &operator=(const Application &) = delete;
  virtual ~Application();

  virtual const Description &description() const = 0;
  /// Adds the application's own options.
  virtual void addOptions(Parameters &parameters) = 0;
  /// Sets the parameters that define the named size, and no others.
  virtual void selectSize(Size size) = 0;
  /// Throws UsageError if the parameters do not define a valid problem.
  virtual void checkParameters() const = 0;
  /// The size parameter as the suite's tables write it: "240", "72x54", "2048,30,5".
  virtual std::string parameter() const = 0;
  /// Further settings that determine the amount of computation: "at most 10 iterations". May be
  /// empty.
  virtual std::string settings() const { return ""; }
  virtual std::vector<Allocation> allocations(size_t localSize) const = 0;
  virtual WorkGroup workGroup(size_t localSize) const = 0;
  virtual std::string buildOptions(size_t localSize) const = 0;

  /// Generates the input from the seed.
  virtual void setUp(Session &session, uint64_t seed) = 0;
  /// Computes the result once, from the input, transfers included.
  virtual void run(Session &session) = 0;
  /// Compares the result of the last run with a reference that shares no code with the kernels.
  virtual Verdict verify(Session &session) = 0;
  /// The bytes of the result of the last run, for its hash.
  virtual std::string result() const = 0;
};

/// Runs the whole program. Returns 0 after success, 1 if the result is wrong or OpenCL failed, 2 if
/// it stopped before any work. Every failure is one line on stderr.
int runApplication(Application &application, int argc, char **argv);

/// The bytes of a vector of numbers; valid as long as the vector is.
template <typename T> std::string_view bytesOf(const std::vector<T> &values) {
  static_assert(std::is_arithmetic_v<T>);
  return {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T)};
}

/// The smallest multiple of `step` that is not below `value`.
constexpr uint64_t roundUp(uint64_t value, uint64_t step) {
  return (value + step - 1) / step * step;
}

} // namespace aiwc::eod
