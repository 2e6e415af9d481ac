#include "eod/common/measurements.h"

#include "eod/common/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace aiwc::eod {

NdRange::NdRange(std::initializer_list<size_t> globalSize, std::initializer_list<size_t> localSize)
    : dimensions(static_cast<cl_uint>(globalSize.size())) {
  if (globalSize.size() != localSize.size() || globalSize.size() < 1 || globalSize.size() > 3)
    throw Error(fmt::format("NDRange of {} global and {} local sizes: expected 1 to 3 of each",
                            globalSize.size(), localSize.size()));
  std::ranges::copy(globalSize, global.begin());
  std::ranges::copy(localSize, local.begin());
}

std::string shape(const std::array<size_t, 3> &sizes, cl_uint dimensions) {
  std::string text = fmt::format("{}", sizes[0]);
  for (cl_uint d = 1; d < dimensions; ++d)
    text += fmt::format("x{}", sizes[d]);
  return text;
}

void Recorder::beginSample() {
  sample_ = {};
}

void Recorder::beginRun() {
  launchesOfRun_ = 0;
}

size_t Recorder::launch(const std::string &kernel, const NdRange &range) {
  const size_t row = launchesOfRun_++;
  std::vector<Launch> &rows = sample_.launches;
  if (sample_.runs == 0) {
    const auto invocation =
        std::ranges::count_if(rows, [&](const Launch &l) { return l.kernel == kernel; });
    rows.push_back({kernel, static_cast<uint64_t>(invocation), range});
  } else if (row >= rows.size() || rows[row].kernel != kernel || rows[row].range != range) {
    throw Error(fmt::format("launch {} of run {} is not that of the first run: {}", row,
                            sample_.runs, kernel));
  }
  return row;
}

void Recorder::addTime(size_t row, uint64_t nanoseconds) {
  ++sample_.launches[row].runs;
  sample_.launches[row].nanoseconds += nanoseconds;
}

void Recorder::addTransfer(bool toDevice, uint64_t bytes, uint64_t nanoseconds) {
  Transfers &transfers = toDevice ? sample_.toDevice : sample_.toHost;
  ++transfers.count;
  transfers.bytes += bytes;
  transfers.nanoseconds += nanoseconds;
}

void Recorder::endRun() {
  if (launchesOfRun_ != sample_.launches.size())
    throw Error(fmt::format("run {} made {} launches, the first one {}", sample_.runs,
                            launchesOfRun_, sample_.launches.size()));
  ++sample_.runs;
}

} // namespace aiwc::eod
