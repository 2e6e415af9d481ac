/// Memory that runs out, at every single allocation in turn: AIWC_OUT_OF_MEMORY, nothing leaks, and
/// the next call works.
#include "embed/opencl_c.h"
#include "fixture.h"
#include "profile/json.h"
#include "profile/random_profile.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>
#include <new>

namespace {

thread_local long allocationsLeft = -1; ///< below 0: no end
thread_local long live = 0;

} // namespace

// These are the library's, too: operators of a program replace those of what it loads.
void *operator new(size_t size) {
  if (allocationsLeft == 0)
    throw std::bad_alloc();
  if (allocationsLeft > 0)
    --allocationsLeft;
  void *memory = std::malloc(size ? size : 1);
  if (!memory)
    throw std::bad_alloc();
  ++live;
  return memory;
}
void operator delete(void *memory) noexcept {
  if (memory)
    --live;
  std::free(memory);
}
void operator delete(void *memory, size_t) noexcept {
  operator delete(memory);
}

namespace {

using namespace aiwc;
using namespace aiwc::test;

/// How many allocations `action` makes, each of which has failed once.
long exhaust(const std::function<aiwc_status()> &action) {
  for (long n = 0;; ++n) {
    const long before = live;
    allocationsLeft = n;
    const aiwc_status status = action();
    allocationsLeft = -1;
    if (status == AIWC_OK)
      return n;
    if (status != AIWC_OUT_OF_MEMORY || live != before ||
        std::string(aiwc_error_message()) != "out of memory") {
      INFO("allocation " << n << ": " << aiwc_error_message());
      CHECK(status == AIWC_OUT_OF_MEMORY);
      CHECK(live == before);
      return -1;
    }
  }
}

} // namespace

TEST_CASE("memory that runs out is a status, whenever it does") {
  TemporaryFolder folder;
  writeDevice(folder.path(), "a", "A");
  writeDevice(folder.path(), "b", "B");
  const LibraryHandle library = openLibrary(folder.path());
  const auto devices = devicesOf(library.get());
  const ProfileHandle profile = parse(streaming());
  aiwc_prediction first; // the model is read for it, once
  REQUIRE(aiwc_predict(profile.get(), devices[0], nullptr, &first, sizeof first) == AIWC_OK);
  const std::string json = profile::toJson(streaming());
  write(folder / "p.json", json);
  const std::string file = (folder / "p.json").string();
  std::filesystem::create_directory(folder / "devices");
  writeDevice(folder / "devices", "c", "C");
  const std::string deviceFiles = (folder / "devices").string();

  CHECK(exhaust([&] {
          aiwc_device_library *opened = nullptr;
          const aiwc_status status = aiwc_device_library_open(deviceFiles.c_str(), &opened);
          aiwc_device_library_free(opened);
          return status;
        }) > 10);
  CHECK(exhaust([&] {
          aiwc_profile *read = nullptr;
          const aiwc_status status = aiwc_profile_read(file.c_str(), &read);
          aiwc_profile_free(read);
          return status;
        }) > 10);
  CHECK(exhaust([&] {
          aiwc_profile *parsed = nullptr;
          const aiwc_status status =
              aiwc_profile_parse(json.data(), json.size(), "memory", &parsed);
          aiwc_profile_free(parsed);
          return status;
        }) > 10);
  const embed::Annotation annotation = embed::annotationOf(streaming());
  const std::string source = embed::embed("kernel void triad() {}\n", std::span(&annotation, 1));
  write(folder / "k.cl", source);
  const std::string sourceFile = (folder / "k.cl").string();
  aiwc_annotations *annotations = nullptr;
  CHECK(exhaust([&] {
          const aiwc_status status = aiwc_annotations_read(sourceFile.c_str(), &annotations);
          aiwc_annotations_free(annotations);
          annotations = nullptr;
          return status;
        }) > 10);
  REQUIRE(aiwc_annotations_parse(source.data(), source.size(), "k", &annotations) == AIWC_OK);
  CHECK(exhaust([&] {
          const size_t global[] = {640, 10};
          aiwc_profile *found = nullptr;
          const aiwc_status status =
              aiwc_annotations_find(annotations, "triad", 2, global, nullptr, &found, nullptr, 0);
          aiwc_profile_free(found);
          return status;
        }) > 3);
  aiwc_annotations_free(annotations);
  CHECK(exhaust([&] {
          aiwc_options *made = nullptr;
          const aiwc_status status = aiwc_options_new(&made);
          aiwc_options_free(made);
          return status;
        }) == 1);
  CHECK(exhaust([&] {
          const aiwc_device *found = nullptr;
          return aiwc_device_match(library.get(), "Vendor's one and only device A", &found);
        }) > 0);
  CHECK(exhaust([&] {
          aiwc_prediction prediction;
          return aiwc_predict(profile.get(), devices[0], nullptr, &prediction, sizeof prediction);
        }) == 0); // a scheduler may ask from anywhere
  CHECK(exhaust([&] {
          size_t order[2];
          return aiwc_rank(profile.get(), devices.data(), 2, nullptr, order, nullptr, nullptr);
        }) > 0);
  CHECK(exhaust([&] {
          aiwc_share shares[2];
          return aiwc_split(profile.get(), devices.data(), 2, nullptr, shares, sizeof shares[0],
                            nullptr, 0);
        }) > 0);
  CHECK(exhaust([&] {
          const aiwc_profile *sequence[] = {profile.get(), profile.get()};
          size_t deviceOf[2];
          return aiwc_map(sequence, 2, devices.data(), 2, nullptr, deviceOf, nullptr);
        }) > 0);
}
