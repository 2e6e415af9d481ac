// What is said of the simulator's errors: which argument, which element, and what to give instead.
#include "kernel_launch/simulator_errors.h"

#include <catch2/catch.hpp>

using namespace aiwc::kernel_launch;
using Catch::Matchers::Contains;

namespace {

using Space = Parameter::Space;

const Signature kLaunched{"k",
                          {{"x", "float", Space::kBuffer, 0},
                           {"index", "int", Space::kBuffer, 0},
                           {"", "Pair", Space::kBuffer, 0},
                           {"tile", "float", Space::kLocal, 0},
                           {"none", "double", Space::kBuffer, 0}}};

Argument buffer(size_t bytes, const std::string &contents) {
  Argument argument;
  argument.kind = Argument::Kind::kBuffer;
  argument.bytes.resize(bytes);
  argument.contents = contents;
  return argument;
}

std::vector<Argument> launchedArguments() {
  Argument local, null;
  local.kind = Argument::Kind::kLocal;
  local.localBytes = 64;
  null.kind = Argument::Kind::kNull;
  return {buffer(40, "random(0,1)"), buffer(8, "file:i.npy"), buffer(12, "file:p.bin"), local,
          null};
}

constexpr uint64_t kBuffer = uint64_t{1} << 48;
const std::vector<uint64_t> kAddresses = {kBuffer, 2 * kBuffer, 5 * kBuffer, 0, 0};

/// As Oclgrind composes it.
std::string report(const std::string &message, int line, const std::string &file = "input.cl") {
  return "\n" + message + "\n\tKernel: k\n\tEntity: Global(3,1,0) Local(1,0,0) Group(1,1,0)\n" +
         "\t  %0 = load float, float addrspace(1)* %arrayidx8, align 4\n\tAt line " +
         std::to_string(line) + " (column 7) of " + file + ":\n\t  out[i] = x[i + 1];\n\t\n";
}

std::string access(const char *kind, const char *space, uint64_t address, int line = 4,
                   unsigned bytes = 4) {
  char text[128];
  std::snprintf(text, sizeof text, "Invalid %s of size %u at %s memory address 0x%lx", kind, bytes,
                space, address);
  return report(text, line);
}

std::vector<std::string> lines(const std::vector<std::string> &texts, uint64_t untold = 0) {
  std::vector<SimulatorError> errors;
  for (const std::string &text : texts)
    errors.push_back(simulatorErrorOf(text));
  return linesOf(errors, untold,
                 {kLaunched, launchedArguments(), kAddresses, "dir/k.cl", "work-item"});
}

} // namespace

TEST_CASE("an access beyond a buffer: the line in the user's file, the argument, the index") {
  CHECK(lines({access("read", "global", kBuffer + 40)}) ==
        std::vector<std::string>{
            "dir/k.cl:4: k reads index 10 of x, which has 10 of type float, in work-item (3,1,0): "
            "expected --arg 'x=buffer:f32:11:random(0,1)', or a larger one"});
}

TEST_CASE("accesses of one place are one line, which asks for what all of them need") {
  // Elements 10, 25 and 12 of x; and element 11 in another line.
  CHECK(lines({access("write", "global", kBuffer + 40), access("write", "global", kBuffer + 100),
               access("write", "global", kBuffer + 48), access("write", "global", kBuffer + 44, 9)},
              7) ==
        std::vector<std::string>{
            "dir/k.cl:4: k writes index 10 of x, which has 10 of type float, in work-item (3,1,0), "
            "and 2 more such accesses: expected --arg 'x=buffer:f32:26:random(0,1)', or a larger "
            "one",
            "dir/k.cl:9: k writes index 11 of x, which has 10 of type float, in work-item (3,1,0): "
            "expected --arg 'x=buffer:f32:12:random(0,1)', or a larger one",
            "dir/k.cl: 7 more errors of the simulator in k"});
}

TEST_CASE("what is read and written in one place is one line; no buffer has any index") {
  CHECK(lines({access("read", "global", kBuffer + 40), access("write", "global", kBuffer + 40)}) ==
        std::vector<std::string>{
            "dir/k.cl:4: k reads and writes index 10 of x, which has 10 of type float, in "
            "work-item (3,1,0), and 1 more such access: expected --arg "
            "'x=buffer:f32:11:random(0,1)', or a larger one"});
  CHECK_THAT(lines({access("write", "global", kBuffer + (uint64_t{1} << 40))})[0],
             Contains("writes index 274877906944 of x") && Contains(": expected smaller indices"));
}

TEST_CASE("a vector that reaches beyond the end needs all of its elements") {
  const auto said = lines({access("read", "global", kBuffer + 32, 4, 16)});
  REQUIRE(said.size() == 1);
  CHECK_THAT(said[0], Contains("reads index 8 of x") && Contains("x=buffer:f32:12:random(0,1)"));
}

TEST_CASE("an access before a buffer, which is in the addresses of the one before") {
  const auto said = lines({access("read", "global", 2 * kBuffer - 4)});
  REQUIRE(said.size() == 1);
  CHECK(said[0] == "dir/k.cl:4: k reads index -1 of index, which has 2 of type int, in work-item "
                   "(3,1,0): expected indices from 0 on");
}

TEST_CASE("files, structures, null, local memory and private arrays") {
  CHECK_THAT(lines({access("read", "global", 2 * kBuffer + 8)})[0],
             Contains("index 2 of index, which has 2 of type int") &&
                 Contains(": expected a file with 3 values at least"));
  CHECK_THAT(lines({access("read", "constant", 5 * kBuffer + 16)})[0],
             Contains("byte 16 of argument 2, which has 12 bytes") &&
                 Contains(": expected a file with 20 bytes at least"));
  CHECK_THAT(lines({access("read", "global", 16, 4, 8)})[0],
             Contains("reads index 2 of none, which is null") &&
                 Contains("expected --arg 'none=buffer:f64:3', or a larger one"));
  CHECK_THAT(lines({access("write", "local", kBuffer + 64)})[0],
             Contains("k writes outside of local memory (tile (3) has 64 bytes)"));
  CHECK_THAT(lines({access("write", "private", 64)})[0],
             Contains("k writes outside of its private arrays"));
  CHECK_THAT(lines({access("read", "global", 9 * kBuffer)})[0],
             Contains("k reads outside of all buffers, at address 0x9000000000000"));
}

TEST_CASE("what is no access, or has no line, is said as the simulator does") {
  CHECK(lines({report("Work-group divergence detected (barrier)", 12)})[0] ==
        "dir/k.cl:12: k: Work-group divergence detected (barrier), in work-item (3,1,0)");
  CHECK(lines({report("Something", 3, "include/h.cl")})[0] ==
        "include/h.cl:3: k: Something, in work-item (3,1,0)");
  CHECK(lines({"Debugging information not available."})[0] ==
        "dir/k.cl: k: Debugging information not available.");
  CHECK(lines({}, 1) == std::vector<std::string>{"dir/k.cl: 1 more error of the simulator in k"});
}

TEST_CASE("indices beyond an array are one line, and the accesses there are no other") {
  const auto index = [](int i, int line) {
    return report("Index (" + std::to_string(i) + ") exceeds static array size (16)", line);
  };
  CHECK(lines({index(16, 4), access("write", "local", kBuffer + 64), index(18, 4),
               access("write", "local", kBuffer + 64, 9)}) ==
        std::vector<std::string>{
            "dir/k.cl:4: k takes index 16 of an array of 16, in work-item (3,1,0), and 1 more such "
            "index",
            "dir/k.cl:9: k writes outside of local memory (tile (3) has 64 bytes), in work-item "
            "(3,1,0)"});
  // A wrong index of an argument's buffer in the same line is another fault.
  CHECK(lines({index(16, 4), access("read", "global", kBuffer + 40)}).size() == 2);
}

TEST_CASE("an image is named, and where the simulator ends a kernel, why") {
  Signature signature = kLaunched;
  std::vector<Argument> arguments = launchedArguments();
  arguments[2].kind = Argument::Kind::kImage;
  arguments[2].imageSize = {16, 8, 1};
  CHECK(linesOf({simulatorErrorOf(access("write", "global", 5 * kBuffer + 4096))}, 0,
                {signature, arguments, kAddresses, "k.cl", "work-item"}) ==
        std::vector<std::string>{"k.cl:4: k writes outside of argument 2, an image of 16 x 8 x 1 "
                                 "points, in work-item (3,1,0)"});
  CHECK(lines({"OCLGRIND FATAL ERROR (./src/core/WorkItem.cpp:282)\nUnsupported instruction: "
               "addrspacecast\n\tKernel: k\n\tEntity: Global(3,1,0) Local(1,0,0)\n"}) ==
        std::vector<std::string>{"dir/k.cl: k: the simulator ended the kernel: Unsupported "
                                 "instruction: addrspacecast, in work-item (3,1,0)"});
}

TEST_CASE("at most ten places, and how many errors were elsewhere") {
  std::vector<std::string> texts;
  for (int line = 1; line <= 12; ++line)
    texts.push_back(access("read", "global", kBuffer + 40, line));
  const auto said = lines(texts);
  REQUIRE(said.size() == 11);
  CHECK(said[10] == "dir/k.cl: 2 more errors of the simulator in k");
}

TEST_CASE("the compiler's name of the program becomes the user's, as a whole word") {
  CHECK(withFileName("input.cl:2:10: error: x\nin my_input.cl, input.cl", "a/input.cl") ==
        "a/input.cl:2:10: error: x\nin my_input.cl, a/input.cl");
  CHECK(withFileName("a/input.cl:1", "k.cl") == "a/input.cl:1");
}
