// Streams and events: all is done in order, when a function returns.

#include "cuda/runtime/cuda_program.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

TEST_CASE("Work in streams is done in its order") {
  const Words lines = printed(R"(
    __global__ void add(int *x, int y) { *x = 10 * *x + y; }
    void CUDART_CB called(cudaStream_t, cudaError_t status, void *data) {
      ++*(int *)data + (int)status;
    }
    void host(void *data) { ++*(int *)data; })",
                              R"(
    cudaStream_t streams[2];
    int *x, result = 0, calls = 0;
    CHECK_CUDA(cudaMalloc(&x, sizeof(int)));
    CHECK_CUDA(cudaMemset(x, 0, sizeof(int)));
    for (cudaStream_t &stream : streams)
      CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    add<<<1, 1, 0, streams[0]>>>(x, 1);
    add<<<1, 1, 0, streams[1]>>>(x, 2);
    CHECK_CUDA(cudaMemcpyAsync(&result, x, sizeof(int), cudaMemcpyDeviceToHost, streams[1]));
    CHECK_CUDA(cudaStreamAddCallback(streams[0], called, &calls, 0));
    CHECK_CUDA(cudaLaunchHostFunc(streams[0], host, &calls));
    CHECK_CUDA(cudaStreamSynchronize(streams[1]));
    CHECK_CUDA(cudaStreamQuery(streams[0]));
    printf("%d %d\n", result, calls);
    CHECK_CUDA(cudaStreamDestroy(streams[0]));
    printf("%s\n", cudaGetErrorName(cudaStreamSynchronize(streams[0])));)");
  CHECK(lines == Words{"12 2", "cudaErrorInvalidResourceHandle"});
}

TEST_CASE("Events are recorded, and no time runs backwards") {
  const Words lines = printed("", R"(
    cudaEvent_t start, end, untimed;
    float milliseconds = -1;
    CHECK_CUDA(cudaEventCreate(&start));
    CHECK_CUDA(cudaEventCreate(&end));
    CHECK_CUDA(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    printf("%s\n", cudaGetErrorName(cudaEventElapsedTime(&milliseconds, start, end)));
    CHECK_CUDA(cudaEventRecord(start));
    CHECK_CUDA(cudaEventRecord(end, 0));
    CHECK_CUDA(cudaEventRecord(untimed));
    CHECK_CUDA(cudaEventSynchronize(end));
    CHECK_CUDA(cudaEventQuery(end));
    CHECK_CUDA(cudaStreamWaitEvent(0, end, 0));
    CHECK_CUDA(cudaEventElapsedTime(&milliseconds, start, end));
    printf("%d\n", milliseconds >= 0);
    printf("%s\n", cudaGetErrorName(cudaEventElapsedTime(&milliseconds, start, untimed)));
    CHECK_CUDA(cudaEventDestroy(start));
    printf("%s\n", cudaGetErrorName(cudaEventRecord(start)));)");
  CHECK(lines == Words{"cudaErrorInvalidResourceHandle", "1", "cudaErrorInvalidResourceHandle",
                       "cudaErrorInvalidResourceHandle"});
}
