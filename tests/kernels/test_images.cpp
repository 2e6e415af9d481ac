// Images: both engines leave the same images, buffers and profiles, and an access of an image is
// one access of each pixel (docs/metrics.md).

#include "kernels/engines.h"
#include "support/files.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <catch2/catch.hpp>
#include <vector>

using namespace aiwc::literals;
using namespace aiwc::test;

namespace {

struct Format {
  cl_channel_order order;
  cl_channel_type channels;
};

struct Sampler {
  cl_addressing_mode addressing = CL_ADDRESS_NONE;
  cl_filter_mode filter = CL_FILTER_NEAREST;
  bool normalized = false;
};

/// A line of the launches that run_images.cpp reads.
struct Launch {
  std::string kernel, type = "2d";
  Format format = {CL_RGBA, CL_UNORM_INT8};
  Sampler sampler = {};
  unsigned width = 1, height = 1, depth = 1, items = 1, group = 1;
  cl_mem_flags access = CL_MEM_READ_WRITE;

  std::string line() const {
    std::string text = kernel + " " + type;
    for (const uint64_t number : std::initializer_list<uint64_t>{
             format.order, format.channels, sampler.addressing, sampler.filter, sampler.normalized,
             access, width, height, depth, items, group})
      text += " " + std::to_string(number);
    return text + "\n";
  }
};

Simulation run(const std::string &program, const std::vector<Launch> &launches,
               const SimulationOptions &options) {
  const TemporaryFolder folder;
  write(folder / "images.cl", program);
  std::string lines;
  for (const Launch &launch : launches)
    lines += launch.line();
  write(folder / "launches", lines);
  return runApplication({AIWC_TEST_RUN_IMAGES, "images.cl", "launches"}, folder.path(), options);
}

SimulationOptions compiledOptions() {
  SimulationOptions options;
  options.compiled = true;
  options.environment.emplace_back("OCLGRIND_NUM_THREADS", "1");
  return options;
}

struct Both {
  Simulation interpreted, compiled;
  std::vector<std::string> engines; ///< of the second, per launch
};

/// Runs the launches under both engines and requires the same of both.
Both requireSame(const std::string &program, const std::vector<Launch> &launches,
                 const SimulationOptions &options = compiledOptions()) {
  Both both{run(program, launches, {}), run(program, launches, options), {}};
  INFO(both.interpreted.errors);
  CHECK(both.interpreted.status == both.compiled.status);
  CHECK(both.interpreted.output == both.compiled.output);
  CHECK(both.interpreted.errors == both.compiled.errors);
  REQUIRE(both.interpreted.profiles.size() == launches.size());
  REQUIRE(both.compiled.profiles.size() == launches.size());
  for (size_t i = 0; i < launches.size(); ++i) {
    INFO(launches[i].line());
    both.engines.push_back(
        requireSameProfile(both.interpreted.profiles[i], both.compiled.profiles[i]));
  }
  return both;
}

/// The same, for launches that have to succeed and to be compiled; the profiles of both.
std::vector<aiwc::profile::KernelProfile>
requireCompiled(const std::string &program, const std::vector<Launch> &launches,
                const SimulationOptions &options = compiledOptions()) {
  const Both both = requireSame(program, launches, options);
  INFO(both.interpreted.errors);
  CHECK(both.interpreted.status == 0);
  std::vector<aiwc::profile::KernelProfile> profiles;
  for (size_t i = 0; i < both.engines.size(); ++i) {
    INFO(launches[i].line() << both.compiled.profiles[i].profile.provenance.engineReason);
    CHECK(both.engines[i] == "compiled");
    profiles.push_back(both.interpreted.profiles[i].profile);
    profiles.push_back(both.compiled.profiles[i].profile);
  }
  return profiles;
}

/// The components of a vector that are the coordinates of a pixel.
std::string coordinates(const std::string &type) {
  if (type == "1d" || type == "1d_buffer")
    return ".x";
  return type == "1d_array" || type == "2d" ? ".xy" : "";
}

/// Reads `in` at pixels, between them, outside of it and at places that are no numbers, writes
/// `result`, and asks for all properties of the image. `kind`: f, i or ui.
std::string everything(const std::string &type, const std::string &kind) {
  const std::string image = "image" + type + "_t", at = coordinates(type);
  const bool sampled = type != "1d_buffer";
  const std::string read = "as_uint4(read_image" + kind + "(in, ";
  const std::string name = "all_" + type + "_" + kind;
  std::string text;
  const auto look = [&](const std::string &place) {
    return sampled ? "look_" + name + "(in, chosen, " + place + ")" : "(uint4)(1)";
  };
  if (sampled)
    text += "__attribute__((noinline)) uint4 look_" + name + "(read_only " + image +
            " in, sampler_t chosen, float4 place) {\n  return " + read + "chosen, place" + at +
            "));\n}\n";
  text += "kernel void " + name + "(read_only " + image + " in, sampler_t chosen, write_only " +
          image + " result, global uint *out) {\n";
  text += "  const sampler_t written = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | " +
          std::string(kind == "f" ? "CLK_FILTER_LINEAR" : "CLK_FILTER_NEAREST") + ";\n";
  text += "  const int g = (int)get_global_id(0), w = get_image_width(in);\n";
  text += "  const int h = " +
          std::string(type == "1d_array"                    ? "(int)get_image_array_size(in)"
                      : type == "1d" || type == "1d_buffer" ? "1"
                                                            : "get_image_height(in)") +
          ";\n";
  text += "  const int d = " +
          std::string(type == "3d"         ? "get_image_depth(in)"
                      : type == "2d_array" ? "(int)get_image_array_size(in)"
                                           : "1") +
          ";\n";
  text += "  const int4 here = (int4)(g % w, g / w % h, g / (w * h) % d, 0);\n"
          "  const float4 place = convert_float4(here) * (float4)(1.7f, 1.3f, 1.3f, 0) - "
          "(float4)(1.3f, 0.6f, 0.6f, 0);\n"
          "  uint4 seen = " +
          look("place") + ";\n  if (g & 1)\n    seen ^= " + read + "here" + at + "));\n" +
          "  seen += " + look("place / (float4)(w, h, d, 1)") +
          ";\n  if (g % 7 == 3)\n    seen ^= " + look("place * 1e30f") + " + " +
          look("(float4)(NAN)") + ";\n";
  if (sampled)
    text += "  seen += " + read + "written, place" + at + " * 0.3f)) * 3u;\n  seen ^= " + read +
            "chosen, here" + at + " - 1)) * 5u;\n";
  const std::string colour = kind == "f"   ? "convert_float4(seen >> 24) / 100.0f - 0.5f"
                             : kind == "i" ? "as_int4(seen) >> 20"
                                           : "seen >> 20";
  text += "  write_image" + kind + "(result, here" + at + ", " + colour + ");\n";
  text += "  seen += (uint4)(w, h, d, 0) + (uint4)(get_image_channel_data_type(in), "
          "get_image_channel_order(result), 0, 0);\n";
  if (type == "2d" || type == "2d_array")
    text += "  seen.xy += as_uint2(get_image_dim(in));\n";
  if (type == "3d")
    text += "  seen += as_uint4(get_image_dim(in));\n";
  return text + "  vstore4(seen, g, out);\n}\n";
}

const std::vector<std::string> kTypes = {"1d", "1d_array", "2d", "2d_array", "3d", "1d_buffer"};

std::vector<Format> formatsOf(const std::string &kind) {
  if (kind == "f")
    return {{CL_RGBA, CL_UNORM_INT8}, {CL_BGRA, CL_UNORM_INT8},     {CL_R, CL_UNORM_INT8},
            {CL_RG, CL_SNORM_INT16},  {CL_RGBA, CL_FLOAT},          {CL_A, CL_UNORM_INT16},
            {CL_RA, CL_HALF_FLOAT},   {CL_ARGB, CL_SNORM_INT8},     {CL_INTENSITY, CL_FLOAT},
            {CL_RGBA, CL_HALF_FLOAT}, {CL_LUMINANCE, CL_HALF_FLOAT}};
  if (kind == "i")
    return {{CL_RGBA, CL_SIGNED_INT8},
            {CL_R, CL_SIGNED_INT32},
            {CL_RG, CL_SIGNED_INT16},
            {CL_A, CL_SIGNED_INT8},
            {CL_RGBA, CL_SIGNED_INT32}};
  return {{CL_RGBA, CL_UNSIGNED_INT8},
          {CL_BGRA, CL_UNSIGNED_INT8},
          {CL_R, CL_UNSIGNED_INT16},
          {CL_RGBA, CL_UNSIGNED_INT32},
          {CL_RA, CL_UNSIGNED_INT16}};
}

std::string everyKernel() {
  std::string program = "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n";
  for (const std::string &type : kTypes)
    for (const char *kind : {"f", "i", "ui"})
      program += everything(type, kind);
  return program;
}

/// Every kind of image with every kind of sampler; each of the formats with some of them.
std::vector<Launch> everyLaunch() {
  std::vector<Launch> launches;
  for (const std::string &type : kTypes)
    for (const std::string kind : {"f", "i", "ui"}) {
      const std::vector<Format> formats = formatsOf(kind);
      for (const cl_addressing_mode addressing :
           {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT,
            CL_ADDRESS_MIRRORED_REPEAT})
        for (const cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR})
          for (const bool normalized : {false, true}) {
            if (kind != "f" && filter == CL_FILTER_LINEAR)
              continue; // not defined
            Launch launch;
            launch.kernel = "all_" + type + "_" + kind;
            launch.type = type;
            launch.format = formats[launches.size() % formats.size()];
            launch.sampler = {addressing, filter, normalized};
            launch.width = 5;
            launch.height = type.starts_with("1d") ? 1 : 3;
            launch.depth = type == "1d" || type == "2d" || type == "1d_buffer" ? 1 : 3;
            launch.items = 45;
            launch.group = 9;
            launches.push_back(launch);
          }
    }
  return launches;
}

/// A kernel for one launch, so that code is made for its format and its sampler: it reads at
/// pixels, between them, far outside of the image and at places that are no numbers, and writes
/// colours that are rounded, too large, and no numbers, some of them beyond the end of a row.
std::string oneKernel(const Launch &launch, const std::string &kind, bool isReal) {
  const std::string at = coordinates(launch.type);
  std::string text = "kernel void " + launch.kernel + "(read_only image" + launch.type +
                     "_t in, sampler_t chosen, write_only image" + launch.type +
                     "_t result, global uint *out) {\n  const int g = get_global_id(0);\n"
                     "  const int w = " +
                     std::to_string(launch.width) + ", h = " + std::to_string(launch.height) +
                     ", d = " + std::to_string(launch.depth) + ";\n";
  text += "  const float special[] = {NAN, INFINITY, -INFINITY, 3e9f, -1e30f, 2147483520.0f, "
          "16777216.0f, 0.5f, -0.5f, -1e-10f};\n"
          "  const int whole[] = {2147483647, 2147483584, 2147483583, -2147483647 - 1, 16777217, "
          "-1, 0, w, h, d};\n";
  text += "  float4 place = (float4)(g % (2 * w + 7) * 0.5f - 1.5f, g / 3 % (2 * h + 5) * 0.75f - "
          "1, g / 5 % (d + 4) - 1.75f, 0);\n  int4 pixel = (int4)(g % (w + 4) - 2, g / 3 % (h + 4) "
          "- 2, g / 5 % (d + 4) - 2, 0);\n"
          "  place = g % 11 == 10 ? (float4)(special[g % 10], place.yzw) : place;\n"
          "  place.y = g % 29 == 28 ? special[g % 10] : place.y;\n"
          "  pixel = g % 11 == 10 ? (int4)(whole[g % 10], pixel.yzw) : pixel;\n"
          "  pixel.y = g % 29 == 28 ? whole[g % 10] : pixel.y;\n";
  if (launch.sampler.normalized)
    text += "  place /= (float4)(w, h, d, 1);\n";
  text += "  vstore4(as_uint4(read_image" + kind + "(in, chosen, " + (isReal ? "place" : "pixel") +
          at + ")), g, out);\n";
  text += "  const int row = g / w % (h * d);\n  const int beyond = row < h * d - 1 & g % 7 == 6 ? "
          "w : 0;\n"
          "  const int4 here = (int4)(g % w + beyond, row % h, row / h, 0);\n";
  if (launch.type == "1d_array")
    text += "  const int4 to = (int4)(g % w, g / w % d, 0, 0);\n";
  else
    text += "  const int4 to = here;\n";
  if (kind == "f")
    text += "  float4 colour = (float4)(g % 700 / 510.0f - 0.2f, g % 13 / 7.0f - 0.9f, g * 1e-7f, "
            "special[g % 10]);\n  colour = g % 17 == 16 ? colour.wzyx : colour;\n";
  else
    text +=
        "  const uint4 bits = (uint4)(g, g * 7, g + 1, g ^ 5) * 2654435761u >> (uint)(g % 25);\n"
        "  const uint4 colour" +
        std::string(kind == "ui" ? " = bits;\n"
                                 : "_ = bits;\n  const int4 colour = "
                                   "as_int4(colour_) >> (g & 3) * 8;\n");
  return text + "  write_image" + kind + "(result, to" + at + ", colour);\n}\n";
}

/// Launches with a kernel for each.
struct OneByOne {
  std::string program = "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n";
  std::vector<Launch> launches;

  void add(Launch launch, const std::string &kind, bool isReal) {
    launch.kernel = "one_" + std::to_string(launches.size());
    launch.width = 11;
    launch.height = launch.type.starts_with("1d") ? 1 : 5;
    launch.depth = launch.type == "1d" || launch.type == "2d" ? 1 : 3;
    launch.items = 12 * 16;
    launch.group = 16; // eight run at once
    launches.push_back(launch);
    program += oneKernel(launch, kind, isReal);
  }
};

/// Every order of channels, and every type of channels in a pixel of one, two, three and four.
OneByOne everyFormat() {
  OneByOne all;
  for (const cl_channel_order order : {CL_R, CL_A, CL_RG, CL_RA, CL_RGB, CL_RGBA, CL_BGRA, CL_ARGB,
                                       CL_INTENSITY, CL_LUMINANCE, CL_Rx, CL_RGx, CL_RGBx})
    for (const cl_channel_type channels :
         {CL_SNORM_INT8, CL_SNORM_INT16, CL_UNORM_INT8, CL_UNORM_INT16, CL_HALF_FLOAT, CL_FLOAT,
          CL_SIGNED_INT8, CL_SIGNED_INT16, CL_SIGNED_INT32, CL_UNSIGNED_INT8, CL_UNSIGNED_INT16,
          CL_UNSIGNED_INT32}) {
      if (order != CL_R && order != CL_RA && order != CL_RGB && order != CL_ARGB &&
          channels != CL_UNORM_INT8)
        continue;
      Launch launch;
      launch.format = {order, channels};
      launch.sampler = {CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, false};
      const bool isSigned = channels >= CL_SIGNED_INT8 && channels <= CL_SIGNED_INT32;
      const bool isUnsigned = channels >= CL_UNSIGNED_INT8 && channels <= CL_UNSIGNED_INT32;
      all.add(launch, isSigned ? "i" : isUnsigned ? "ui" : "f", all.launches.size() % 3 == 0);
    }
  return all;
}

/// With integers and with real numbers as coordinates, but in two dimensions alone with those that
/// the filter seldom has.
OneByOne everySampler(const std::string &type) {
  OneByOne all;
  for (const cl_addressing_mode addressing :
       {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT,
        CL_ADDRESS_MIRRORED_REPEAT})
    for (const cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR})
      for (const bool normalized : {false, true})
        for (const bool isReal : {false, true}) {
          const bool isSeldom = isReal != (filter == CL_FILTER_LINEAR || normalized);
          if (type != "2d" && isSeldom)
            continue;
          Launch launch;
          launch.type = type;
          launch.format = all.launches.size() % 3 == 2 ? Format{CL_RGBA, CL_FLOAT}
                                                       : Format{CL_RGBA, CL_UNORM_INT8};
          launch.sampler = {addressing, filter, normalized};
          all.add(launch, "f", isReal);
        }
  return all;
}

/// Requires the same of both engines, in the baseline tier, in the optimised one, and of groups
/// that are not traced.
void requireSameInEachCode(const OneByOne &all) {
  SimulationOptions options = compiledOptions();
  const auto compare = [&](const SimulationOptions &interpreter) {
    const Simulation expected = run(all.program, all.launches, interpreter);
    const Simulation compiled = run(all.program, all.launches, options);
    CHECK(expected.status == 0);
    CHECK(compiled.status == 0);
    CHECK(expected.output == compiled.output);
    CHECK(expected.errors == compiled.errors);
    REQUIRE(expected.profiles.size() == all.launches.size());
    REQUIRE(compiled.profiles.size() == all.launches.size());
    for (size_t i = 0; i < all.launches.size(); ++i) {
      INFO(expected.profiles[i].name << " of\n" << all.program);
      CHECK(requireSameProfile(expected.profiles[i], compiled.profiles[i]) == "compiled");
    }
  };
  compare({});
  options.environment.emplace_back("AIWC_ENGINE", "optimised");
  compare({});
  SimulationOptions sampled;
  sampled.environment.emplace_back("AIWC_SAMPLE_GROUPS", "2");
  options.environment.emplace_back("AIWC_SAMPLE_GROUPS", "2");
  compare(sampled);
}

} // namespace

TEST_CASE("functions of images do the same under both engines", "[images]") {
  requireCompiled(everyKernel(), everyLaunch());
}

TEST_CASE("so they do in the code that large launches get, and untraced", "[images]") {
  std::vector<Launch> launches;
  for (const Launch &launch : everyLaunch())
    if (launches.empty() || launches.back().kernel != launch.kernel)
      launches.push_back(launch);
  SimulationOptions options = compiledOptions();
  options.threads = 3;
  options.environment.emplace_back("AIWC_ENGINE", "optimised");
  requireCompiled(everyKernel(), launches, options);
  const Both sampled = [&] {
    SimulationOptions interpreter;
    interpreter.environment.emplace_back("AIWC_SAMPLE_GROUPS", "2");
    options.environment.emplace_back("AIWC_SAMPLE_GROUPS", "2");
    return Both{
        run(everyKernel(), launches, interpreter), run(everyKernel(), launches, options), {}};
  }();
  CHECK(sampled.interpreted.output == sampled.compiled.output);
  REQUIRE(sampled.compiled.profiles.size() == launches.size());
  for (size_t i = 0; i < launches.size(); ++i)
    CHECK(requireSameProfile(sampled.interpreted.profiles[i], sampled.compiled.profiles[i]) ==
          "compiled");
}

TEST_CASE("every format of pixels is read and written as in Oclgrind", "[images][long]") {
  requireSameInEachCode(everyFormat());
}

TEST_CASE("every sampler finds the pixels that it finds in Oclgrind", "[images][long]") {
  for (const std::string type : {"1d", "1d_array", "2d", "2d_array", "3d"})
    requireSameInEachCode(everySampler(type));
}

TEST_CASE("a work-item reads what those before it have written to the same image", "[images]") {
  OneByOne all;
  all.program =
      "kernel void smear(read_only image2d_t in, sampler_t s, write_only image2d_t result, "
      "global uint *out) {\n  const int g = get_global_id(0);\n"
      "  const int2 at = (int2)(g % 16, g / 16);\n"
      "  const float4 left = read_imagef(in, s, at - (int2)(1, 0));\n"
      "  write_imagef(result, at, (left + read_imagef(in, s, at)) * 0.5f);\n"
      "  vstore4(as_uint4(left), g, out);\n}\n";
  all.launches.push_back({"smear",
                          "2d_same",
                          {CL_RGBA, CL_UNORM_INT8},
                          {CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, false},
                          16,
                          8,
                          1,
                          128,
                          16});
  requireSameInEachCode(all);
}

TEST_CASE("other formats and samplers than those that code was made for", "[images]") {
  // The second launch of a kernel finds the code of the first.
  OneByOne all;
  for (const Format format : {Format{CL_R, CL_UNORM_INT8}, Format{CL_RGBA, CL_FLOAT},
                              Format{CL_RGBA, CL_HALF_FLOAT}, Format{CL_R, CL_UNORM_INT8}})
    for (const cl_addressing_mode addressing : {CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT}) {
      Launch launch;
      launch.format = format;
      launch.sampler = {addressing, CL_FILTER_LINEAR, true};
      all.add(launch, "f", true);
      all.launches.back().kernel = all.launches.front().kernel;
    }
  all.program = oneKernel(all.launches.front(), "f", true);
  requireSameInEachCode(all);
}

TEST_CASE("a copy of an image reads and writes each pixel once, by its bytes", "[images]") {
  const std::string program =
      "kernel void copy(read_only image2d_t in, sampler_t s, write_only image2d_t result, "
      "global uint *out) {\n"
      "  const int g = get_global_id(0);\n"
      "  const int2 at = (int2)(g % 6, g / 6);\n"
      "  write_imagef(result, at, read_imagef(in, s, at));\n}\n";
  const std::pair<Format, uint64_t> formats[] = {{{CL_RGBA, CL_UNORM_INT8}, 4},
                                                 {{CL_RGBA, CL_FLOAT}, 16},
                                                 {{CL_R, CL_UNORM_INT8}, 1},
                                                 {{CL_RG, CL_HALF_FLOAT}, 4},
                                                 {{CL_A, CL_SNORM_INT16}, 2}};
  constexpr uint64_t pixels = 6 * 4;
  for (const auto &[format, bytes] : formats) {
    Launch launch{"copy", "2d", format, {}, 6, 4, 1, pixels, 8};
    for (const auto &profile : requireCompiled(program, {launch})) {
      INFO(launch.line());
      CHECK(profile.count("total_reads"_metric) == pixels);
      CHECK(profile.count("total_writes"_metric) == pixels);
      CHECK(profile.count("unique_reads"_metric) == pixels);
      CHECK(profile.count("memory_footprint"_metric) == 2 * pixels);
      CHECK(profile.count("bytes_read_global"_metric) == pixels * bytes);
      CHECK(profile.count("bytes_written_global"_metric) == pixels * bytes);
      CHECK(profile.count("footprint_bytes"_metric) == 2 * pixels * bytes);
      CHECK(profile.count("bytes_read_constant"_metric) == 0);
    }
  }
}

TEST_CASE("a linear filter reads every pixel around a place once", "[images]") {
  // A work-item at each corner of the pixels: each pixel has 2, 4 or 8 corners, in 1, 2 or 3
  // dimensions. Beyond the edge there are no pixels, or the ones at the edge again.
  const std::string program =
      "kernel void line(read_only image1d_t in, sampler_t s, write_only image1d_t result, "
      "global uint *out) {\n  vstore4(as_uint4(read_imagef(in, s, (float)get_global_id(0))), "
      "get_global_id(0), out);\n}\n"
      "kernel void face(read_only image2d_t in, sampler_t s, write_only image2d_t result, "
      "global uint *out) {\n  const int g = get_global_id(0);\n"
      "  vstore4(as_uint4(read_imagef(in, s, (float2)(g % 6, g / 6))), g, out);\n}\n"
      "kernel void solid(read_only image3d_t in, sampler_t s, write_only image3d_t result, "
      "global uint *out) {\n  const int g = get_global_id(0);\n"
      "  vstore4(as_uint4(read_imagef(in, s, (float4)(g % 6, g / 6 % 4, g / 24, 0))), g, "
      "out);\n}\n";
  for (const cl_addressing_mode addressing : {CL_ADDRESS_CLAMP, CL_ADDRESS_CLAMP_TO_EDGE}) {
    const Sampler sampler{addressing, CL_FILTER_LINEAR, false};
    const Format format{CL_RGBA, CL_UNORM_INT8};
    const std::pair<Launch, uint64_t> expected[] = {
        {{"line", "1d", format, sampler, 5, 1, 1, 6, 2}, 2 * 5},
        {{"face", "2d", format, sampler, 5, 3, 1, 6 * 4, 4}, 4 * 5 * 3},
        {{"solid", "3d", format, sampler, 5, 3, 2, 6 * 4 * 3, 6}, 8 * 5 * 3 * 2}};
    for (const auto &[launch, reads] : expected)
      for (const auto &profile : requireCompiled(program, {launch})) {
        INFO(launch.line());
        CHECK(profile.count("total_reads"_metric) == reads);
        CHECK(profile.count("bytes_read_global"_metric) == 4 * reads);
        CHECK(profile.count("unique_reads"_metric) ==
              uint64_t{launch.width} * launch.height * launch.depth);
      }
  }
}

TEST_CASE("integers are read from the nearest pixel, whatever the filter", "[images]") {
  // OpenCL does not define a linear filter for them; Oclgrind does not filter.
  const std::string program =
      "kernel void signs(read_only image2d_t in, sampler_t s, write_only image2d_t result, "
      "global uint *out) {\n  const int g = get_global_id(0);\n"
      "  vstore4(as_uint4(read_imagei(in, s, (float2)(g % 5 + 0.7f, g / 5 + 0.2f))), g, out);\n}\n"
      "kernel void naturals(read_only image2d_t in, sampler_t s, write_only image2d_t result, "
      "global uint *out) {\n  const int g = get_global_id(0);\n"
      "  vstore4(read_imageui(in, s, (int2)(g % 5, g / 5)), g, out);\n}\n";
  constexpr uint64_t pixels = 5 * 3;
  for (const cl_addressing_mode addressing :
       {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP, CL_ADDRESS_CLAMP_TO_EDGE})
    for (const auto &[kernel, channels] :
         {std::pair{"signs", CL_SIGNED_INT8}, std::pair{"naturals", CL_UNSIGNED_INT8}}) {
      const Format format{CL_RGBA, static_cast<cl_channel_type>(channels)};
      const Launch launch{kernel, "2d",   format, {addressing, CL_FILTER_LINEAR, false}, 5, 3,
                          1,      pixels, 5};
      for (const auto &profile : requireCompiled(program, {launch})) {
        INFO(launch.line());
        CHECK(profile.count("total_reads"_metric) == pixels);
        CHECK(profile.count("unique_reads"_metric) == pixels);
        CHECK(profile.count("bytes_read_global"_metric) == 4 * pixels);
      }
    }
}

TEST_CASE("a block may read many pixels", "[images]") {
  // 1500 times 8 pixels without a branch between them: more than the trace's buffer holds
  // otherwise.
  std::string program =
      "kernel void many(read_only image3d_t in, sampler_t s, write_only image3d_t result, "
      "global uint *out) {\n  const float g = get_global_id(0) % 3 + 1;\n  float4 sum = 0;\n";
  for (int i = 0; i < 1500; ++i)
    program += "  sum += read_imagef(in, s, (float4)(g, 1 + " + std::to_string(i) +
               " * 0.0001f, 2, 0));\n"; // other places than before between the same pixels
  program += "  vstore4(as_uint4(sum), get_global_id(0), out);\n}\n";
  const Launch launch{
      "many", "3d", {CL_RGBA, CL_UNORM_INT8}, {CL_ADDRESS_CLAMP, CL_FILTER_LINEAR}, 4, 4, 4, 4, 2};
  for (const auto &profile : requireCompiled(program, {launch}))
    CHECK(profile.count("total_reads"_metric) == 4 * 1500 * 8);
}

TEST_CASE("the border of an image is in no memory", "[images]") {
  const std::string program =
      "kernel void border(read_only image2d_t in, sampler_t s, write_only image2d_t result, "
      "global uint *out) {\n  const int g = get_global_id(0);\n"
      "  vstore4(as_uint4(read_imagef(in, s, (int2)(g % 8 - 1, 0))), g, out);\n}\n";
  const Sampler sampler{CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, false};
  // -1 to 6 of 5 pixels
  for (const auto &profile :
       requireCompiled(program, {{"border", "2d", {CL_RGBA, CL_FLOAT}, sampler, 5, 2, 1, 16, 8}})) {
    CHECK(profile.count("total_reads"_metric) == 2 * 5);
    CHECK(profile.count("bytes_read_global"_metric) == 2 * 5 * 16);
  }
}

TEST_CASE("an image or a sampler that is not used does not keep a kernel from being compiled",
          "[images]") {
  const std::string program =
      "constant sampler_t fetch = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | "
      "CLK_FILTER_NEAREST;\n"
      "float texel(image2d_t from, int i, sampler_t s) { return read_imagef(from, s, (int2)(i, "
      "0)).x; "
      "}\n"
      "kernel void unused(read_only image2d_t in, sampler_t s, write_only image2d_t result, "
      "global uint *out) {\n  out[get_global_id(0)] = get_global_id(0);\n}\n"
      "kernel void declared(read_only image2d_t in, sampler_t s, write_only image2d_t result, "
      "global uint *out) {\n"
      "  const sampler_t own = CLK_FILTER_LINEAR | CLK_ADDRESS_CLAMP;\n"
      "  if (get_global_size(0) > 1000)\n"
      "    out[0] = texel(in, 3, fetch) + texel(in, 4, own);\n"
      "  out[get_global_id(0)] = get_global_id(0);\n}\n";
  for (const auto &profile : requireCompiled(program, {{.kernel = "unused", .items = 4, .group = 2},
                                                       {.kernel = "declared", .items = 4}}))
    CHECK(profile.count("total_reads"_metric) == 0);
}

TEST_CASE("a function of images that is not compiled is named", "[images]") {
  const std::string program =
      "#pragma OPENCL EXTENSION cl_khr_depth_images : enable\n"
      "kernel void depth(read_only image2d_depth_t in, sampler_t s, write_only image2d_t result, "
      "global uint *out) {\n"
      "  if (get_global_size(0) > 1000)\n"
      "    out[0] = read_imagef(in, s, (int2)(0, 0));\n" // Oclgrind writes four channels
      "  out[get_global_id(0)] = get_global_id(0);\n}\n";
  const Both both = requireSame(program, {{.kernel = "depth", .items = 4}});
  CHECK(both.interpreted.status == 0);
  CHECK(both.compiled.profiles.front().profile.provenance.engineReason ==
        "images: read_imagef on image2d_depth_t");
}

TEST_CASE("an access of an image that only Oclgrind can report is left to it", "[images]") {
  // The last of 256 work-groups does it, after the others have changed the image and 3 threads
  // have analysed them.
  const std::string at = "  const int g = get_global_id(0);\n  out[g] = g;\n";
  const std::string arguments =
      "(read_only image2d_t in, sampler_t s, write_only image2d_t result, "
      "global uint *out) {\n";
  const std::string program =
      "kernel void outside" + arguments + at +
      "  write_imagef(result, (int2)(g % 16, g / 16 + (g == 511 ? 1000 : 0)), (float4)(1.0f));\n}\n"
      "kernel void forbidden" +
      arguments + at +
      "  if (g == 511) write_imagef(result, (int2)(0, 0), (float4)(1.0f));\n}\n"
      "kernel void packed" +
      arguments + at +
      "  if (g == 511) out[0] = read_imagef(in, s, (int2)(0, 0)).x;\n}\n"
      "kernel void reinterpreted" +
      arguments + at +
      "  if (g == 511) out[0] = read_imagei(in, s, (int2)(0, 0)).x;\n}\n"
      "kernel void miswritten" +
      arguments + at + "  if (g == 511) write_imageui(result, (int2)(0, 0), (uint4)(7));\n}\n";
  // An image that is larger than the buffer that it is made of, by half a pixel.
  const std::string shortened = "(read_only image1d_buffer_t in, sampler_t s, write_only "
                                "image1d_buffer_t result, global uint *out) {\n" +
                                at;
  const std::string ends =
      "kernel void reads_end" + shortened +
      "  vstore4(as_uint4(read_imagef(in, g)), g, out);\n}\nkernel void writes_end" + shortened +
      "  write_imagef(result, g, (float4)(g));\n}\n";
  for (const char *kernel : {"reads_end", "writes_end"})
    CHECK(requireSame(ends, {{kernel, "1d_buffer_cut", {CL_RGBA, CL_FLOAT}, {}, 16, 1, 1, 16, 4}})
              .engines == std::vector<std::string>{"interpreter"});
  SimulationOptions options = compiledOptions();
  options.threads = 3;
  for (int again = 0; again < 3; ++again) {
    const Both both = requireSame(
        program,
        {{"outside", "2d", {CL_RGBA, CL_FLOAT}, {}, 16, 32, 1, 512, 2},
         {"forbidden", "2d", {CL_RGBA, CL_FLOAT}, {}, 16, 32, 1, 512, 2, CL_MEM_READ_ONLY},
         {"packed", "2d", {CL_RGB, CL_UNORM_SHORT_565}, {}, 16, 32, 1, 512, 2},
         {"reinterpreted", "2d", {CL_RG, CL_FLOAT}, {}, 16, 32, 1, 512, 2},
         {"miswritten", "2d", {CL_R, CL_SNORM_INT16}, {}, 16, 32, 1, 512, 2}},
        options);
    CHECK(both.engines == std::vector<std::string>(5, "interpreter"));
    CHECK(both.interpreted.errors.find("Invalid write of size 16") != std::string::npos);
    CHECK(both.interpreted.errors.find("read-only") != std::string::npos);
    CHECK(both.interpreted.errors.find("Unsupported image channel data type") != std::string::npos);
    const std::string reason = "in this or an earlier launch an image had a format that "
                               "Oclgrind's function does not access: ";
    const auto reasonOf = [&](const std::string &kernel) {
      for (const auto &written : both.compiled.profiles)
        if (written.profile.provenance.kernel == kernel)
          return written.profile.provenance.engineReason;
      return std::string();
    };
    CHECK(reasonOf("packed") == reason + "read_imagef on CL_RGB, CL_UNORM_SHORT_565");
    CHECK(reasonOf("reinterpreted") == reason + "read_imagei on CL_RG, CL_FLOAT");
    CHECK(reasonOf("miswritten") == reason + "write_imageui on CL_R, CL_SNORM_INT16");
  }
}
