// Programs built with `aiwc build`, and run in the simulator.
#include "launcher/process.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

using Words = std::vector<std::string>;

constexpr const char *kMain = R"(
#include <cstdio>
#include "shared.h"
__global__ void fill(int *out, int value) { out[threadIdx.x] = twice(value) + threadIdx.x; }
static __global__ void own(int *out) { out[0] += 1000; }
void other(int *out);
int main() {
  int *device, host[32];
  cudaMalloc(&device, sizeof host);
  fill<<<1, 32>>>(device, 21);
  own<<<1, 1>>>(device);
  other(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d %s\n", host[0], host[31], cudaGetErrorString(cudaGetLastError()));
}
)";
constexpr const char *kOther = R"(
#include "shared.h"
static __global__ void own(int *out) { out[0] += 10000; }
void other(int *out) { own<<<1, 1>>>(out); }
)";
constexpr const char *kResult = "11042 73 no error\n";

/// A folder with the sources of a program of two files.
class Sources {
public:
  /// `twice` is the declaration or definition in the header that both files include.
  explicit Sources(const std::string &twice) {
    write("shared.h", "#pragma once\n" + twice);
    write("main.cu", kMain);
    write("other.cu", kOther);
  }
  void write(const std::string &name, const std::string &text) const {
    aiwc::test::write(folder_ / name, text);
  }
  Outcome aiwc(const Words &words) const { return execute(AIWC_TEST_COMMAND, words); }
  Outcome execute(const std::string &program, const Words &words) const {
    Command command{
        {program}, {{"PATH", "/usr/bin:/bin"}, {"HOME", folder_.path()}}, folder_.path()};
    command.words.insert(command.words.end(), words.begin(), words.end());
    return aiwc::test::run(command);
  }
  /// Builds with `words`, which must succeed.
  void build(const Words &words) const {
    Words all = {"build", "--"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = aiwc(all);
    INFO(outcome.out << outcome.err);
    REQUIRE(outcome.status == 0);
  }
  /// What the program prints in the simulator.
  std::string printed(const std::string &program) const {
    const Outcome outcome = aiwc({"run", "--append", "--output", "profiles", "--", program});
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    return outcome.out;
  }
  const fs::path &folder() const { return folder_.path(); }
  bool has(const std::string &name) const { return fs::exists(folder_ / name); }

private:
  Folder folder_;
};

constexpr const char *kInline = "__device__ inline int twice(int x) { return 2 * x; }\n";

// What a page shows: the comments of its script are for who reads the script.
std::string withoutComments(const std::string &page) {
  std::string shown;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);)
    if (line.compare(0, 2, "//") != 0)
      shown += line + '\n';
  return shown;
}

} // namespace

TEST_CASE("a standard before C++17 becomes that of the headers, for CUDA sources only") {
  const Sources sources(kInline);
  sources.write("old.cu", R"(
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
long standard();
int sum(register int x) throw(int) {
  thrust::device_vector<int> v(3, x);
  return thrust::reduce(v.begin(), v.end());
}
int main() { printf("%d %ld %ld\n", sum(5), __cplusplus, standard()); }
)");
  sources.write("standard.cpp", "long standard() { return __cplusplus; }\n");
  for (const std::string standard : {"c++11", "gnu++14"}) {
    const long ofHost = standard == "c++11" ? 201103 : 201402;
    sources.build({"nvcc", "-std=" + standard, "old.cu", "standard.cpp", "-o", "old"});
    CHECK(sources.printed("./old") == "15 201703 " + std::to_string(ofHost) + "\n");
  }
}

TEST_CASE("a file of the host includes a header whose class has a vector of thrust") {
  const Sources sources(kInline);
  sources.write("sum.h", R"(
#pragma once
#include <thrust/device_vector.h>
struct Sum {
  thrust::device_vector<int> values;
  int of() const;
};
)");
  sources.write("sum.cu", R"(
#include "sum.h"
#include <thrust/reduce.h>
int Sum::of() const { return thrust::reduce(values.begin(), values.end()); }
)");
  sources.write("host.cpp", R"(
#include "sum.h"
int main() {
  Sum sum;
  sum.values = thrust::device_vector<int>(3, 5);
  printf("%d\n", sum.of());
}
)");
  sources.build({"nvcc", "-c", "host.cpp", "-o", "host.o"});
  sources.build({"nvcc", "sum.cu", "host.o", "-o", "program"});
  CHECK(sources.printed("./program") == "15\n");
}

TEST_CASE("two files in one command, each with a kernel of the same name") {
  const Sources sources(kInline);
  sources.build({"nvcc", "-O3", "-arch=sm_80", "main.cu", "other.cu", "-o", "app"});
  CHECK(sources.printed("./app") == kResult);
}

TEST_CASE("the folder of NVIDIA's headers, which makefiles name, does not hide ours") {
  const Sources sources(kInline);
  fs::create_directory(sources.folder() / "nvidia");
  std::ofstream(sources.folder() / "nvidia/cuda_runtime.h") << "#error NVIDIA's\n";
  sources.build({"nvcc", "-Invidia", "main.cu", "other.cu", "-o", "app"});
  CHECK(sources.printed("./app") == kResult);
}

TEST_CASE("objects, and an archive, that another linker links") {
  const Sources sources(kInline);
  sources.build({"nvcc", "-c", "main.cu", "other.cu"});
  sources.build({"g++", "main.o", "other.o", "-lcudart", "-o", "app"});
  CHECK(sources.printed("./app") == kResult);
  const fs::path folder = sources.folder() / "objects";
  fs::create_directory(folder);
  sources.build({"nvcc", "-c", "main.cu", "other.cu", "-odir", "objects"});
  CHECK(fs::exists(folder / "main.o"));
  sources.build({"nvcc", "-M", "main.cu", "--output-directory=objects", "-o", "main.d"});
  CHECK_THAT(sources.execute("/bin/cat", {"main.d"}).out, StartsWith("objects/main.o:"));
  sources.build({"nvcc", "-lib", "other.o", "-o", "libother.a"});
  sources.build({"nvcc", "main.o", "libother.a", "-o", "archived"});
  CHECK(sources.printed("./archived") == kResult);
}

TEST_CASE("device code that calls a function of another file") {
  const Sources sources("__device__ int twice(int x);\n");
  sources.write("twice.cu", "__device__ int factor = 2;\n"
                            "__device__ int twice(int x) { return factor * x; }\n");
  // A name of two kernels in one program's device code.
  sources.write("other.cu", "void other(int *out) { }\n");
  sources.build({"nvcc", "-dc", "main.cu", "other.cu", "twice.cu"});
  sources.build({"nvcc", "main.o", "other.o", "twice.o", "-o", "app"});
  CHECK(sources.printed("./app") == "1042 73 no error\n");
  sources.build({"nvcc", "-dlink", "main.o", "other.o", "twice.o", "-o", "linked.o"});
  sources.build({"g++", "main.o", "other.o", "twice.o", "linked.o", "-lcudart", "-o", "by-host"});
  CHECK(sources.printed("./by-host") == "1042 73 no error\n");
  sources.build({"nvcc", "-lib", "twice.o", "other.o", "-o", "libtwice.a"});
  sources.build({"nvcc", "-rdc=true", "main.cu", "libtwice.a", "-o", "archived"});
  CHECK(sources.printed("./archived") == "1042 73 no error\n");
}

TEST_CASE("the host code of one file copies to the variables of another") {
  const Sources sources("extern __device__ int factor;\nextern __constant__ int offsets[2];\n"
                        "__device__ int twice(int x);\n");
  sources.write("other.cu",
                "#include \"shared.h\"\n__device__ int factor = 2;\n"
                "__constant__ int offsets[2] = {3, 4};\n"
                "static __device__ int own = 1;\n" // as main.cu has one
                "__device__ int twice(int x) { return factor * x + own * offsets[1]; }\n"
                "void other(int *) {\n  const int more = 10, zeros[2] = {};\n"
                "  cudaMemcpyToSymbol(own, &more, sizeof more);\n"
                "  cudaMemcpyToSymbol(offsets, zeros, sizeof zeros);\n}\n");
  sources.write("main.cu", R"(
#include <cstdio>
#include "shared.h"
static __device__ int own = 5;
__global__ void fill(int *out, int value) { out[threadIdx.x] = twice(value) + threadIdx.x + own; }
void other(int *out);
int main() {
  int *device, host[32];
  const int three = 3, offsets_[2] = {0, 100};
  cudaMalloc(&device, sizeof host);
  cudaMemcpyToSymbol(factor, &three, sizeof three);
  cudaMemcpyToSymbol(offsets, offsets_, sizeof offsets_);
  fill<<<1, 32>>>(device, 21);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  other(device);
  fill<<<1, 32>>>(device, 21);
  std::printf("%d ", host[31]);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", host[31], cudaGetErrorString(cudaGetLastError()));
}
)");
  sources.build({"nvcc", "-rdc=true", "main.cu", "other.cu", "-o", "app"});
  // 3 * 21 + 31 + 5, with 1 * 100 and without.
  CHECK(sources.printed("./app") == "199 99 no error\n");
  sources.build({"nvcc", "-dc", "main.cu", "other.cu"});
  sources.build({"nvcc", "-dlink", "main.o", "other.o", "-o", "linked.o"});
  sources.build({"g++", "main.o", "other.o", "linked.o", "-lcudart", "-o", "by-host"});
  CHECK(sources.printed("./by-host") == "199 99 no error\n");
}

TEST_CASE("each kernel of a program of several files has the lines of its own file") {
  const Sources sources("");
  sources.write("long.cu", "void other(int *);\n\n\n\n\n\n\n\n\n"
                           "__global__ void tenth(int *out) { out[0] = 1; }\n"
                           "int main() {\n  int *device;\n  cudaMalloc(&device, 4);\n"
                           "  tenth<<<1, 1>>>(device);\n  other(device);\n}\n");
  sources.write("short.cu", "\n\n__global__ void third(int *out) { out[0] += 1; }\n"
                            "void other(int *out) { third<<<1, 1>>>(out); }\n");
  sources.build({"nvcc", "-rdc=true", "long.cu", "short.cu", "-o", "app"});
  sources.printed("./app");
  for (const auto &[kernel, line] : {std::pair{"tenth", "10"}, {"third", "3"}}) {
    const std::string lines =
        sources.aiwc({"show", "--lines", "--csv", "--kernel", kernel, "profiles"}).out;
    INFO(lines);
    CHECK_THAT(lines, Contains(std::string(",1,1,") + line + ",")); // one launch, one work-item
  }
}

TEST_CASE("a thread that waits for another one to write is named while the launch runs") {
  const Sources sources("");
  sources.write("waits.cu", "#include <cstdio>\n__device__ volatile int flag;\n"
                            "__global__ void k(int *tries) {\n"
                            "  int i = 0;\n"
                            "  while (flag == 0 && i < 20000000)\n    ++i;\n  *tries = i;\n}\n"
                            "int main() {\n  int *device;\n  cudaMalloc(&device, 4);\n"
                            "  k<<<1, 2>>>(device);\n  std::puts(\"done\");\n}\n");
  sources.build({"nvcc", "waits.cu", "-o", "waits"});
  const Outcome outcome = sources.aiwc({"run", "--quiet", "--", "./waits"});
  CHECK(outcome.out == "done\n");
  CHECK(outcome.err.starts_with("aiwc: kernel 'k', line 5: one address was read 16 million times"));
  CHECK(outcome.err.find("was read") == outcome.err.rfind("was read")); // once
}

TEST_CASE("launches with blanks in their brackets, as nvcc takes them") {
  const Sources sources(kInline);
  std::string text = kMain;
  text.replace(text.find("<<<1, 32>>>"), 11, "<< <1, 32 >> >");
  sources.write("main.cu", text);
  sources.build({"nvcc", "-MMD", "-MF", "main.d", "-c", "main.cu"});
  sources.build({"nvcc", "main.o", "other.cu", "-o", "app"});
  CHECK(sources.printed("./app") == kResult);
  CHECK_THAT(sources.aiwc({"show", "--lines", "profiles"}).out, Contains("__global__ void fill"));
  CHECK_THAT(sources.execute("/bin/cat", {"main.d"}).out,
             StartsWith("main.o:") && Contains("main.cu") && !Contains("aiwc-build"));
  sources.write("it's.cu", text);
  sources.build({"nvcc", "it's.cu", "other.cu", "-o", "quoted"});
  CHECK(sources.printed("./quoted") == kResult);
}

TEST_CASE("a makefile that calls nvcc, with dependencies") {
  const Sources sources(kInline);
  sources.write("Makefile", "NVCC ?= nvcc\napp: main.o other.o\n\t$(NVCC) $^ -o $@\n"
                            "%.o: %.cu\n\t$(NVCC) -MMD -MF $*.d -c $< -o $@\n-include *.d\n");
  sources.build({"make"});
  CHECK(sources.printed("./app") == kResult);
  REQUIRE(sources.has("main.d"));
  CHECK_THAT(sources.execute("/bin/cat", {"main.d"}).out,
             StartsWith("main.o:") && Contains("shared.h"));
}

TEST_CASE(
    "threads of a warp run in step if the build is asked for that, whatever starts compilers") {
  const Sources sources(kInline);
  sources.write("main.cu", R"(
#include <cstdio>
__global__ void reverse(int *out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
int main() {
  int *device, host[32], right = 0;
  cudaMalloc(&device, sizeof host);
  reverse<<<1, 32>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i)
    right += host[i] == 31 - i;
  std::printf("%d\n", right);
})");
  sources.write("Makefile", "app:\n\tnvcc main.cu -o $@\n"
                            "linked:\n\tnvcc -dc main.cu -o main.o\n\tnvcc main.o -o $@\n");
  for (const char *program : {"app", "linked"}) {
    CAPTURE(program);
    for (const bool inStep : {false, true}) {
      Words words = {"build", "--", "make", "-B", program};
      if (inStep)
        words.insert(words.begin() + 1, "--warps-in-step");
      REQUIRE(sources.aiwc(words).status == 0);
      CHECK((sources.printed("./" + std::string(program)) == "32\n") == inStep);
    }
  }
}

// Lanes do not meet between the read and the write of a copy within shared memory.
TEST_CASE("a program whose warps run in step is not told to be built that way") {
  const Sources sources(kInline);
  sources.write("main.cu", R"(
struct Three {
  int x, y, z;
};
__global__ void shift(int *out) {
  __shared__ Three tile[33];
  if (threadIdx.x == 0)
    tile[32] = Three{32, 32, 32};
  tile[threadIdx.x].x = threadIdx.x;
  tile[threadIdx.x] = tile[threadIdx.x + 1];
  out[threadIdx.x] = tile[threadIdx.x].x;
}
int main() {
  int *device;
  cudaMalloc(&device, 32 * sizeof *device);
  shift<<<1, 32>>>(device);
})");
  for (const bool inStep : {false, true}) {
    Words words = {"build", "--", "nvcc", "main.cu", "-o", "app"};
    if (inStep)
      words.insert(words.begin() + 1, "--warps-in-step");
    REQUIRE(sources.aiwc(words).status == 0);
    const Outcome outcome = sources.aiwc({"run", "--append", "--", "./app"});
    INFO(outcome.err);
    CHECK_THAT(outcome.err, Contains("results may be wrong"));
    CHECK((outcome.err.find("--warps-in-step") == std::string::npos) == inStep);
  }
}

TEST_CASE("a build of many files says once what has no meaning, however many jobs it has") {
  const Sources sources(kInline);
  sources.write("Makefile", "app: main.o other.o\n\tnvcc -lineinfo $^ -o $@\n"
                            "%.o: %.cu\n\tnvcc -lineinfo --maxrregcount=32 -c $< -o $@\n");
  for (const char *jobs : {"-j1", "-j3"}) {
    const Outcome outcome = sources.aiwc({"build", "--", "make", "-B", jobs});
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    CHECK(outcome.err ==
          "aiwc build: without meaning in the simulator: -lineinfo --maxrregcount=32\n");
  }
}

TEST_CASE("a CMake project in CUDA") {
  if (!fs::exists("/usr/bin/cmake")) {
    WARN("no cmake: not tried");
    return;
  }
  const Sources sources("__device__ int twice(int x);\n");
  sources.write("twice.cu", "__device__ int twice(int x) { return 2 * x; }\n");
  sources.write("other.cu", "void other(int *) { }\n");
  sources.write("CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.18)\nproject(app LANGUAGES CXX CUDA)\n"
                "add_executable(app main.cu other.cu twice.cu)\n"
                "set_target_properties(app PROPERTIES CUDA_SEPARABLE_COMPILATION ON "
                "CUDA_ARCHITECTURES 70)\n");
  sources.build({"cmake", "-S", ".", "-B", "build"});
  sources.build({"cmake", "--build", "build"});
  CHECK(sources.printed("build/app") == "1042 73 no error\n");
}

TEST_CASE("the driver API loads a module, and launches its kernel by both kinds of arguments") {
  const Sources sources("");
  sources.write("module.cu", "__device__ int offset = 100;\n"
                             "extern \"C\" __global__ void add(int *x, char factor, double by) {\n"
                             "  x[threadIdx.x] += factor * (int)by + offset;\n}\n");
  sources.write("host.cpp", R"(
#include <cuda.h>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
static const char *name(CUresult error) {
  const char *text = nullptr;
  cuGetErrorName(error, &text);
  return text;
}
int main() {
  CUdevice device = -1;
  CUcontext context, current;
  CUmodule module, loaded;
  CUfunction function;
  CUdeviceptr x, offset;
  char title[8];
  size_t bytes = 0;
  int count = 0, warp = 0, host[4] = {1, 2, 3, 4};
  std::printf("%s %s %s\n", name(cuInit(0)), name(cuDeviceGetCount(&count)),
              name(cuDeviceGet(&device, 1)));
  cuDeviceGet(&device, 0);
  cuDeviceGetName(title, sizeof title, device);
  cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device);
  CUctxCreateParams parameters = {};
  std::printf("%d %d %zu %s\n", count, warp, std::strlen(title),
              name(cuCtxCreate(&context, &parameters, 0, device)));
  cuCtxGetCurrent(&current);
  std::printf("%d %s %s\n", current == context, name(cuModuleLoad(&module, "none")),
              name(cuModuleLoadData(&module, "//\n.version 7.0\n")));
  {
    std::ifstream file("module.fatbin", std::ios::binary);
    const std::string image{std::istreambuf_iterator<char>(file), {}};
    std::ofstream("short.fatbin", std::ios::binary) << image.substr(0, image.size() - 1);
    std::ofstream("shorter.fatbin", std::ios::binary) << image.substr(0, 20);
    std::printf("%s %s\n", name(cuModuleLoad(&module, "short.fatbin")),
                name(cuModuleLoad(&module, "shorter.fatbin")));
    std::printf("%s %s\n", name(cuModuleLoadData(&module, image.data())),
                name(cuModuleLoad(&loaded, "module.fatbin")));
  }
  std::printf("%s %s\n", name(cuModuleGetFunction(&function, module, "subtract")),
              name(cuModuleGetFunction(&function, module, "add")));
  cuModuleGetGlobal(&offset, &bytes, loaded, "offset"); // each module has its own
  cuMemcpyHtoD(offset, host, sizeof(int));
  cuModuleGetGlobal(&offset, &bytes, module, "offset");
  cuMemAlloc(&x, sizeof host);
  cuMemcpyHtoD(x, host, sizeof host);
  char factor = 2;
  double by = 5;
  void *arguments[] = {&x, &factor, &by};
  std::printf("%zu %s %s\n", bytes, name(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, 0, arguments, 0)),
              name(cuLaunchKernel(function, 1, 1, 1, 5000, 1, 1, 0, 0, arguments, 0)));
  char packed[24] = {};
  size_t size = sizeof packed;
  std::memcpy(packed, &x, 8);
  packed[8] = 3;
  std::memcpy(packed + 16, &by, 8);
  void *buffer[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                    CU_LAUNCH_PARAM_END};
  std::printf("%s ", name(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, 0, 0, buffer)));
  size = 16;
  std::printf("%s\n", name(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, 0, 0, buffer)));
  cuMemcpyDtoH(host, x, sizeof host);
  std::printf("%d %d %s %s\n", host[0], host[3], name(cuMemFree(x)), name(cuModuleUnload(module)));
  std::printf("%s\n", name(cuCtxDestroy(context)));
}
)");
  sources.build({"nvcc", "-fatbin", "module.cu"});
  sources.build({"nvcc", "host.cpp", "-lcuda", "-o", "app"});
  // 2 * 5 + 100 and 3 * 5 + 100 were added to 1 and 4.
  CHECK(sources.printed("./app") ==
        "CUDA_SUCCESS CUDA_SUCCESS CUDA_ERROR_INVALID_DEVICE\n1 32 7 CUDA_SUCCESS\n"
        "1 CUDA_ERROR_FILE_NOT_FOUND CUDA_ERROR_INVALID_IMAGE\n"
        "CUDA_ERROR_INVALID_IMAGE CUDA_ERROR_INVALID_IMAGE\nCUDA_SUCCESS CUDA_SUCCESS\n"
        "CUDA_ERROR_NOT_FOUND CUDA_SUCCESS\n4 CUDA_SUCCESS CUDA_ERROR_INVALID_VALUE\n"
        "CUDA_SUCCESS CUDA_ERROR_INVALID_VALUE\n226 229 CUDA_SUCCESS CUDA_SUCCESS\n"
        "CUDA_SUCCESS\n");
}

TEST_CASE("a program that reaches for cuBLAS and cuFFT is built, and what they do not compute is "
          "refused") {
  const Sources sources("");
  sources.write("plan.c", "#include <cufft.h>\nint plan(void) {\n  cufftHandle handle;\n"
                          "  return cufftPlan1d(&handle, 64, CUFFT_C2C, 1);\n}\n");
  sources.write("app.cu", R"(
#include <cstdio>
#include <cublas_v2.h>
extern "C" int plan(void);
int main() {
  cublasHandle_t handle;
  const float from[6] = {1, 2, 3, 4, 5, 6};
  float *x, to[2] = {};
  cudaMalloc(&x, 2 * sizeof *x);
  std::printf("%d ", cublasCreate(&handle));
  std::printf("%d ", cublasSetVector(2, sizeof *x, from, 3, x, 1));
  for (int i = 0; i < 2; ++i)
    std::printf("%d ", cublasSdot(handle, 1, x, 1, x, 1, to));
  std::printf("%d ", cublasGetVector(2, sizeof *x, x, 1, to, 1));
  std::printf("%g %g %d %d\n", to[0], to[1], cublasDestroy(handle), plan());
}
)");
  sources.build({"nvcc", "app.cu", "plan.c", "-lcublas", "-lcufft", "-o", "app"});
  const Outcome outcome = sources.aiwc({"run", "--allow-empty", "--", "./app"});
  CHECK(outcome.out == "0 0 15 15 0 1 4 0 16\n");
  const std::string line = "aiwc: cublasSdot: the simulator has no cuBLAS\n";
  const size_t first = outcome.err.find(line);
  CHECK(first != std::string::npos);
  CHECK(outcome.err.find(line, first + 1) == std::string::npos);
  CHECK_THAT(outcome.err, Contains("aiwc: cufftPlan1d: the simulator has no cuFFT\n"));
}

TEST_CASE("a program that reaches for other libraries is built, and what they do is refused") {
  const Sources sources("");
  sources.write("app.cu", R"(
#include <cuda_gl_interop.h>
#include <cudnn.h>
#include <nccl.h>
#include <nvrtc.h>
#include <cstdio>
int main() {
  cudnnHandle_t handle;
  cudnnTensorDescriptor_t tensor;
  ncclUniqueId id;
  nvrtcProgram program;
  cudaGraphicsResource_t resource;
  std::printf("%d ", cudnnCreate(&handle));
  std::printf("%d ", cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 2, 3, 4));
  std::printf("%d %d ", ncclGetUniqueId(&id), ncclGroupStart());
  std::printf("%d ", nvrtcCreateProgram(&program, "", "a.cu", 0, nullptr, nullptr));
  std::printf("%d\n", cudaGraphicsGLRegisterBuffer(&resource, 1, cudaGraphicsRegisterFlagsNone));
})");
  sources.write("app.hip",
                "#include <hip/hip_runtime.h>\n#include <hip/hiprtc.h>\n#include <cstdio>\n"
                "int main() {\n  hiprtcProgram program;\n  std::printf(\"%d\\n\", "
                "hiprtcCreateProgram(&program, \"\", \"a\", 0, nullptr, nullptr));\n}\n");
  sources.build({"nvcc", "app.cu", "-lcudnn", "-lnccl", "-lnvrtc", "-o", "app"});
  sources.build({"hipcc", "app.hip", "-o", "hip"});
  const Outcome outcome = sources.aiwc({"run", "--allow-empty", "--", "./app"});
  CHECK(outcome.out == "9 9 2 2 2 801\n");
  for (const char *line :
       {"aiwc: cudnnCreate: the simulator has no cuDNN\n",
        "aiwc: ncclGetUniqueId: the simulator has no NCCL\n",
        "aiwc: nvrtcCreateProgram: the simulator has no compilation of CUDA at run time\n",
        "aiwc: cudaGraphicsGLRegisterBuffer: the simulator has no interoperation with graphics\n"})
    CHECK_THAT(outcome.err, Contains(line));
  CHECK(sources.aiwc({"run", "--allow-empty", "--", "./hip"}).out == "2\n");
}

TEST_CASE("HIP's names, and files that only the host's compiler sees") {
  const Sources sources(kInline);
  sources.write("app.cpp", R"(
#include <hip/hip_runtime.h>
#include <cstdio>
extern "C" int answer();
__global__ void add(int *x, int by) { x[hipThreadIdx_x] += by; }
int main() {
  int *device, host[4] = {1, 2, 3, 4};
  if (hipMalloc(&device, sizeof host) != hipSuccess) return 1;
  hipMemcpy(device, host, sizeof host, hipMemcpyHostToDevice);
  hipLaunchKernelGGL(add, dim3(1), dim3(4), 0, 0, device, answer());
  hipMemcpy(host, device, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[3]);
}
)");
  sources.write("host.cpp", "#include <cuda_runtime.h>\nextern \"C\" int answer(void);\n"
                            "int answer() { dim3 grid(2); return 40 + grid.x; }\n");
  sources.build({"hipcc", "-O2", "--offload-arch=gfx90a", "app.cpp", "-c", "-o", "app.o"});
  sources.build({"nvcc", "-c", "host.cpp"});
  sources.build({"hipcc", "app.o", "host.o", "-o", "app"});
  CHECK(sources.printed("./app") == "43 46\n");
}

TEST_CASE("hipcc makes modules of device code and archives") {
  const Sources sources("");
  sources.write("module.hip", R"(
#include <hip/hip_runtime.h>
__device__ int offset = 100;
extern "C" __global__ void add(int *x, int by) { x[threadIdx.x] += by + offset; }
)");
  sources.write("answer.hip", R"(
#include <hip/hip_runtime.h>
extern "C" int answer() { return 42; }
)");
  sources.write("app.hip", R"(
#include <hip/hip_runtime.h>
#include <cstdio>
extern "C" int answer();
int main() {
  hipModule_t module;
  hipFunction_t function;
  hipDeviceptr_t offset;
  size_t bytes = 0;
  int *x, host[2] = {1, 2}, one = 1;
  std::printf("%d ", hipModuleLoad(&module, "none.co") == hipErrorFileNotFound);
  std::printf("%d ", hipModuleLoad(&module, "module.co"));
  std::printf("%d ", hipModuleGetFunction(&function, module, "subtract") == hipErrorNotFound);
  std::printf("%d ", hipModuleGetFunction(&function, module, "add"));
  std::printf("%d ", hipModuleGetGlobal(&offset, &bytes, module, "offset"));
  hipMemcpy(offset, &one, sizeof one, hipMemcpyHostToDevice);
  hipMalloc(&x, sizeof host);
  hipMemcpy(x, host, sizeof host, hipMemcpyHostToDevice);
  struct { int *x; int by; } packed = {x, answer()};
  size_t size = sizeof packed;
  void *buffer[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                    HIP_LAUNCH_PARAM_END};
  std::printf("%d ", hipModuleLaunchKernel(function, 1, 1, 1, 2, 1, 1, 0, hipStreamDefault, nullptr, buffer));
  hipMemcpy(host, x, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%zu %d %d %d\n", bytes, host[0], host[1], hipModuleUnload(module));
}
)");
  sources.build({"hipcc", "--genco", "-o", "module.co", "module.hip"});
  sources.build({"hipcc", "--emit-static-lib", "-fPIC", "-o", "libanswer.a", "answer.hip"});
  sources.build({"hipcc", "app.hip", "-L.", "-lanswer", "-o", "app"});
  CHECK(sources.printed("./app") == "1 0 1 0 0 0 4 44 45 0\n");
}

TEST_CASE("a program sees the compute capability that its architecture has, from 7.0 to 8.9") {
  const Sources sources(kInline);
  sources.write("app.cu", R"(
#include <cstdio>
__global__ void ask(int *x) {
#ifdef __CUDA_ARCH__
  *x = __CUDA_ARCH__;
#endif
}
int main() {
  int *x, of;
  cudaDeviceProp p;
  cudaMallocManaged(&x, 4);
  ask<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  cudaGetDeviceProperties(&p, 0);
  cudaDeviceGetAttribute(&of, cudaDevAttrComputeCapabilityMinor, 0);
  std::printf("%d %d %d %d\n", *x, p.major, p.minor, of);
}
)");
  for (const auto &[option, printed] :
       std::map<std::string, std::string>{{"-arch=sm_60", "700 7 0 0\n"},
                                          {"-arch=sm_86", "860 8 6 6\n"},
                                          {"-arch=sm_90", "890 8 9 9\n"}}) {
    sources.build({"nvcc", option, "app.cu", "-o", "app"});
    CHECK(sources.printed("./app") == printed);
  }
}

TEST_CASE("profiles have the names, the lines and the words of the source") {
  const Sources sources(kInline);
  sources.write("reduce.cu", R"(
template <typename T, int N> __global__ void reduce(const T *in, T *out) {
  __shared__ T tile[N];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0)
    for (int i = 0; i < N; ++i)
      *out += tile[i];
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 256);
  cudaMalloc(&out, 4);
  reduce<float, 64><<<1, 64>>>(in, out);
  return cudaDeviceSynchronize();
}
)");
  sources.build({"nvcc", "reduce.cu", "-o", "app"});
  CHECK(sources.printed("./app").empty());
  const Outcome shown = sources.aiwc({"show", "profiles"});
  CHECK_THAT(shown.out, StartsWith("reduce<float, 64>: 1 launch of 64 threads in blocks of 64\n") &&
                            Contains("Shared memory") &&
                            Contains("Barriers        1 for each thread"));
  const Outcome lines = sources.aiwc({"show", "--lines", "profiles"});
  CHECK_THAT(lines.out, Contains("*out += tile[i];") && Contains("tile[threadIdx.x] = in["));
  // What is read and written, by the author's names.
  CHECK_THAT(sources.aiwc({"show", "profiles"}).out, Contains("of in") && Contains("tile"));
}

TEST_CASE("operations of __half are those of 16-bit numbers, and nothing beside them counts") {
  const Sources sources(kInline);
  sources.write("half.cu", R"(
#include <cstdio>
#include <cuda_fp16.h>
__global__ void k(const __half *__restrict__ x, __half *__restrict__ y) {
  const __half v = x[threadIdx.x];
  y[threadIdx.x] = __hfma(v, v, v + v) - v * v / v;
}
int main() {
  __half *x, *y;
  cudaMallocManaged(&x, 64);
  cudaMallocManaged(&y, 64);
  for (int i = 0; i < 32; ++i)
    x[i] = __half(i + 1.5f);
  k<<<1, 32>>>(x, y);
  std::printf("%d %g %g\n", cudaDeviceSynchronize(), (float)y[0], (float)y[31]);
}
)");
  sources.build({"nvcc", "-O3", "half.cu", "-o", "app"});
  CHECK(sources.printed("./app") == "0 3.75 1088\n"); // 1121 - 32.5, to the even half
  const std::string profile = contents(sources.folder() / "profiles" / "aiwc_k_0.json");
  // Of each thread: fma is an addition and a multiplication, and there are one of each operation.
  CHECK_THAT(profile, Contains("\"fp_ops_f16\": 192,") && Contains("\"fp_ops_f32\": 0,") &&
                          Contains("\"fp_ops_f64\": 0,") && Contains("\"private_accesses\": 0,"));
  CHECK_THAT(profile,
             !Contains("\"fpext\"") && !Contains("\"fptrunc\"") && !Contains("\"bitcast\""));
}

TEST_CASE("what commands say of CUDA kernels has CUDA's words") {
  const Sources sources("");
  sources.write("sum.cu", R"(
__global__ void sum(const float *in, float *out) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      tile[threadIdx.x] += tile[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = tile[0];
}
int main(int argc, char **argv) {
  float *in, *out;
  cudaMalloc(&in, 4 * 4096);
  cudaMalloc(&out, 4 * 4096);
  sum<<<4096 / (64 * argc), 64 * argc>>>(in, out);
  return cudaDeviceSynchronize();
}
)");
  sources.build({"nvcc", "sum.cu", "-o", "app"});
  CHECK(sources.aiwc({"run", "--output", "before", "--", "./app"}).status == 0);
  CHECK(sources.aiwc({"run", "--output", "after", "--aiwc-sample-groups", "5", "--", "./app", "x"})
            .status == 0);
  const auto said = [&](const Words &words) {
    const Outcome outcome = sources.aiwc(words);
    INFO(outcome.err);
    CHECK(outcome.status < 2); // of diff, 1 says that there are differences
    return outcome.out + outcome.err;
  };
  const Words devices = {"--devices", "rtx4090,a100-sxm4-80gb,i9-13900k"};
  const auto on = [&](Words words) {
    words.insert(words.end(), devices.begin(), devices.end());
    return said(words);
  };
  const std::string diff = said({"diff", "before", "after"});
  CHECK_THAT(diff, Contains("4096 in blocks of 64"));
  CHECK_THAT(said({"show", "--all", "before"}), Contains("Threads "));
  CHECK_THAT(said({"show", "--lines", "before"}), Contains("per thread") && Contains("warps"));
  CHECK_THAT(on({"split", "before"}), Contains("blocks"));
  on({"report", "before", "-o", "page.html"});
  std::string page = withoutComments(contents(sources.folder() / "page.html"));
  const std::string rule = "few-work-items"; // the keys of rules are the same for all languages
  for (size_t at; (at = page.find(rule)) != std::string::npos;)
    page.erase(at, rule.size());
  CHECK_THAT(page, Contains("shared memory") && Contains("Threads executed."));
  for (const std::string &text :
       {diff, page, said({"show", "before"}), said({"show", "--all", "after"}),
        said({"show", "--lines", "before"}), on({"predict", "after"}), on({"advise", "before"}),
        on({"split", "before"})})
    for (const char *word : {"work-item", "ork-group", "ocal memory", "NDRange", "in groups of"})
      CHECK_THAT(text, !Contains(word));
}

TEST_CASE("a program carries the profiles of its kernels, and refuses those of other device code") {
  const Sources sources("");
  const auto kernel = [](const std::string &factor) {
    return "__global__ void scale(float *x) { x[threadIdx.x] *= " + factor +
           "; }\nint main() { float *x; cudaMalloc(&x, 64); scale<<<1, 16>>>(x); }\n";
  };
  sources.write("twice.cu", kernel("2"));
  sources.write("thrice.cu", kernel("3"));
  sources.build({"nvcc", "twice.cu", "-o", "twice"});
  sources.build({"nvcc", "thrice.cu", "-o", "thrice"});
  CHECK(sources.printed("./twice").empty());
  CHECK(sources.aiwc({"annotate", "embed", "profiles", "--into", "twice"}).status == 0);
  CHECK(sources.aiwc({"annotate", "lookup", "--strict", "--kernel", "scale", "twice"}).status == 0);
  CHECK(sources.execute("./twice", {}).status == 0); // it still runs
  const Outcome refused = sources.aiwc({"annotate", "embed", "profiles", "--into", "thrice"});
  CHECK(refused.status == 2);
  CHECK_THAT(refused.err, Contains("provenance.source_hash") && Contains("a CUDA program"));
  CHECK(sources.aiwc({"annotate", "strip", "twice"}).status == 0);
  CHECK(sources.aiwc({"annotate", "lookup", "--strict", "--kernel", "scale", "twice"}).status != 0);
}

TEST_CASE("what cannot be built is said in the compiler's words, and leaves nothing behind") {
  const Sources sources("__device__ int twice(int x);\n");
  Outcome outcome = sources.aiwc({"build", "--", "nvcc", "main.cu", "other.cu", "-o", "app"});
  CHECK(outcome.status != 0);
  CHECK_THAT(outcome.err, Contains("main.cu:4") && Contains("twice"));
  CHECK_FALSE(sources.has("app"));
  sources.write("broken.cu", "__global__ void k(int *x) { *x = ; }\n");
  outcome = sources.aiwc({"build", "--", "nvcc", "-c", "broken.cu"});
  CHECK(outcome.status != 0);
  CHECK_THAT(outcome.err, Contains("broken.cu:1"));
  CHECK_FALSE(sources.has("broken.o"));
  sources.write("graphs.cpp", "#include <cuda_runtime.h>\nint f(cudaGraph_t g) {\n"
                              "  cudaGraphNode_t node;\n  return cudaGraphAddNode(&node, g);\n}\n");
  outcome = sources.aiwc({"build", "--", "nvcc", "-c", "graphs.cpp"});
  CHECK(outcome.status != 0);
  CHECK_THAT(outcome.err,
             Contains("graphs.cpp:4") && Contains("aiwc build: the simulator has no graphs\n"));
  outcome = sources.aiwc({"build", "--", "nvcc", "-c", "none.cu"});
  CHECK(outcome.status != 0);
  CHECK_THAT(outcome.err, Contains("none.cu"));
  outcome = sources.aiwc({"build"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("aiwc build: no command"));
  outcome = sources.aiwc({"build", "--", "no-such-command"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("no-such-command"));
}

TEST_CASE("a program runs only in the simulator, and says so once") {
  const Sources sources(kInline);
  sources.build({"nvcc", "main.cu", "other.cu", "-o", "app"});
  const Outcome outcome = sources.execute("./app", {});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.err, Contains("aiwc run -- ./app"));
  CHECK_THAT(outcome.out, Contains("no CUDA-capable device"));
}
