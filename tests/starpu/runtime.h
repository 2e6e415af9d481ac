/// StarPU, which a process can start only once at a time, and what its models are compared with.
#pragma once

#include <aiwc_starpu.h>

#include <string>

namespace aiwc::test {

/// Whether StarPU has a worker of this kind.
bool hasWorker(starpu_worker_archtype kind);
/// The name that OpenCL gives to the device of StarPU's first OpenCL worker.
std::string openclDeviceName();

/// Closes it after StarPU's end, when StarPU writes the histories of its models.
void closeAtEnd(aiwc_starpu *starpu);

} // namespace aiwc::test
