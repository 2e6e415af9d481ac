// `shared_memory CASE` uses memory at one address for host and kernels, and prints what it finds
// there.

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "plugin/apps/opencl.h"

#include <CL/cl_ext.h>

#include <cstring>
#include <iostream>
#include <string>

namespace {

constexpr int kNodes = 64;

struct Node {
  Node *next;
  int value, sum;
};

constexpr const char *kSource = R"(
  struct node { global struct node *next; int value, sum; };
  // Each work-item adds up the list from its node on.
  kernel void walk(global struct node *nodes) {
    global struct node *start = nodes + get_global_id(0);
    int sum = 0;
    for (global struct node *at = start; at; at = at->next)
      sum += at->value;
    start->sum = sum;
  }
  // Every node points to the one after it, the last one to none.
  kernel void chain(global struct node *nodes) {
    const int i = get_global_id(0), n = get_global_size(0);
    nodes[i].next = i + 1 < n ? nodes + i + 1 : 0;
    nodes[i].value = i;
  }
  struct pair { ulong out; long number; };
  kernel void through(struct pair p) {
    ((global int *)p.out)[get_global_id(0)] = p.number + get_global_id(0);
  }
  // The words look like addresses, but no address is stored.
  kernel void numbers(global uint *out) { out[get_global_id(0)] = get_global_id(0) << 16; }
  kernel void copied(global uint *out, global const uint *in) {
    out[get_global_id(0)] = in[get_global_id(0)];
  }
)";

struct Simulator {
  cl_context context = app::createContext();
  cl_command_queue queue = app::createQueue(context);
  cl_program program = app::buildSource(context, kSource, "-cl-std=CL2.0");

  void run(const char *name, const void *pointer, size_t items) const {
    const cl_kernel kernel = app::createKernel(program, name);
    app::check(clSetKernelArgSVMPointer(kernel, 0, pointer), "clSetKernelArgSVMPointer");
    app::runKernel(queue, kernel, items, items);
    clReleaseKernel(kernel);
  }
  template <typename Value> Value *allocate(size_t count, cl_svm_mem_flags flags = 0) const {
    return static_cast<Value *>(
        clSVMAlloc(context, CL_MEM_READ_WRITE | flags, count * sizeof(Value), 0));
  }
  void map(void *pointer, size_t bytes) const {
    app::check(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, pointer, bytes, 0,
                               nullptr, nullptr),
               "clEnqueueSVMMap");
  }
  void unmap(void *pointer) const {
    app::check(clEnqueueSVMUnmap(queue, pointer, 0, nullptr, nullptr), "clEnqueueSVMUnmap");
  }
};

/// A list that the host has made, over two allocations; the pointers are the host's afterwards.
void walk(const Simulator &simulator) {
  Node *first = simulator.allocate<Node>(kNodes), *second = simulator.allocate<Node>(kNodes);
  simulator.map(first, kNodes * sizeof(Node));
  simulator.map(second, kNodes * sizeof(Node));
  for (int i = 0; i < kNodes; ++i) {
    first[i] = {&second[i], i, 0};
    second[i] = {i + 1 < kNodes ? &first[i + 1] : nullptr, 1000, 0};
  }
  simulator.unmap(first);
  simulator.unmap(second);
  simulator.run("walk", first, kNodes);
  simulator.map(first, kNodes * sizeof(Node));
  int right = 0;
  for (int i = 0; i < kNodes; ++i) {
    int sum = 0;
    for (const Node *at = &first[i]; at; at = at->next)
      sum += at->value;
    right += sum == first[i].sum && first[i].next == &second[i];
  }
  std::cout << right << " sums, the first " << first[0].sum << '\n';
  clSVMFree(simulator.context, first);
  clSVMFree(simulator.context, second);
}

/// A list that a kernel has made, from the middle of an allocation on.
void chain(const Simulator &simulator) {
  Node *nodes = simulator.allocate<Node>(2 * kNodes);
  simulator.run("chain", nodes + kNodes, kNodes);
  simulator.map(nodes, 2 * kNodes * sizeof(Node));
  int count = 0;
  for (const Node *at = nodes + kNodes; at; at = at->next)
    count += at == nodes + kNodes + at->value;
  std::cout << count << " nodes, untouched " << (nodes[kNodes - 1].next == nullptr) << '\n';
  clSVMFree(simulator.context, nodes);
}

/// Copies and fills.
void copies(const Simulator &simulator) {
  int *from = simulator.allocate<int>(16), *to = simulator.allocate<int>(16);
  int own[16];
  for (int i = 0; i < 16; ++i)
    own[i] = i * i;
  const cl_command_queue queue = simulator.queue;
  const int seven = 7;
  app::check(
      clEnqueueSVMMemFill(queue, to, &seven, sizeof seven, 16 * sizeof(int), 0, nullptr, nullptr),
      "clEnqueueSVMMemFill");
  app::check(clEnqueueSVMMemcpy(queue, CL_FALSE, from, own, sizeof own, 0, nullptr, nullptr),
             "clEnqueueSVMMemcpy");
  app::check(
      clEnqueueSVMMemcpy(queue, CL_FALSE, to + 4, from + 8, 4 * sizeof(int), 0, nullptr, nullptr),
      "clEnqueueSVMMemcpy");
  app::check(clEnqueueSVMMemcpy(queue, CL_TRUE, own, to, sizeof own, 0, nullptr, nullptr),
             "clEnqueueSVMMemcpy");
  for (const int value : own)
    std::cout << value << ' ';
  void *both[] = {from, to};
  cl_event freed = nullptr;
  app::check(clEnqueueSVMFree(queue, 2, both, nullptr, nullptr, 0, nullptr, &freed),
             "clEnqueueSVMFree");
  app::check(clWaitForEvents(1, &freed), "clWaitForEvents");
  clReleaseEvent(freed);
  std::cout << "\n";
}

/// An address within a structure that is passed by value.
void through(const Simulator &simulator) {
  struct {
    int *out;
    cl_long number;
  } pair = {simulator.allocate<int>(8), 40};
  const cl_kernel kernel = app::createKernel(simulator.program, "through");
  app::check(clSetKernelArg(kernel, 0, sizeof pair, &pair), "clSetKernelArg");
  void *used[] = {pair.out};
  app::check(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof used, used),
             "clSetKernelExecInfo");
  app::runKernel(simulator.queue, kernel, 8, 4);
  for (int i = 0; i < 8; ++i)
    std::cout << pair.out[i] << ' ';
  std::cout << "\n";
  clSVMFree(simulator.context, pair.out);
}

/// Numbers that are equal to the simulator's addresses stay, and so do consecutive ones, which two
/// by two might be the host's.
void numbers(const Simulator &simulator) {
  constexpr cl_uint kCount = 64;
  cl_uint *out = simulator.allocate<cl_uint>(kCount * 4096);
  simulator.run("numbers", out, kCount);
  cl_uint right = 0;
  for (cl_uint i = 0; i < kCount; ++i)
    right += out[i] == i << 16;
  constexpr cl_uint kMany = 1 << 16;
  cl_uint *from = simulator.allocate<cl_uint>(kMany);
  simulator.map(from, kMany * sizeof *from);
  for (cl_uint i = 0; i < kMany; ++i)
    from[i] = i;
  simulator.unmap(from);
  const cl_kernel kernel = app::createKernel(simulator.program, "copied");
  app::check(clSetKernelArgSVMPointer(kernel, 0, out), "clSetKernelArgSVMPointer");
  app::check(clSetKernelArgSVMPointer(kernel, 1, from), "clSetKernelArgSVMPointer");
  app::runKernel(simulator.queue, kernel, kMany, 64);
  cl_uint same = 0;
  for (cl_uint i = 0; i < kMany; ++i)
    same += out[i] == i;
  std::cout << right << ' ' << same << '\n';
  clSVMFree(simulator.context, from);
  clSVMFree(simulator.context, out);
}

template <typename Function> Function extension(const char *name) {
  cl_platform_id platform = nullptr;
  app::check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  auto *function = clGetExtensionFunctionAddressForPlatform(platform, name);
  if (!function)
    std::cout << name << " is missing\n";
  return reinterpret_cast<Function>(function);
}

void usm(const Simulator &simulator) {
  cl_int status = CL_SUCCESS;
  auto *nodes = static_cast<Node *>(extension<clHostMemAllocINTEL_fn>("clHostMemAllocINTEL")(
      simulator.context, nullptr, kNodes * sizeof(Node), 0, &status));
  app::check(status, "clHostMemAllocINTEL");
  const cl_kernel kernel = app::createKernel(simulator.program, "chain");
  const auto set = extension<clSetKernelArgMemPointerINTEL_fn>("clSetKernelArgMemPointerINTEL");
  app::check(set(kernel, 0, nodes), "clSetKernelArgMemPointerINTEL");
  app::runKernel(simulator.queue, kernel, kNodes, 16);
  int count = 0;
  for (const Node *at = nodes; at; at = at->next)
    ++count;
  auto *copy = static_cast<Node *>(extension<clDeviceMemAllocINTEL_fn>("clDeviceMemAllocINTEL")(
      simulator.context, app::device(), nullptr, kNodes * sizeof(Node), 0, &status));
  app::check(status, "clDeviceMemAllocINTEL");
  app::check(extension<clEnqueueMemcpyINTEL_fn>("clEnqueueMemcpyINTEL")(
                 simulator.queue, CL_TRUE, copy, nodes, kNodes * sizeof(Node), 0, nullptr, nullptr),
             "clEnqueueMemcpyINTEL");
  cl_unified_shared_memory_type_intel type = 0;
  app::check(extension<clGetMemAllocInfoINTEL_fn>("clGetMemAllocInfoINTEL")(
                 simulator.context, copy + 1, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, nullptr),
             "clGetMemAllocInfoINTEL");
  std::cout << count << " nodes, the copy's last value " << copy[kNodes - 1].value << ", "
            << (type == CL_MEM_TYPE_DEVICE_INTEL ? "of the device" : "elsewhere") << '\n';
  const auto free = extension<clMemFreeINTEL_fn>("clMemFreeINTEL");
  app::check(free(simulator.context, nodes), "clMemFreeINTEL");
  app::check(free(simulator.context, copy), "clMemFreeINTEL");
  std::cout << "freed twice: " << free(simulator.context, copy) << '\n';
}

/// A buffer that is made of shared memory, and a part of it: the kernel stores addresses within the
/// buffer, which are the host's afterwards.
void buffer(const Simulator &simulator) {
  Node *nodes = simulator.allocate<Node>(2 * kNodes);
  cl_int status = CL_SUCCESS;
  const cl_mem whole = clCreateBuffer(simulator.context, CL_MEM_USE_HOST_PTR | CL_MEM_READ_WRITE,
                                      2 * kNodes * sizeof(Node), nodes, &status);
  app::check(status, "clCreateBuffer");
  const cl_buffer_region second{kNodes * sizeof(Node), kNodes * sizeof(Node)};
  const cl_mem part =
      clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &second, &status);
  app::check(status, "clCreateSubBuffer");
  for (const cl_mem memory : {part, whole}) {
    const cl_kernel kernel = app::createKernel(simulator.program, "chain");
    app::check(clSetKernelArg(kernel, 0, sizeof memory, &memory), "clSetKernelArg");
    app::runKernel(simulator.queue, kernel, kNodes, 16);
    const Node *first = memory == part ? nodes + kNodes : nodes;
    int count = 0;
    for (const Node *at = first; at; at = at->next)
      count += at == first + at->value;
    std::cout << count << ' ';
    clReleaseKernel(kernel);
  }
  cl_bool isShared = CL_FALSE;
  app::check(
      clGetMemObjectInfo(whole, CL_MEM_USES_SVM_POINTER, sizeof isShared, &isShared, nullptr),
      "clGetMemObjectInfo");
  const cl_mem other = clCreateBuffer(simulator.context, CL_MEM_READ_WRITE, 64, nullptr, &status);
  cl_bool isOtherShared = CL_TRUE;
  app::check(clGetMemObjectInfo(other, CL_MEM_USES_SVM_POINTER, sizeof isOtherShared,
                                &isOtherShared, nullptr),
             "clGetMemObjectInfo");
  std::cout << isShared << ' ' << isOtherShared << '\n';
  for (const cl_mem memory : {other, part, whole})
    clReleaseMemObject(memory);
  clSVMFree(simulator.context, nodes);
}

/// What events tell, and an empty set of pointers.
void commands(const Simulator &simulator) {
  int *from = simulator.allocate<int>(16), *to = simulator.allocate<int>(16);
  const void *moved[] = {from};
  const int zero = 0;
  const cl_command_queue queue = simulator.queue;
  cl_event events[6] = {};
  app::check(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, from, 64, 0, nullptr, &events[0]),
             "map");
  app::check(clEnqueueSVMUnmap(queue, from, 0, nullptr, &events[1]), "unmap");
  app::check(clEnqueueSVMMemcpy(queue, CL_TRUE, to, from, 64, 0, nullptr, &events[2]), "copy");
  app::check(clEnqueueSVMMemFill(queue, to, &zero, sizeof zero, 64, 0, nullptr, &events[3]),
             "fill");
  app::check(clEnqueueSVMMigrateMem(queue, 1, moved, nullptr, 0, 0, nullptr, &events[4]), "move");
  app::check(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &events[5]), "marker");
  app::check(clFinish(queue), "clFinish");
  for (const cl_event event : events) {
    cl_command_type type = 0;
    app::check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), "type");
    std::cout << std::hex << type << std::dec << ' ';
    clReleaseEvent(event);
  }
  const cl_kernel kernel = app::createKernel(simulator.program, "walk");
  std::cout << clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr) << '\n';
  clReleaseKernel(kernel);
  clSVMFree(simulator.context, from);
  clSVMFree(simulator.context, to);
}

void refused(const Simulator &simulator) {
  std::cout << "fine-grained: "
            << (simulator.allocate<int>(4, CL_MEM_SVM_FINE_GRAIN_BUFFER) ? "there" : "null");
  int own = 0;
  const cl_kernel kernel = app::createKernel(simulator.program, "walk");
  std::cout << "\nanother pointer: " << clSetKernelArgSVMPointer(kernel, 0, &own) << '\n';
}

} // namespace

int main(int, char **argv) {
  const Simulator simulator;
  const struct {
    const char *name;
    void (*run)(const Simulator &);
  } cases[] = {{"walk", walk},       {"chain", chain},       {"copies", copies},
               {"through", through}, {"numbers", numbers},   {"usm", usm},
               {"buffer", buffer},   {"commands", commands}, {"refused", refused}};
  for (const auto &known : cases)
    if (std::string(argv[1]) == known.name)
      known.run(simulator);
  clReleaseProgram(simulator.program);
  clReleaseCommandQueue(simulator.queue);
  clReleaseContext(simulator.context);
  return 0;
}
