// What crosses between host and device: until a kernel begins it is the kernel's input, from its
// end until the next one begins its output. The buffer has 256 bytes; apps/transfers.cpp has the
// commands.

#include "plugin/characterise.h"

#include <catch2/catch.hpp>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::profile::KernelProfile;

namespace {

/// Bytes and transfers each way.
struct Transfers {
  uint64_t inBytes = 0, in = 0, outBytes = 0, out = 0;
  bool operator==(const Transfers &) const = default;
};

std::ostream &operator<<(std::ostream &stream, const Transfers &t) {
  return stream << t.inBytes << " bytes in " << t.in << " to the device, " << t.outBytes << " in "
                << t.out << " back";
}

/// What the invocations of the kernel say after the commands.
std::vector<Transfers> afterUnder(const std::string &engine, Words commands) {
  commands.insert(commands.begin(), application("transfers"));
  const Characterised run = characterise(commands, {"--aiwc-engine=" + engine}).succeeded();
  std::vector<Transfers> result;
  for (size_t i = 0; i < run.profiles.size(); ++i) {
    const KernelProfile &profile = run["touch_" + std::to_string(i)];
    // 64 integers, each with a read of the table.
    expect(profile, {{"bytes_read_constant", 256}, {"bytes_written_global", 256}});
    result.push_back({profile.count("host_to_device_bytes"_metric),
                      profile.count("host_to_device_transfers"_metric),
                      profile.count("device_to_host_bytes"_metric),
                      profile.count("device_to_host_transfers"_metric)});
  }
  return result;
}

/// The same, of which it makes no difference what executes the kernel.
std::vector<Transfers> after(const Words &commands) {
  const std::vector<Transfers> compiled = afterUnder("compiled", commands);
  CHECK(afterUnder("interpreter", commands) == compiled);
  return compiled;
}

using All = std::vector<Transfers>;

} // namespace

TEST_CASE("A kernel alone has no transfers, although its program has a constant table") {
  CHECK(after({"kernel", "kernel"}) == All{{}, {}});
}

TEST_CASE("Writes go to the next kernel, reads to the last") {
  CHECK(after({"write", "kernel", "read"}) == All{{256, 1, 256, 1}});
  CHECK(after({"write", "write", "kernel", "read", "read", "kernel", "read"}) ==
        All{{512, 2, 512, 2}, {0, 0, 256, 1}});
  CHECK(after({"read", "kernel", "write"}) == All{{}}); // before the first, after the last
}

TEST_CASE("Transfers around a launch of global size 0 belong to the launches around it") {
  CHECK(after({"write", "launch-nothing", "kernel", "read", "launch-nothing", "read"}) ==
        All{{256, 1, 512, 2}});
}

TEST_CASE("The reads after the last kernel count with and without a released context") {
  CHECK(after({"kernel", "read", "release"}) == All{{0, 0, 256, 1}});
  CHECK(after({"kernel", "read"}) == All{{0, 0, 256, 1}});
}

TEST_CASE("A buffer made from host memory crosses") {
  CHECK(after({"create", "kernel"}) == All{{256, 1, 0, 0}});
  CHECK(after({"use", "kernel"}) == All{{256, 1, 0, 0}});
}

TEST_CASE("A rectangle is one transfer, of the bytes of its rows") {
  CHECK(after({"write-rectangle", "kernel", "read-rectangle"}) == All{{48, 1, 48, 1}});
  CHECK(after({"write-rectangle", "write-rectangle", "write", "kernel"}) ==
        All{{48 + 48 + 256, 3, 0, 0}});
}

TEST_CASE("Mapped memory crosses as it is mapped for") {
  CHECK(after({"kernel", "map-read", "unmap", "kernel"}) == All{{0, 0, 64, 1}, {}});
  CHECK(after({"kernel", "map-write", "unmap", "kernel"}) == All{{}, {64, 1, 0, 0}});
  CHECK(after({"kernel", "map-invalidate", "unmap", "kernel"}) == All{{}, {64, 1, 0, 0}});
  CHECK(after({"kernel", "map-both", "unmap", "kernel"}) == All{{0, 0, 64, 1}, {64, 1, 0, 0}});
  CHECK(after({"kernel", "map-write", "kernel"}) == All{{}, {}}); // not unmapped yet
}

TEST_CASE("Nothing crosses for a fill or a copy") {
  CHECK(after({"fill", "fill-half", "kernel", "fill", "kernel"}) == All{{}, {}});
  CHECK(after({"kernel", "copy", "copy", "kernel"}) == All{{}, {}});
  CHECK(after({"kernel", "copy-rectangle", "kernel"}) == All{{}, {}});
  CHECK(after({"kernel", "read", "copy", "write", "kernel"}) ==
        All{{0, 0, 256, 1}, {256, 1, 0, 0}});
}

TEST_CASE("A write of the same bytes behind a fill is a write") {
  CHECK(after({"fill-half", "write-behind", "kernel"}) == All{{4, 1, 0, 0}});
}

TEST_CASE("A write from memory that a buffer was in is a write") {
  if (*AIWC_TEST_PRELOAD != '\0') {
    skip("a sanitizer does not hand memory out again at once");
    return;
  }
  CHECK(after({"write", "kernel", "recycle", "kernel", "read"}) ==
        All{{256, 1, 2 * 256, 2}, {256, 1, 256, 1}}); // it maps the buffer to see where it is
}

TEST_CASE("A write from memory that a buffer is in is a write") {
  CHECK(after({"use-host", "kernel", "read-elsewhere", "write-other", "kernel"}) ==
        All{{256, 1, 256, 1}, {256, 1, 0, 0}});
  CHECK(after({"use-host", "kernel", "read-elsewhere", "kernel", "write-other", "kernel"}) ==
        All{{256, 1, 256, 1}, {}, {256, 1, 0, 0}});
  CHECK(after({"use-host", "kernel", "copy", "kernel"}) == All{{256, 1, 0, 0}, {}});
}

TEST_CASE("Writes of the same bytes, one after another, are no fill") {
  CHECK(after({"write-staged", "kernel"}) == All{{256, 16, 0, 0}});
  CHECK(after({"write-staged", "fill", "write-staged", "kernel"}) == All{{2 * 256, 32, 0, 0}});
}

TEST_CASE("What a kernel does to memory is no transfer, whoever does it") {
  // The compiled engine has Oclgrind's own functions store halves, and second results.
  const KernelFile kernel(R"(
    kernel void k(global half *h, global float *x) {
      int i = get_global_id(0);
      vstore_half(i + 0.5f, i, h);
      float whole;
      x[i] = fract(i + 0.25f, &whole) + sincos(x[i], x + 8 + i) + vload_half(i, h);
    })");
  const std::string engine = GENERATE("compiled", "interpreter");
  const Characterised run =
      characterise(kernel.enqueue({"global=8", "local=4", "buffer=16", "buffer=64", "times=3"}),
                   {"--aiwc-engine=" + engine});
  for (const char *name : {"k_1", "k_2"}) {
    INFO(name);
    CHECK(run.succeeded()[name].provenance.engine == engine);
    CHECK(run[name].count("host_to_device_bytes"_metric) == 0);
    CHECK(run[name].count("host_to_device_transfers"_metric) == 0);
  }
  CHECK(run["k_1"].count("device_to_host_bytes"_metric) == 0);
  CHECK(run["k_2"].count("device_to_host_bytes"_metric) == 64); // the application prints the buffer
}

TEST_CASE("An image is one transfer, of the bytes of its pixels") {
  // 4 x 3 pixels of 4 bytes
  CHECK(after({"write-image", "kernel", "read-image"}) == All{{48, 1, 48, 1}});
  CHECK(after({"kernel", "copy-image", "kernel"}) == All{{}, {}});
  CHECK(after({"fill-image", "kernel"}) == All{{}});
  CHECK(after({"create-image", "kernel"}) == All{{8 * 8 * 4, 1, 0, 0}});
  // From the first pixel to the last: two rows of 8 pixels, and 4.
  CHECK(after({"kernel", "map-image", "kernel"}) == All{{0, 0, (2 * 8 + 4) * 4, 1}, {}});
}

TEST_CASE("A part of a buffer crosses as a buffer does, and memory of the host when it is mapped") {
  CHECK(after({"write-part", "kernel"}) == All{{32, 1, 0, 0}});
  CHECK(after({"allocate-host", "kernel", "map-read", "unmap", "kernel"}) ==
        All{{0, 0, 64, 1}, {}});
  CHECK(after({"use-host", "kernel", "map-both", "unmap", "kernel"}) ==
        All{{256, 1, 64, 1}, {64, 1, 0, 0}});
}

TEST_CASE("Moving a buffer between devices, and what waits for it, is no transfer of the host") {
  CHECK(after({"migrate", "kernel", "migrate", "kernel"}) == All{{}, {}});
}

TEST_CASE("A command counts where it is carried out, not where it is enqueued") {
  // A write that waits behind a kernel is the next kernel's.
  CHECK(after({"kernel-later", "write-later", "kernel"}) == All{{}, {256, 1, 0, 0}});
}

TEST_CASE("The transfers of an application that loads OpenCL itself") {
  const Characterised run = characterise({application("loading"), "libOpenCL.so.1"}).succeeded();
  CHECK(run["k_0"].count("device_to_host_bytes"_metric) == 1024 * sizeof(int));
  CHECK(run["k_0"].count("device_to_host_transfers"_metric) == 1);
}
