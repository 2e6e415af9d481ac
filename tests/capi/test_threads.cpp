/// Four threads share the handles: each sees what one thread sees alone, and its own messages.
#include "embed/opencl_c.h"
#include "fixture.h"

#include <catch2/catch.hpp>
#include <string>
#include <thread>

using namespace aiwc;
using namespace aiwc::test;

namespace {

struct Shared {
  const aiwc_device_library *library;
  std::vector<const aiwc_device *> devices;
  std::vector<const aiwc_profile *> profiles;
  const aiwc_annotations *annotations;
  const aiwc_options *options;
};

/// All that can be asked, as text: results to the last digit, and the message of a failure.
std::string answers(const Shared &shared, const std::string &unknown) {
  std::string text;
  const auto add = [&](double value) { text += std::to_string(value * 1e12) + ' '; };
  for (const aiwc_profile *profile : shared.profiles) {
    for (const aiwc_device *device : shared.devices) {
      aiwc_prediction prediction{};
      if (aiwc_predict(profile, device, shared.options, &prediction, sizeof prediction) != AIWC_OK)
        text += aiwc_error_message();
      add(prediction.seconds);
      add(prediction.dram_s);
    }
    std::vector<size_t> order(shared.devices.size());
    aiwc_rank(profile, shared.devices.data(), order.size(), shared.options, order.data(), nullptr,
              nullptr);
    for (const size_t index : order)
      text += std::to_string(index) + ' ';
    const aiwc_device *pair[2] = {};
    aiwc_device_find(shared.library, "gtx1080", &pair[0]);
    aiwc_device_match(shared.library, "NVIDIA H100 80GB HBM3", &pair[1]);
    aiwc_share shares[2] = {};
    if (aiwc_split(profile, pair, 2, shared.options, shares, sizeof shares[0], nullptr, 0) !=
        AIWC_OK)
      text += aiwc_error_message();
    add(shares[0].finish_s);
    add(shares[1].finish_s);
  }
  const size_t global[] = {640, 10};
  aiwc_profile *found = nullptr;
  aiwc_prediction prediction{};
  if (aiwc_annotations_find(shared.annotations, "triad", 2, global, nullptr, &found, nullptr, 0) !=
          AIWC_OK ||
      aiwc_predict(found, shared.devices[0], shared.options, &prediction, sizeof prediction) !=
          AIWC_OK)
    text += aiwc_error_message();
  add(prediction.seconds);
  aiwc_profile_free(found);
  const aiwc_device *none = nullptr;
  aiwc_device_find(shared.library, unknown.c_str(), &none);
  const std::string message = aiwc_error_message();
  if (message.find('"' + unknown + '"') == std::string::npos)
    text += "the message of another thread: " + message;
  return text;
}

} // namespace

TEST_CASE("four threads get what one gets, and messages of their own") {
  const LibraryHandle library = openLibrary();
  const ProfileHandle first = parse(streaming());
  const ProfileHandle second = parse(counting());
  const OptionsHandle chosen = options();
  REQUIRE(aiwc_options_set_transfers(chosen.get(), 0.5) == AIWC_OK);
  const embed::Annotation annotation = embed::annotationOf(streaming());
  const std::string source = embed::embed("kernel void triad() {}\n", std::span(&annotation, 1));
  aiwc_annotations *parsed = nullptr;
  REQUIRE(aiwc_annotations_parse(source.data(), source.size(), "k.cl", &parsed) == AIWC_OK);
  const AnnotationsHandle annotations(parsed);
  const Shared shared{library.get(),
                      devicesOf(library.get()),
                      {first.get(), second.get()},
                      annotations.get(),
                      chosen.get()};
  const std::string alone = answers(shared, "nobody");
  REQUIRE(alone.size() > 1000);
  constexpr size_t kThreads = 4;
  std::vector<size_t> different(kThreads, 0);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      const std::string unknown = "thread-" + std::to_string(i);
      for (int round = 0; round < 50; ++round)
        different[i] += answers(shared, unknown) != alone;
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(different == std::vector<size_t>(kThreads, 0));
}
