// The same bytes whatever the number of simulator threads, and in every run.

#include "plugin/characterise.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

namespace {

using Bytes = std::map<std::string, std::string>;

/// The files of a run with that many threads. With several, Oclgrind 21.10 now and then dies of a
/// corrupted heap, without any plugin as well: such a run is repeated.
Bytes filesOf(const Words &application, const std::string &threads) {
  constexpr int kTries = 5;
  for (int i = 1;; ++i) {
    const Characterised run = characterise(application, {"--num-threads", threads});
    INFO(run.outcome.err);
    if (run.outcome.status != 0 && threads != "1" && i < kTries)
      continue;
    REQUIRE(run.outcome.status == 0);
    Bytes files;
    for (const auto &[name, stored] : run.profiles) {
      CHECK(stored.profile.complete);
      files[name] = stored.json;
    }
    return files;
  }
}

void checkSameBytes(const Words &application, size_t profiles) {
  const Bytes first = filesOf(application, "1");
  CHECK(first.size() == profiles);
  for (const char *threads : {"1", "2", "4"}) {
    const Bytes again = filesOf(application, threads);
    INFO(threads << " threads");
    REQUIRE(again.size() == first.size());
    for (const auto &[name, files] : first) {
      INFO(name);
      CHECK(again.at(name) == files);
    }
  }
}

void checkKernel(const std::string &source, const Words &words) {
  const KernelFile file(source);
  checkSameBytes(file.enqueue(words), 1);
}

} // namespace

TEST_CASE("Several kernels, programs and contexts") {
  checkSameBytes({application("several"), "programs"}, 5);
  checkSameBytes({application("several"), "contexts"}, 3);
}

TEST_CASE("Transfers") {
  checkSameBytes({application("transfers"), "write", "fill", "kernel", "read", "copy", "kernel",
                  "map-both", "unmap", "kernel", "read-rectangle", "release"},
                 3);
}

TEST_CASE("Divergent branches, loops and barriers in many groups, from a binary") {
  checkKernel(R"(
    kernel void k(global int *x, local int *l) {
      int i = get_global_id(0), id = get_local_id(0), w = get_local_size(0);
      for (int j = 0; j < (i * 7) % 5; ++j)
        x[i] += j & 1 ? x[i] + 3 : j;
      for (int step = w / 2; step > 0; step /= 2) {
        l[id] = x[i] + step;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (id < step)
          x[i] += l[id + step];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
    })",
              {"reload", "global=512", "local=16", "counters=512", "scratch=64"});
}

TEST_CASE("Atomics that all groups contend for") {
  checkKernel(R"(
    kernel void k(global int *x, global int *y) {
      atomic_inc(x + get_local_id(0) % 3);
      y[get_global_id(0)] = atomic_add(x + 4, 2) < 0;
    })",
              {"global=256", "local=8", "buffer=32", "buffer=1024"});
}

TEST_CASE("Images, and smaller groups at two borders") {
  checkKernel(R"(
    kernel void k(read_only image2d_t in, global int *x, local int *l) {
      int2 p = (int2)(get_global_id(0) & 7, get_global_id(1));
      l[get_local_id(0)] = get_global_id(0) + read_imageui(in, p).x;
      barrier(CLK_LOCAL_MEM_FENCE);
      x[get_global_id(0) + 50 * get_global_id(1)] = l[get_local_size(0) - 1 - get_local_id(0)];
    })",
              {"options=-cl-std=CL2.0", "global=50,3", "local=8,1", "imageui=8x4", "counters=150",
               "scratch=32"});
}

TEST_CASE("Copies by the work-group") {
  checkKernel(R"(
    kernel void k(global int *x, global int *y, local int *l) {
      event_t e = async_work_group_copy(l, x + 8 * get_group_id(0), 8, 0);
      wait_group_events(1, &e);
      l[get_local_id(0)] += get_global_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      e = async_work_group_strided_copy(y + get_group_id(0), l, 8, get_num_groups(0), 0);
      wait_group_events(1, &e);
    })",
              {"global=128", "local=8", "counters=128", "buffer=512", "scratch=32"});
}
