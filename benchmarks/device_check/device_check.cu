// Times kernels of known definition on a CUDA GPU, or launches each once in the simulator to
// predict it.
//   nvcc -O3 -std=c++17 -arch=native device_check.cu -o device_check && ./device_check [small|once]
//   > times.csv
// Without an argument, a row per kernel and way of timing: the shortest and the median time in
// microseconds, of one launch between two events (single) and of launches queued one after another
// (queued), and whether its result is right, where that is checked. small: tiny sizes, for the
// checks in a simulator. once: each launch of the full sizes once, without times and checks, for
// predictions (predict.py).
#include "kernels.cuh"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

static void check(cudaError_t error, int line) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "device_check.cu:%d: %s\n", line, cudaGetErrorString(error));
  exit(1);
}
#define CHECK(call) check(call, __LINE__)

namespace {

enum class Mode { Timed, Small, Once };
Mode mode = Mode::Timed;
bool small = false;
int multiprocessors = 0;
size_t words = 0; // of each buffer
float *X, *Y, *Z; // the buffers that all kernels share

template <typename T> T *as(float *buffer) {
  return reinterpret_cast<T *>(buffer);
}

struct Case {
  const char *kernel;
  std::string parameters;
  dim3 grid, block;
  std::function<void()> launch;
  std::function<bool()> isRight = {}; // of the first launch
};

float microseconds(const std::function<void()> &launch, int launches) {
  static cudaEvent_t begin, end;
  static const bool made = [] {
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    return true;
  }();
  (void)made;
  CHECK(cudaEventRecord(begin));
  for (int i = 0; i < launches; i++)
    launch();
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, begin, end));
  return ms * 1e3f / launches;
}

void measure(const Case &c) {
  const auto print = [&](const std::string &rest) {
    printf("%s,%s,%ux%ux%u,%ux%u%s\n", c.kernel, c.parameters.c_str(), c.grid.x, c.grid.y, c.grid.z,
           c.block.x, c.block.y, rest.c_str());
    fflush(stdout);
  };
  c.launch();
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  if (mode == Mode::Once)
    return print("");
  const char *verdict = !c.isRight ? "unchecked" : c.isRight() ? "ok" : "wrong";

  const auto times = [&](const char *timing, int repetitions, int launches) {
    std::vector<float> us(repetitions);
    for (float &time : us)
      time = microseconds(c.launch, launches);
    std::sort(us.begin(), us.end());
    char text[160];
    snprintf(text, sizeof text, ",%s,%.3f,%.3f,%d*%d,%s", timing, us.front(), us[us.size() / 2],
             repetitions, launches, verdict);
    print(text);
    return us.front();
  };
  const float once = times("single", small ? 1 : 11, 1);
  const int launches =
      small ? 2 : std::clamp(static_cast<int>(2e4f / std::max(once, 1.0f)), 3, 500);
  times("queued", small ? 1 : 5, launches);
  CHECK(cudaGetLastError());
}

template <typename... Values> std::string text(const char *format, Values... values) {
  char result[80];
  snprintf(result, sizeof result, format, static_cast<double>(values)...);
  return result;
}

unsigned blocks(size_t n, unsigned block) {
  return static_cast<unsigned>((n + block - 1) / block);
}

struct Random {
  unsigned state;
  unsigned word() { return state = state * 1664525u + 1013904223u; }
  unsigned below(size_t bound) {
    return static_cast<unsigned>(static_cast<unsigned long long>(word()) * bound >> 32);
  }
};

template <typename T> std::vector<T> fromDevice(const float *p, size_t n) {
  std::vector<T> values(n);
  CHECK(cudaMemcpy(values.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

// Clears what it reads, so that a later kernel is not right by what an earlier one left.
template <typename T> std::vector<T> takeFromDevice(float *p, size_t n) {
  std::vector<T> values = fromDevice<T>(p, n);
  CHECK(cudaMemset(p, 0, n * sizeof(T)));
  return values;
}

template <typename T> void toDevice(float *p, const std::vector<T> &values) {
  CHECK(cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
}

// Fills with numbers from 0 to below 1.
void fill(float *p, size_t n, unsigned seed = 1) {
  std::vector<float> values(n);
  Random random{seed};
  for (float &value : values)
    value = (random.word() >> 8) / 16777216.0f;
  toDevice(p, values);
}

// Fills with whole numbers below the bound.
void fillBelow(float *p, size_t n, size_t bound) {
  std::vector<unsigned> values(n);
  Random random{7};
  for (unsigned &value : values)
    value = random.below(bound);
  toDevice(p, values);
}

bool near(float a, float b) {
  return std::fabs(a - b) <= 1e-3f * std::fabs(b);
}

// ---- cases, by what they measure
// ---------------------------------------------------------------------------------

void launches() {
  const unsigned many = multiprocessors * 8;
  measure({"empty", "", 1, 32, [&] { empty<<<1, 32>>>(); }});
  measure({"empty", "", many, 256, [&] { empty<<<many, 256>>>(); }});
}

void streams() {
  fill(X, words);
  fill(Y, words, 2);
  for (size_t n = 1024; n <= words / 2; n *= 4) {
    const unsigned grid = blocks(n, 256);
    measure({"copy_float", text("n=%.0f", n), grid, 256, [&] { copy<<<grid, 256>>>(X, Y, n); },
             [&] { return fromDevice<unsigned>(X, n) == takeFromDevice<unsigned>(Y, n); }});
    measure({"triad_double", text("n=%.0f", n), grid, 256,
             [&] { triad<<<grid, 256>>>(as<double>(X), as<double>(Y), as<double>(Z), n); }});
  }
}

void chains() {
  const int n = small ? 8 : 4096;
  const unsigned many = small ? 2 : multiprocessors * 8;
  const std::string size = text("n=%.0f", n);
  const auto chain = [](float start) { // the value of one chain after all iterations
    float value = start;
    for (int i = 0; i < (small ? 8 : 4096); i++)
      value = std::fma(value, 0.999f, 0.5f);
    return value;
  };
  measure({"fma_float_8", size, many, 256,
           [&] { fma_chains<float, 8><<<many, 256>>>(Z, 0.999f, 0.5f, n); }});
  measure({"fma_float_1", size, many, 256,
           [&] { fma_chains<float, 1><<<many, 256>>>(Z, 0.999f, 0.5f, n); },
           [&] { return near(takeFromDevice<float>(Z, 32)[31], chain(31)); }});
  measure({"fma_float_8_one_block", size, 1, 256,
           [&] { fma_chains<float, 8><<<1, 256>>>(Z, 0.999f, 0.5f, n); }});
  measure({"fma_float_1_one_warp", size, 1, 32,
           [&] { fma_chains<float, 1><<<1, 32>>>(Z, 0.999f, 0.5f, n); },
           [&] { return near(takeFromDevice<float>(Z, 32)[31], chain(31)); }});
  measure({"fma_double_8", size, many, 256,
           [&] { fma_chains<double, 8><<<many, 256>>>(as<double>(Z), 0.999, 0.5, n); }});
  measure({"fma_int_8", size, many, 256,
           [&] { fma_chains<int, 8><<<many, 256>>>(as<int>(Z), 3, 1, n); }});
  measure({"int_hash", size, many, 256, [&] { int_hash<<<many, 256>>>(as<unsigned>(Z), 1, n); }});
}

void addresses() {
  for (const size_t stride : {1, 2, 4, 8, 16, 32}) {
    const size_t n = words / 64;
    const unsigned grid = blocks(n, 256);
    measure({"strided", text("n=%.0f stride=%.0f", n, stride), grid, 256,
             [&] { strided<<<grid, 256>>>(X, Z, n, stride); }});
  }
  for (size_t table = small ? 4096 : 1 << 18; table <= words; table *= small ? 16 : 32) {
    const size_t n = words / 16;
    const unsigned grid = blocks(n, 256);
    fillBelow(Y, n, table);
    measure({"gather", text("n=%.0f table=%.0f", n, table), grid, 256,
             [&] { gather<<<grid, 256>>>(as<unsigned>(Y), X, Z, n); }});
  }
  for (size_t table = small ? 1024 : 4096; table <= words / 4; table *= 16) {
    // One pointer per 64 bytes, a random cycle through all of them.
    std::vector<unsigned> order(table / 16), next(table);
    std::iota(order.begin(), order.end(), 0u);
    Random random{3};
    for (size_t i = order.size() - 1; i > 0; i--)
      std::swap(order[i], order[1 + random.below(i)]);
    for (size_t i = 0; i < order.size(); i++)
      next[order[i] * 16] = order[(i + 1) % order.size()] * 16;
    toDevice(Y, next);
    const int loads = small ? 64 : 20000;
    measure({"pointer_chase", text("bytes=%.0f loads=%.0f", table * 4.0, loads), 1, 1,
             [&] { chase<<<1, 1>>>(as<unsigned>(Y), as<unsigned>(Z), loads); },
             [&] {
               unsigned at = 0;
               for (int i = 0; i < loads; i++)
                 at = next[at];
               return takeFromDevice<unsigned>(Z, 1)[0] == at;
             }});
  }
}

void localMemory() {
  const int n = small ? 8 : 4096;
  const unsigned many = small ? 2 : multiprocessors * 8;
  for (const int stride : {1, 2, 4, 8, 16, 32, 33})
    measure({"bank_reads", text("stride=%.0f n=%.0f", stride, n), many, 256,
             [&] { bank_reads<<<many, 256>>>(Z, stride, n); }});
}

void transposes() {
  for (const int n : small ? std::vector<int>{64} : std::vector<int>{2048, 8192}) {
    const dim3 grid(n / 32, n / 32), block(32, 8);
    const size_t all = static_cast<size_t>(n) * n;
    fill(X, all);
    const auto isTransposed = [&] {
      const std::vector<float> in = fromDevice<float>(X, all), out = takeFromDevice<float>(Y, all);
      for (size_t y = 0; y < static_cast<size_t>(n); y++)
        for (size_t x = 0; x < static_cast<size_t>(n); x++)
          if (out[x * n + y] != in[y * n + x])
            return false;
      return true;
    };
    const std::string size = text("n=%.0f", n);
    measure({"transpose_naive", size, grid, block,
             [&] { transpose_naive<<<grid, block>>>(X, Y, n); }, isTransposed});
    measure({"transpose_tiled", size, grid, block,
             [&] { transpose_tiled<0><<<grid, block>>>(X, Y, n); }, isTransposed});
    measure({"transpose_padded", size, grid, block,
             [&] { transpose_tiled<1><<<grid, block>>>(X, Y, n); }, isTransposed});
  }
}

void matrixProducts() {
  for (const int n : small ? std::vector<int>{64} : std::vector<int>{512, 2048}) {
    const size_t all = static_cast<size_t>(n) * n;
    fill(X, all);
    fill(Y, all, 2);
    const dim3 b16(16, 16), g16(n / 16, n / 16), b32(32, 32), g32(n / 32, n / 32),
        g64(n / 64, n / 64);
    const std::string size = text("n=%.0f", n);
    const auto lastRowIsRight = [&] {
      const std::vector<float> a = fromDevice<float>(X, all), b = fromDevice<float>(Y, all),
                               c = takeFromDevice<float>(Z, all);
      for (int x = 0; x < n; x++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
          sum += static_cast<double>(a[all - n + k]) * b[static_cast<size_t>(k) * n + x];
        if (!near(c[all - n + x], static_cast<float>(sum)))
          return false;
      }
      return true;
    };
    measure({"matmul_naive", size, g16, b16, [&] { matmul_naive<<<g16, b16>>>(X, Y, Z, n); },
             lastRowIsRight});
    measure({"matmul_tiled_16", size, g16, b16, [&] { matmul_tiled<16><<<g16, b16>>>(X, Y, Z, n); },
             lastRowIsRight});
    measure({"matmul_tiled_32", size, g32, b32, [&] { matmul_tiled<32><<<g32, b32>>>(X, Y, Z, n); },
             lastRowIsRight});
    measure({"matmul_register_4x4", size, g64, b16,
             [&] { matmul_register<<<g64, b16>>>(X, Y, Z, n); }, lastRowIsRight});
  }
}

void reductions() {
  const size_t n = words / 4;
  const unsigned many = multiprocessors * 8;
  fill(X, n);
  const auto isSum = [&] {
    const std::vector<float> in = fromDevice<float>(X, n), out = takeFromDevice<float>(Z, many);
    return near(static_cast<float>(std::accumulate(out.begin(), out.end(), 0.0)),
                static_cast<float>(std::accumulate(in.begin(), in.end(), 0.0)));
  };
  const std::string size = text("n=%.0f", n);
  measure({"reduce_interleaved", size, many, 256, [&] { reduce<true><<<many, 256>>>(X, Z, n); },
           isSum});
  measure({"reduce_sequential", size, many, 256, [&] { reduce<false><<<many, 256>>>(X, Z, n); },
           isSum});
}

void applications() {
  for (const int n : small ? std::vector<int>{256} : std::vector<int>{4096, 65536})
    measure({"nbody", text("n=%.0f", n), n / 256u, 256,
             [&] { nbody<<<n / 256, 256>>>(as<float4>(X), as<float4>(Z), n); }});

  for (const size_t n : small ? std::vector<size_t>{512} : std::vector<size_t>{256, 2048, 16384}) {
    const unsigned rows = static_cast<unsigned>(std::min<size_t>(words / n, 16384));
    measure({"softmax_rows", text("rows=%.0f n=%.0f", rows, n), rows, 256,
             [&] { softmax_rows<<<rows, 256>>>(X, Z, static_cast<int>(n)); },
             [&] {
               const std::vector<float> row = takeFromDevice<float>(Z, n);
               return near(static_cast<float>(std::accumulate(row.begin(), row.end(), 0.0)), 1);
             }});
  }

  const int plane = small ? 128 : 8192, cube = small ? 32 : 512;
  const dim3 block(32, 8), planeGrid(plane / 32, plane / 8), cubeGrid(cube / 32, cube / 8, cube);
  measure({"stencil2d", text("n=%.0f", plane), planeGrid, block,
           [&] { stencil2d<<<planeGrid, block>>>(X, Z, plane); }});
  measure({"stencil3d", text("n=%.0f", cube), cubeGrid, block,
           [&] { stencil3d<<<cubeGrid, block>>>(X, Z, cube); }});

  const int image = small ? 64 : 4096;
  const dim3 imageGrid(image / 32, image / 8);
  measure({"convolution_15x15", text("n=%.0f", image), imageGrid, block,
           [&] { convolution<<<imageGrid, block>>>(X, Y, Z, image); }});
}

void histograms() {
  const size_t n = words / 16;
  const unsigned many = multiprocessors * 8;
  fillBelow(X, n, size_t{1} << 32);
  for (const unsigned bins : {1u, 256u, 1u << 16}) {
    CHECK(cudaMemset(Z, 0, bins * sizeof(unsigned)));
    measure({"histogram_global", text("n=%.0f bins=%.0f", n, bins), many, 256,
             [&] { histogram_global<<<many, 256>>>(as<unsigned>(X), as<unsigned>(Z), n, bins); },
             [&] {
               const std::vector<unsigned> counts = fromDevice<unsigned>(Z, bins);
               return std::accumulate(counts.begin(), counts.end(), size_t{0}) == n;
             }});
  }
  measure({"histogram_shared", text("n=%.0f", n), many, 256,
           [&] { histogram_shared<<<many, 256>>>(as<unsigned>(X), as<unsigned>(Z), n); }});
}

void scratch() {
  const int n = small ? 512 : 1 << 20, steps = small ? 8 : 256;
  measure({"private_array", text("n=%.0f steps=%.0f", n, steps), blocks(n, 256), 256,
           [&] { private_array<<<blocks(n, 256), 256>>>(as<unsigned>(X), Z, n, steps); }});
}

void sparseProducts() {
  const int rows = small ? 1024 : 1 << 20; // of 8 to 23 elements at random columns
  std::vector<unsigned> begin(rows + 1), columns;
  Random random{5};
  for (int r = 0; r < rows; r++) {
    begin[r] = static_cast<unsigned>(columns.size());
    for (unsigned left = 8 + (random.word() >> 28); left > 0; left--)
      columns.push_back(random.below(rows));
  }
  begin[rows] = static_cast<unsigned>(columns.size());
  toDevice(X, begin);
  toDevice(Y, columns);
  float *values = Z, *x = values + columns.size(), *y = x + rows;
  const auto launch = [&](int count) {
    spmv_scalar<<<blocks(count, 256), 256>>>(as<unsigned>(X), as<unsigned>(Y), values, x, y, count);
  };
  const int few = std::min(rows, 16 * 256);
  measure({"spmv_scalar", text("rows=%.0f nonzeros=%.0f", rows, columns.size()), blocks(rows, 256),
           256, [&] { launch(rows); }});
  measure({"spmv_scalar_16_blocks", text("rows=%.0f", few), blocks(few, 256), 256,
           [&] { launch(few); }});
}

void functions() {
  const size_t n = words / 16;
  const unsigned grid = blocks(n, 256);
  fill(X, n);
  measure({"options", text("n=%.0f", n), grid, 256, [&] { options<<<grid, 256>>>(X, Z, n); }});
  measure({"double_functions", text("n=%.0f", n), grid, 256,
           [&] { doubles<<<grid, 256>>>(X, Z, n); },
           [&] {
             const double x = fromDevice<float>(X, 1)[0] + 1.5;
             return near(takeFromDevice<float>(Z, 1)[0],
                         static_cast<float>(std::exp(-x) + std::log(x) / std::sqrt(x)));
           }});
}

void divergence() {
  const int n = small ? 8 : 4096;
  const unsigned many = small ? 2 : multiprocessors * 8;
  for (const int lanes : {32, 16, 1})
    measure({"divergent", text("lanes=%.0f n=%.0f", lanes, n), many, 256,
             [&] { divergent<<<many, 256>>>(Z, lanes, n); }});
}

} // namespace

int main(int argc, char **argv) {
  const std::string argument = argc == 2 ? argv[1] : "";
  if (argc > 2 || (argc == 2 && argument != "small" && argument != "once")) {
    fprintf(stderr, "device_check: expected small, once or no argument\n");
    return 2;
  }
  mode = argument == "small" ? Mode::Small : argument == "once" ? Mode::Once : Mode::Timed;
  small = mode == Mode::Small;
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  multiprocessors = device.multiProcessorCount;
  words = size_t{1} << (small ? 16 : 28); // 256 KiB or 1 GiB each
  for (float **buffer : {&X, &Y, &Z})
    CHECK(cudaMalloc(buffer, words * sizeof(float)));
  printf("# %s, %d multiprocessors\nkernel,params,grid,block%s\n", device.name, multiprocessors,
         mode == Mode::Once ? "" : ",timing,min_us,median_us,repetitions,check");
  launches();
  streams();
  chains();
  addresses();
  localMemory();
  transposes();
  matrixProducts();
  reductions();
  applications();
  histograms();
  scratch();
  sparseProducts();
  functions();
  divergence();
  for (float *buffer : {X, Y, Z})
    CHECK(cudaFree(buffer));
}
