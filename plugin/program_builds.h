/// Programs in OpenCL C 2 and 3 and in SPIR-V, which Oclgrind compiles but does not run, or does
/// not take.
#pragma once

namespace aiwc::plugin {

/// Has the preloaded library, if there is one, pass the builds of programs to the plugin from now
/// on: what a program in OpenCL C 2 or 3 uses beyond Oclgrind is lowered after Oclgrind has
/// compiled it, by aiwc-opencl-device, and a program in SPIR-V is translated. What cannot be
/// lowered is an error in the build log. Programs in OpenCL C up to 1.2 are Oclgrind's own, but for
/// integers of few bits, which Oclgrind computes wrongly (lowering/passes.h).
void takeBuilds();

} // namespace aiwc::plugin
