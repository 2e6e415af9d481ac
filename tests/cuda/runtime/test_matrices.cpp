// What profiles count of products of matrices by warps. Whether these are right, the program
// tests/cuda/language/tensor_cores.cu says.

#include "cuda/runtime/cuda_program.h"

#include <catch2/catch.hpp>

using namespace aiwc::literals;
using namespace aiwc::test;

namespace {

/// Each of `warps` warps multiplies `times` tiles.
std::string product(const std::string &type, const std::string &kept, const std::string &sum,
                    const std::string &shape) {
  return R"(
    #include <mma.h>
    using namespace nvcuda;
    __global__ void product(const )" +
         kept + " *a, const " + kept + " *b, " + sum + R"( *c, int times) {
      wmma::fragment<wmma::matrix_a, )" +
         shape + ", " + type + R"(, wmma::row_major> left;
      wmma::fragment<wmma::matrix_b, )" +
         shape + ", " + type + R"(, wmma::col_major> right;
      wmma::fragment<wmma::accumulator, )" +
         shape + ", " + sum + R"(> sum;
      wmma::fill_fragment(sum, )" +
         sum + R"((0));
      for (int i = 0; i < times; ++i) {
        wmma::load_matrix_sync(left, a, 16);
        wmma::load_matrix_sync(right, b, 16);
        wmma::mma_sync(sum, left, right, sum);
      }
      wmma::store_matrix_sync(c, sum, 32, wmma::mem_row_major);
    }
    int main() {
      void *a, *b, *c;
      CHECK_CUDA(cudaMalloc(&a, 8192));
      CHECK_CUDA(cudaMalloc(&b, 8192));
      CHECK_CUDA(cudaMalloc(&c, 8192));
      CHECK_CUDA(cudaMemset(a, 0, 8192));
      CHECK_CUDA(cudaMemset(b, 0, 8192));
      product<<<3, 64>>>(()" +
         kept + " *)a, (" + kept + " *)b, (" + sum + R"( *)c, 5);
      CHECK_CUDA(cudaDeviceSynchronize());
    })";
}

std::string withoutEngine(std::string json) {
  for (const std::string engine : {"\"compiled\"", "\"interpreter\""})
    if (const size_t at = json.find(engine); at != std::string::npos)
      json.erase(at, engine.size());
  return json;
}

} // namespace

TEST_CASE("A product of matrices is one instruction of each lane and 2 M N K operations") {
  struct Case {
    std::string type, kept, sum, shape;
    aiwc::profile::Metric metric;
    uint64_t mnk, bytes; ///< of an element of the factors
  };
  const Case cases[] = {
      {"half", "half", "float", "16, 16, 16", "matrix_ops_f16"_metric, 16 * 16 * 16, 2},
      {"half", "half", "half", "32, 8, 16", "matrix_ops_f16"_metric, 32 * 8 * 16, 2},
      {"__nv_bfloat16", "__nv_bfloat16", "float", "8, 32, 16", "matrix_ops_f16"_metric, 8 * 32 * 16,
       2},
      {"wmma::precision::tf32", "float", "float", "16, 16, 8", "matrix_ops_tf32"_metric,
       16 * 16 * 8, 4},
      {"signed char", "signed char", "int", "16, 16, 16", "matrix_ops_i8"_metric, 16 * 16 * 16, 1},
      {"double", "double", "double", "8, 8, 4", "matrix_ops_f64"_metric, 8 * 8 * 4, 8}};
  for (const Case &is : cases) {
    INFO(is.type << " " << is.shape);
    const CudaProgram program(product(is.type, is.kept, is.sum, is.shape));
    const Characterised compiled = program.runWith("compiled").succeeded();
    const Characterised interpreted = program.runWith("interpreter").succeeded();
    CHECK(withoutEngine(compiled.profiles.at("product_0").json) ==
          withoutEngine(interpreted.profiles.at("product_0").json));
    const auto &profile = compiled["product_0"];
    CHECK(profile.provenance.engine == "compiled");
    CHECK(profile.simulatorErrors == 0);
    // 3 groups of 2 warps, 5 times.
    CHECK(profile.count(is.metric) == 3 * 2 * 5 * 2 * is.mnk);
    CHECK(profile.count("matrix_ops"_metric) == 3 * 2 * 5 * 2 * is.mnk);
    CHECK(profile.count("fp_ops"_metric) == 0);
    CHECK(profile.count("barriers_hit"_metric) == 0);
    CHECK(profile.count("private_accesses"_metric) == 0);
    CHECK(profile.count("bytes_read_local"_metric) == 0);
    // Each element of the factors is read once, by one lane.
    const std::string shape = is.shape;
    const uint64_t m = std::stoul(shape), n = std::stoul(shape.substr(shape.find(',') + 1));
    const uint64_t k = is.mnk / m / n;
    CHECK(profile.count("bytes_read_global"_metric) == 3 * 2 * 5 * (m + n) * k * is.bytes);
    CHECK(profile.count("joined_accesses"_metric) == 3 * 2 * m * n / 2); // of sums, two at once
  }
}

TEST_CASE("mma.sync counts as a product of wmma does, and ldmatrix as a row that each lane loads") {
  const CudaProgram program(R"(
    #include <cuda_fp16.h>
    __global__ void product(float *c, int times) {
      __shared__ __align__(16) half tiles[2048];
      for (int i = threadIdx.x; i < 2048; i += 64)
        tiles[i] = i % 5;
      __syncthreads();
      unsigned tile = (unsigned)__cvta_generic_to_shared(tiles);
      float d[4] = {};
      for (int i = 0; i < times; ++i) {
        unsigned a[4], b[2];
        const unsigned row = tile + (threadIdx.x % 32 ^ i) * 16;
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(row));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                     : "=r"(b[0]), "=r"(b[1]) : "r"(row));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                     "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
        tile += 512;
      }
      for (int i = 0; i < 4; ++i)
        c[4 * threadIdx.x + i] = d[i];
    }
    int main() {
      float *c;
      CHECK_CUDA(cudaMallocManaged(&c, 4096));
      product<<<3, 64>>>(c, 5);
      CHECK_CUDA(cudaDeviceSynchronize());
    })");
  const Characterised compiled = program.runWith("compiled").succeeded();
  const Characterised interpreted = program.runWith("interpreter").succeeded();
  CHECK(withoutEngine(compiled.profiles.at("product_0").json) ==
        withoutEngine(interpreted.profiles.at("product_0").json));
  const auto &profile = compiled["product_0"];
  CHECK(profile.provenance.engine == "compiled");
  CHECK(profile.simulatorErrors == 0);
  CHECK(profile.count("matrix_ops_f16"_metric) == 3 * 2 * 5 * 2 * 16 * 8 * 16);
  CHECK(profile.count("matrix_ops"_metric) == 3 * 2 * 5 * 2 * 16 * 8 * 16);
  CHECK(profile.count("barriers_hit"_metric) == 3 * 64);
  CHECK(profile.count("private_accesses"_metric) == 0);
  CHECK(profile.count("bytes_read_local"_metric) == 3 * 2 * 5 * (4 + 2) * 128);
  // The four words of a row are one access, of as many lanes as there are rows.
  CHECK(profile.count("joined_accesses"_metric) == 3 * 2 * 5 * (32 + 16) * 3);
}

TEST_CASE("A sample of the blocks tells the operations of all of them") {
  const CudaProgram program(product("half", "half", "float", "16, 16, 16"));
  const Characterised sampled =
      program.runWith("compiled", {"--aiwc-sample-groups", "2"}).succeeded();
  CHECK(sampled["product_0"].count("matrix_ops"_metric) == 3 * 2 * 5 * 2 * 4096);
  CHECK(sampled["product_0"].count("matrix_ops_f16"_metric) == 3 * 2 * 5 * 2 * 4096);
}

TEST_CASE("Fragments of tiles in shared memory, whose rows are longer than those of the matrix") {
  CHECK(printed(R"(
    #include <mma.h>
    using namespace nvcuda;
    extern __shared__ half tiles[][24];
    __global__ void product(float *c) {
      __shared__ float sums[16][20];
      for (int i = threadIdx.x; i < 32 * 24; i += 32)
        tiles[i / 24][i % 24] = i % 24 < 16 ? (i / 24 + i % 24) % 4 : 100;
      __syncwarp();
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
      wmma::fill_fragment(sum, 1.0f);
      wmma::load_matrix_sync(left, &tiles[0][0], 24);
      wmma::load_matrix_sync(right, &tiles[16][0], 24);
      for (int i = 0; i < sum.num_elements; ++i)
        sum.x[i] *= 3;
      wmma::mma_sync(sum, left, right, sum);
      wmma::store_matrix_sync(&sums[0][0], sum, 20, wmma::mem_row_major);
      __syncwarp();
      for (int i = threadIdx.x; i < 256; i += 32)
        c[i] = sums[i / 16][i % 16];
    })",
                R"(
    float *c;
    CHECK_CUDA(cudaMallocManaged(&c, 1024));
    product<<<1, 32, 32 * 24 * 2>>>(c);
    CHECK_CUDA(cudaDeviceSynchronize());
    int wrong = 0;
    for (int i = 0; i < 256; ++i) {
      float sum = 3;
      for (int k = 0; k < 16; ++k)
        sum += (i / 16 + k) % 4 * ((16 + k + i % 16) % 4);
      wrong += c[i] != sum;
    }
    printf("%d wrong\n", wrong);)") == Words{"0 wrong"});
}
