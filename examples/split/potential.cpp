#include "potential.h"

#include "gem_cl.h"

#include <fmt/format.h>

#include <algorithm>

namespace aiwc::examples {

using eod::check;
using eod::Owned;

namespace {

constexpr size_t kTile = 64; // atoms in local memory at a time

Owned<cl_mem> makeBuffer(cl_context context, cl_mem_flags flags, size_t floats) {
  cl_int code = CL_SUCCESS;
  Owned<cl_mem> buffer(clCreateBuffer(context, flags, floats * sizeof(float), nullptr, &code));
  check(code, fmt::format("clCreateBuffer({} bytes)", floats * sizeof(float)));
  return buffer;
}

} // namespace

Problem makeProblem(uint32_t atoms, uint32_t vertices, size_t localSize, uint64_t seed) {
  Problem problem;
  problem.molecule = eod::gem::globule(atoms, seed);
  problem.surface = eod::gem::accessibleSurface(problem.molecule, vertices);
  problem.coefficients = eod::gem::coefficients(problem.molecule, {});
  for (const eod::PqrAtom &atom : problem.molecule)
    problem.atoms.insert(problem.atoms.end(), {atom.x, atom.y, atom.z, atom.charge});
  problem.vertices = vertices;
  problem.localSize = localSize;
  return problem;
}

Part::Part(cl_device_id device, const Problem &problem) : problem_(problem) {
  cl_int code = CL_SUCCESS;
  context_.reset(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code));
  check(code, "clCreateContext");
  queue_.reset(clCreateCommandQueue(context_.get(), device, CL_QUEUE_PROFILING_ENABLE, &code));
  check(code, "clCreateCommandQueue");
  const char *source = eod::kSource;
  program_.reset(clCreateProgramWithSource(context_.get(), 1, &source, nullptr, &code));
  check(code, "clCreateProgramWithSource(gem.cl)");
  check(clBuildProgram(program_.get(), 1, &device, fmt::format("-DTILE={}", kTile).c_str(), nullptr,
                       nullptr),
        "clBuildProgram(gem.cl)");
  kernel_.reset(clCreateKernel(program_.get(), kKernel, &code));
  check(code, fmt::format("clCreateKernel({})", kKernel));

  atoms_ = makeBuffer(context_.get(), CL_MEM_READ_ONLY, problem.atoms.size());
  for (Owned<cl_mem> *axis : {&x_, &y_, &z_})
    *axis = makeBuffer(context_.get(), CL_MEM_READ_ONLY, problem.vertices);
  potential_ = makeBuffer(context_.get(), CL_MEM_WRITE_ONLY, problem.vertices);

  const auto atoms = static_cast<cl_uint>(problem.molecule.size());
  const auto vertices = static_cast<cl_uint>(problem.vertices);
  const auto coulomb = static_cast<cl_float>(problem.coefficients.coulomb);
  const auto shift = static_cast<cl_float>(problem.coefficients.shift);
  cl_uint index = 0;
  const auto argument = [&](const auto &value) {
    check(clSetKernelArg(kernel_.get(), index, sizeof value, &value),
          fmt::format("clSetKernelArg({}, {})", kKernel, index));
    ++index;
  };
  argument(cl_mem{atoms_.get()});
  argument(atoms);
  argument(cl_mem{x_.get()});
  argument(cl_mem{y_.get()});
  argument(cl_mem{z_.get()});
  argument(cl_mem{potential_.get()});
  argument(vertices);
  argument(coulomb);
  argument(shift);
}

void Part::write(cl_mem buffer, const std::vector<float> &values, size_t first, size_t count) {
  check(clEnqueueWriteBuffer(queue_.get(), buffer, CL_FALSE, first * sizeof(float),
                             count * sizeof(float), values.data() + first, 0, nullptr, nullptr),
        fmt::format("clEnqueueWriteBuffer({} values from {})", count, first));
}

void Part::start(size_t offset, size_t size, std::vector<float> &potential) {
  const size_t first = offset; // a work-item has one vertex, but those behind the last one
  const size_t end = std::min(offset + size, problem_.vertices);
  // Every vertex needs all atoms, but of the vertices only the share's own.
  write(atoms_.get(), problem_.atoms, 0, problem_.atoms.size());
  write(x_.get(), problem_.surface.x, first, end - first);
  write(y_.get(), problem_.surface.y, first, end - first);
  write(z_.get(), problem_.surface.z, first, end - first);

  cl_event event = nullptr;
  check(clEnqueueNDRangeKernel(queue_.get(), kernel_.get(), 1, &offset, &size, &problem_.localSize,
                               0, nullptr, &event),
        fmt::format("clEnqueueNDRangeKernel({}, {} from {})", kKernel, size, offset));
  event_.reset(event);
  check(clEnqueueReadBuffer(queue_.get(), potential_.get(), CL_FALSE, first * sizeof(float),
                            (end - first) * sizeof(float), potential.data() + first, 0, nullptr,
                            nullptr),
        fmt::format("clEnqueueReadBuffer({} values from {})", end - first, first));
  check(clFlush(queue_.get()), "clFlush");
}

void Part::finish() {
  check(clFinish(queue_.get()), "clFinish");
  check(std::min(eod::info<cl_int>("clGetEventInfo", clGetEventInfo,
                                   CL_EVENT_COMMAND_EXECUTION_STATUS, event_.get()),
                 CL_SUCCESS),
        fmt::format("execution of {}", kKernel));
}

double Part::kernelSeconds() const {
  const auto time = [&](cl_profiling_info what) {
    return eod::info<cl_ulong>("clGetEventProfilingInfo", clGetEventProfilingInfo, what,
                               event_.get());
  };
  return static_cast<double>(time(CL_PROFILING_COMMAND_END) - time(CL_PROFILING_COMMAND_START)) /
         1e9;
}

} // namespace aiwc::examples
