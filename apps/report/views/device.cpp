#include "report/views.h"

namespace aiwc::report {

const std::vector<View> &deviceViews() {
  static const std::vector<View> views = {
      {"roofline",
       "Roofline",
       "the rates that the device can reach over the operations per byte",
       {{"label", "Roofline: operations per second over operations per byte"},
        {"x", "floating-point operations per byte"},
        {"y", "GFLOP/s"},
        {"roof", "{peak} from {bandwidth}: {rate} GFLOP/s, {slope} GB/s"},
        {"caption",
         "The most that the device can reach. Left of a corner the bandwidth limits, right of it "
         "the cores do. From memory, the cores are the limit from {ridge} operations per byte "
         "on."}}},
      {"idioms",
       "Idioms",
       "bandwidth of patterns of accesses over their footprint",
       {{"label", "Bandwidth of idioms over their footprint"},
        {"x", "footprint"},
        {"y", "GB/s"},
        {"caption",
         "Measured bandwidth of patterns of accesses, over the bytes that they touch. A curve "
         "falls where its footprint leaves a cache."}}},
      {"latency",
       "Latency",
       "time of a dependent load over the working set, with the levels of the memory",
       {{"label", "Latency of a dependent load over the working set"},
        {"x", "working set"},
        {"y", "ns"},
        {"load", "a dependent load"},
        {"level", "to {bytes}: {value} ns"},
        {"memory", "memory: {value} ns"},
        {"caption", "Measured time of a load whose address is the result of the load before it. "
                    "Each stair is a level of the memory, up to its size."}}},
      {"transfers",
       "Transfers",
       "time of copies between host and device over their size",
       {{"label", "Time of copies between host and device over their size"},
        {"x", "bytes of a copy"},
        {"y", "µs"},
        {"toDevice", "host to device"},
        {"toHost", "device to host"},
        {"fit", "fit: {latency} µs, up to {rate} GB/s"},
        {"caption", "Measured times of copies, and the pieces of latency and bandwidth that were "
                    "fitted to them."}}},
  };
  return views;
}

} // namespace aiwc::report
