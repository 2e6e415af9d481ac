// Captures: made by a program of ours on the machine's OpenCL device, read and compared.
#include "kernel/command.h"
#include "profile/json.h"

#include <catch2/catch.hpp>
#include <cstring>

using namespace aiwc;
using namespace aiwc::literals;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// Captures in the folder `captures`, a copy of those that the program makes once; false where
/// there is no OpenCL device.
bool haveCaptures(const Workplace &workplace) {
  static const Workplace once;
  static const Outcome outcome = once.execute(AIWC_TEST_CAPTURING, {"captures"});
  if (outcome.status == 77) {
    WARN("no OpenCL device: nothing is captured");
    return false;
  }
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  fs::copy(once / "captures", workplace / "captures", fs::copy_options::recursive);
  return true;
}

const std::string kBlend = "captures/Enqueue_9_blend/", kAdd = "captures/Enqueue_12_add/";

void change(const Workplace &workplace, const std::string &file, size_t at,
            const std::string &bytes) {
  std::string content = contents(workplace / file);
  REQUIRE(content.size() >= at + bytes.size());
  workplace.write(file, content.replace(at, bytes.size(), bytes));
}

std::string asBytes(float value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

float floatAt(const std::string &bytes, size_t index) {
  float value = 0;
  std::memcpy(&value, &bytes[index * sizeof value], sizeof value);
  return value;
}

/// `aiwc kernel captures`, which finds a difference. Returns what it says of differences.
std::string differences(const Workplace &workplace) {
  const Outcome outcome =
      workplace.aiwc({"kernel", "--quiet", "--output", "different", "captures"});
  INFO(outcome.err);
  CHECK(outcome.status == 1);
  std::string lines;
  for (size_t at = outcome.err.find("aiwc kernel: "); at != std::string::npos;
       at = outcome.err.find("aiwc kernel: ", at + 1))
    lines += outcome.err.substr(at, outcome.err.find('\n', at) + 1 - at);
  return lines;
}

} // namespace

TEST_CASE("captures are replayed in their order, and their buffers compared") {
  Workplace workplace;
  if (!haveCaptures(workplace))
    return;
  const std::string said = workplace.kernel({"captures"});
  CHECK_THAT(said, Contains("Enqueue_9_blend: 3 buffers as captured\n"));
  CHECK_THAT(said, Contains("Enqueue_12_add: 2 buffers as captured\n"));
  const run::Run run = workplace.run();
  REQUIRE(run.launches.size() == 2);
  const run::Launch &blend = run.launches[0], &add = run.launches[1];
  CHECK(blend.kernel == "blend");
  CHECK(blend.localSize == profile::Size3{32, 1, 1});
  CHECK(blend.buildOptions == "-D SHIFT=0.5f");
  REQUIRE(blend.arguments.size() == 6);
  CHECK(blend.arguments[0].contents == "capture");
  CHECK(blend.arguments[3].bytes == 8); // the structure
  CHECK(blend.arguments[4].bytes == 128);
  CHECK(!blend.arguments[5].allocation); // null
  CHECK(add.kernel == "add");
  CHECK(add.localSizeLeftOpen);
  CHECK(add.arguments.at(0).allocation == add.arguments.at(1).allocation);
  CHECK(add.arguments.at(2).value == "100");
}

TEST_CASE("a capture for whose buffers there is no memory is refused before they are read") {
  Workplace workplace;
  if (!haveCaptures(workplace))
    return;
  for (const auto &file : fs::directory_iterator(workplace / (kBlend + "Pre")))
    if (file.path().filename().string().find("_Arg_0_") != std::string::npos)
      fs::resize_file(file.path(), uint64_t{3} << 30);
  const Outcome outcome =
      workplace.aiwcWithin(uint64_t{4} << 30, {"kernel", kBlend, "--quiet", "--output", "large"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, StartsWith("aiwc kernel: the buffers of blend need 6.00 GiB of memory"));
}

TEST_CASE("the profile of a capture is that of the launch in its application") {
  Workplace workplace;
  if (!haveCaptures(workplace))
    return;
  REQUIRE(workplace.aiwc({"run", "--output", "whole", "--", AIWC_TEST_CAPTURING, "again"}).status ==
          0);
  workplace.kernel({"captures"});
  for (const char *profile : {"aiwc_blend_0.json", "aiwc_add_0.json"}) {
    const auto read = [&](const std::string &folder) {
      auto read = profile::readProfile(workplace / (folder + "/" + profile));
      run::setTransfers(read, {}, {});
      return profile::toJson(read);
    };
    CHECK(read(workplace.output()) == read("whole"));
  }
}

TEST_CASE("one capture, and the folder that the layer makes around them") {
  Workplace workplace;
  if (!haveCaptures(workplace))
    return;
  workplace.kernel({kAdd});
  CHECK(workplace.run().launches.size() == 1);
  fs::create_directory(workplace / "dump");
  fs::rename(workplace / "captures", workplace / "dump/Replay");
  workplace.kernel({"dump"});
  CHECK(workplace.run().launches.size() == 2);
}

TEST_CASE("integers have to be equal bit for bit") {
  Workplace workplace;
  if (!haveCaptures(workplace))
    return;
  const std::string file = kBlend + "Post/Enqueue_0009_Kernel_blend_Arg_2_Buffer_0002.bin";
  int count = 0;
  std::memcpy(&count, &contents(workplace / file)[5 * sizeof count], sizeof count);
  std::string bytes(sizeof count, '\0');
  const int other = count + 1;
  std::memcpy(bytes.data(), &other, sizeof other);
  change(workplace, file, 5 * sizeof count, bytes);
  CHECK(differences(workplace) ==
        "aiwc kernel: Enqueue_9_blend: argument counts (2) after the launch differs from "
        "Post/Enqueue_0009_Kernel_blend_Arg_2_Buffer_0002.bin: 1 of 16 numbers of type i32 differ, "
        "first at index 5: " +
            std::to_string(count) + " simulated, " + std::to_string(other) + " captured\n");
}

TEST_CASE("floating-point numbers may differ by the bound, and no more") {
  Workplace workplace;
  if (!haveCaptures(workplace))
    return;
  const std::string file = kBlend + "Post/Enqueue_0009_Kernel_blend_Arg_1_Buffer_0001.bin";
  const float value = floatAt(contents(workplace / file), 7);
  REQUIRE(value > 0.1F);
  change(workplace, file, 7 * sizeof value, asBytes(value * 1.0005F));
  workplace.kernel({"captures"});
  change(workplace, file, 7 * sizeof value, asBytes(value * 1.002F));
  CHECK_THAT(differences(workplace),
             Contains("argument out (1)") && Contains("1 of 128 numbers of type f32 differ, most "
                                                      "at index 7: "));
}

TEST_CASE("a captured image, and a sampler") {
  // 4 x 2 points of four bytes each, whose neighbour in x the kernel copies: out[i] = in[min(i +
  // 1)].
  Workplace workplace;
  const std::string folder = "Enqueue_3_shift/";
  workplace.write(folder + "kernel.cl", R"(
kernel void shift(read_only image2d_t in, sampler_t edges, global uchar4 *out) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  out[at.y * 4 + at.x] = convert_uchar4(read_imageui(in, edges, at + (int2)(1, 0)));
}
)");
  workplace.write(folder + "kernelName.txt", "shift");
  workplace.write(folder + "worksizes.txt", "4 2 \n4 1 \n0 0 \n");
  workplace.write(folder + "buildOptions.txt", "\n");
  const std::string handle(8, 'h');
  for (const char *index : {"0", "1", "2"})
    workplace.write(folder + "Argument" + index + ".bin", handle + index);
  // Width, height, depth, bytes of a point, pitches, CL_UNSIGNED_INT8, CL_RGBA,
  // CL_MEM_OBJECT_IMAGE2D.
  workplace.write(folder + "Image_MetaData_0.txt", "4\n2\n1\n4\n16\n32\n4314\n4277\n4337");
  workplace.write(folder + "Sampler1.txt",
                  "CL_SAMPLER_NORMALIZED_COORDS = CL_FALSE, CL_SAMPLER_ADDRESSING_MODE = "
                  "CL_ADDRESS_CLAMP_TO_EDGE, CL_SAMPLER_FILTER_MODE = CL_FILTER_NEAREST");
  std::string in, out;
  for (char row = 0; row < 2; ++row)
    for (char column = 0; column < 4; ++column)
      for (char channel = 0; channel < 4; ++channel) {
        const auto value = [&](char x) { return static_cast<char>(32 * row + 4 * x + channel); };
        in += value(column);
        out += value(column < 3 ? column + 1 : 3);
      }
  workplace.write(folder + "Pre/Enqueue_0003_Kernel_shift_Arg_0_Image_0000_4x2x1_32bpp.raw", in);
  workplace.write(folder + "Post/Enqueue_0003_Kernel_shift_Arg_0_Image_0000_4x2x1_32bpp.raw", in);
  workplace.write(folder + "Pre/Enqueue_0003_Kernel_shift_Arg_2_Buffer_0001.bin",
                  std::string(32, '\0'));
  workplace.write(folder + "Post/Enqueue_0003_Kernel_shift_Arg_2_Buffer_0001.bin", out);
  CHECK_THAT(workplace.kernel({"Enqueue_3_shift"}), Contains("2 buffers as captured"));
}

TEST_CASE("truncated captures and options beside them: one line, and no run") {
  Workplace workplace;
  if (!haveCaptures(workplace))
    return;
  const auto gone = [&](const std::string &file) { fs::remove(workplace / file); };
  CHECK_THAT(workplace.refusal({"captures", "--global", "64"}),
             StartsWith("aiwc kernel: --global is given with a capture"));
  CHECK_THAT(workplace.refusal({"."}), Contains(".: is no capture: expected a folder"));
  SECTION("no sizes") {
    workplace.write(kAdd + "worksizes.txt", "128 \n");
    CHECK_THAT(workplace.refusal({"captures"}), Contains("worksizes.txt: is truncated"));
  }
  SECTION("no buffer") {
    gone(kAdd + "Pre/Enqueue_0012_Kernel_add_Arg_0_Buffer_0003.bin");
    CHECK_THAT(workplace.refusal({"captures"}),
               Contains("Arg_0_Buffer_0003.bin: has no counterpart"));
    gone(kAdd + "Post/Enqueue_0012_Kernel_add_Arg_0_Buffer_0003.bin");
    CHECK_THAT(workplace.refusal({kAdd}), Contains("argument x (0) of add has no buffer in Pre/"));
  }
  SECTION("no value") {
    gone(kAdd + "Argument2.bin");
    CHECK_THAT(workplace.refusal({kAdd}), Contains("argument n (2) of add has no value"));
  }
  SECTION("half of a value") {
    workplace.write(kAdd + "Argument2.bin", "ab");
    CHECK_THAT(workplace.refusal({kAdd}),
               Contains("argument n (2) of add has 2 bytes: expected 4 of its type uint"));
  }
  SECTION("more than a structure") {
    workplace.write(kBlend + "Argument3.bin", "123456789");
    CHECK_THAT(
        workplace.refusal({kBlend}),
        Contains("argument plan (3) of blend: it has 9 bytes: expected as many as its type"));
  }
  SECTION("local memory that no device has") {
    workplace.write(kBlend + "Local4.txt", "99999999999999");
    CHECK_THAT(workplace.refusal({kBlend}), Contains("argument tile (4) of blend: it has ") &&
                                                Contains("expected less local memory"));
  }
  SECTION("more work-groups than can be listed") {
    workplace.write(kBlend + "worksizes.txt", "1000000000000 \n32 \n0 \n");
    CHECK_THAT(workplace.refusal({kBlend}), Contains("the launch has 1000000000000 work-items in "
                                                     "groups of 32: expected at most 2^28 groups"));
  }
  SECTION("a name of two lines") {
    workplace.write(kBlend + "kernelName.txt", "bl\nend");
    CHECK_THAT(workplace.refusal({kBlend}), Contains("kernelName.txt: has several lines"));
  }
  SECTION("an open quote in the options") {
    workplace.write(kBlend + "buildOptions.txt", "-D SHIFT=0.5f \"-D X");
    CHECK_THAT(workplace.refusal({kBlend}),
               Contains("the build options are '-D SHIFT=0.5f \"-D X': expected a second quote"));
  }
  SECTION("no local size") {
    gone(kBlend + "Local4.txt");
    CHECK_THAT(workplace.refusal({kBlend}), Contains("argument tile (4) of blend has no size"));
  }
  SECTION("no program") {
    gone(kAdd + "kernel.cl");
    CHECK_THAT(workplace.refusal({"captures"}), Contains("has no program: expected kernel.cl"));
  }
  SECTION("another kernel") {
    workplace.write(kAdd + "kernelName.txt", "addd");
    CHECK_THAT(workplace.refusal({kAdd}),
               Contains("has no kernel 'addd'") && Contains("did you mean add?"));
  }
  SECTION("the captures after a refused one run") {
    gone(kBlend + "Local4.txt");
    const Outcome outcome = workplace.aiwc({"kernel", "--quiet", "--output", "part", "captures"});
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains("argument tile (4) of blend has no size"));
    CHECK(fs::exists(workplace / "part/aiwc_add_0.json"));
  }
  SECTION("a buffer cut short") {
    const std::string file = kAdd + "Post/Enqueue_0012_Kernel_add_Arg_0_Buffer_0003.bin";
    workplace.write(file, contents(workplace / file).substr(0, 100));
    CHECK_THAT(differences(workplace), Contains("it has 512 bytes simulated, 100 captured"));
  }
}

TEST_CASE(
    "aiwc advise --try changes copies of captures, and compares with the captures as they are") {
  Workplace workplace;
  if (!haveCaptures(workplace))
    return;
  const std::string source = contents(workplace / (kBlend + "kernel.cl"));
  const auto with = [&](const std::string &more) {
    std::string text = source;
    workplace.write(kBlend + "kernel.cl", text.insert(text.find(" + SHIFT;") + 8, more));
  };
  const auto tried = [&](int status) {
    const Outcome run = workplace.aiwc({"kernel", "--quiet", "--output", "tried", "captures"});
    INFO(run.err);
    CHECK(run.status == status);
    const Outcome outcome = workplace.aiwc({"advise", "tried", "--try", "--devices", "gtx1080"});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    const size_t begin = outcome.out.find("Tried: ");
    REQUIRE(begin != std::string::npos);
    return outcome.out.substr(begin);
  };
  SECTION("a change that leaves the results as they are") {
    with(" * 1.1 + 0.25"); // they are not those of the captured device, which is no matter
    CHECK_THAT(tried(1), StartsWith("Tried: Accidental double precision\n  results as before\n"));
    const std::string copy = "tried/try/accidental-double/0/Enqueue_9_blend/kernel.cl";
    CHECK_THAT(contents(workplace / copy), Contains("+ SHIFT * 1.1f + 0.25f;"));
    CHECK_THAT(contents(workplace / (kBlend + "kernel.cl")), Contains("+ SHIFT * 1.1 + 0.25;"));
    const auto changed =
        profile::readProfile(workplace / "tried/try/accidental-double/run/aiwc_blend_0.json");
    CHECK(changed.count("fp_ops_f64"_metric) == 0);
    CHECK(fs::exists(workplace / "tried/try/accidental-double/run/aiwc_add_0.json"));
  }
  SECTION("a change of the results") {
    with(" + 1e9 - 1e9");
    CHECK_THAT(tried(0), StartsWith("Tried: Accidental double precision\n  other results: argument "
                                    "out (1) after launch 0"));
  }
}
