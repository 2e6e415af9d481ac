#include "predict/device_json.h"
#include "predict/device_library.h"
#include "predict/machines.h"
#include "support/files.h"

#include <catch2/catch.hpp>
#include <cstdlib>

using namespace aiwc::predict;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

void put(const TemporaryFolder &folder, const std::string &id) {
  write(folder / (id + ".json"), toJson(namedDevice(id)));
}

std::vector<std::string> idsOf(const std::vector<const DeviceProfile *> &devices) {
  std::vector<std::string> ids;
  for (const DeviceProfile *device : devices)
    ids.push_back(device->id);
  return ids;
}

DeviceLibrary sample() {
  DeviceLibrary library;
  library.add(namedDevice("gtx1080ti", {"GeForce GTX 1080 Ti"}), "c");
  library.add(namedDevice("gtx1080", {"GeForce GTX 1080"}), "a");
  library.add(namedDevice("i5", {"i5-2400"}), "b");
  return library;
}

} // namespace

TEST_CASE("a library has the devices of its folders, by id, and no other file") {
  const TemporaryFolder one;
  const TemporaryFolder two;
  put(one, "b");
  put(one, "d");
  put(two, "a");
  put(two, "c");
  write(one / "README.md", "no device");
  write(one / ".b.json.swp.json", "no device");
  const DeviceLibrary library({one.path(), two.path()});
  CHECK(idsOf(library.select("all")) == std::vector<std::string>{"a", "b", "c", "d"});
  CHECK(library["c"].name == "The c");
}

TEST_CASE("AutoMatch's devices are known by their names, and no list has them") {
  const DeviceLibrary library({AIWC_TEST_DEVICES});
  for (const std::filesystem::directory_entry &file :
       std::filesystem::directory_iterator(AIWC_TEST_DEVICES "/automatch")) {
    const std::string id = file.path().stem().string();
    INFO(id);
    CHECK(library[id].id == id);
    CHECK(library.select(id + ",gtx1080").front()->id == id);
    CHECK(std::ranges::find(library.devices(), id, &DeviceProfile::id) == library.devices().end());
    for (const DeviceProfile *device : library.select("all"))
      CHECK(device->id != id);
  }
}

TEST_CASE("a device replaces the one of an earlier folder that has its id, or has it as an alias") {
  const TemporaryFolder one;
  const TemporaryFolder two;
  put(one, "a");
  put(one, "b");
  DeviceProfile other = namedDevice("a");
  other.name = "Another a";
  write(two / "a.json", toJson(other));
  CHECK(DeviceLibrary({one.path(), two.path()})["a"].name == "Another a");
  CHECK(DeviceLibrary({two.path(), one.path()})["a"].name == "The a");
  CHECK(DeviceLibrary({one.path(), two.path()}).devices().size() == 2);
  DeviceProfile renamed = namedDevice("k20m");
  renamed.aliases = {"k20c"};
  write(one / "k20m.json", toJson(renamed));
  put(two, "k20c");
  const DeviceLibrary library({one.path(), two.path()});
  CHECK(library["k20c"].name == "The k20c");
  CHECK(idsOf(library.select("all")) == std::vector<std::string>{"a", "b", "k20c"});
}

TEST_CASE("an id that two devices have is refused with both places") {
  DeviceLibrary library;
  for (const std::string id : {"d", "b", "c", "a"})
    library.add(namedDevice(id), "the file of " + id);
  for (const std::string id : {"a", "b", "c", "d"})
    CHECK_THAT(errorOf([&] { library.add(namedDevice(id), "another"); }),
               Contains("is also that of the file of " + id + ":"));
}

TEST_CASE("an alias names its device, which is listed once, and no other device may have it") {
  DeviceLibrary library;
  DeviceProfile renamed = namedDevice("k20m");
  renamed.aliases = {"k20c", "k20"};
  library.add(renamed, "the file of k20m");
  library.add(namedDevice("a"), "the file of a");
  library.add(namedDevice("z"), "the file of z");
  CHECK(&library["k20c"] == &library["k20m"]);
  CHECK(library["k20"].id == "k20m");
  CHECK(idsOf(library.select("all")) == std::vector<std::string>{"a", "k20m", "z"});
  CHECK(idsOf(library.select("z,k20c")) == std::vector<std::string>{"z", "k20m"});
  CHECK_THAT(errorOf([&] { static_cast<void>(library.select("k20m,k20c")); }),
             Contains("named twice"));
  const std::string clash = "another: id \"k20c\" is also that of the file of k20m: expected every "
                            "device once";
  CHECK(errorOf([&] { library.add(namedDevice("k20c"), "another"); }) == clash);
  DeviceProfile other = namedDevice("m");
  other.aliases = {"k20c"};
  CHECK(errorOf([&] { library.add(other, "another"); }) == clash);
  CHECK(library.devices().size() == 3);
}

TEST_CASE("a folder that is none, has none or has a bad one is refused") {
  const TemporaryFolder folder;
  CHECK(errorOf([&] { DeviceLibrary({folder.path()}); }) ==
        folder.path().string() + ": has no device files: expected files *.json in it");
  CHECK(errorOf([&] { DeviceLibrary({folder / "none"}); }) ==
        (folder / "none").string() +
            ": cannot be read: No such file or directory: expected a folder of device files");
  put(folder, "a");
  write(folder / "b.json", "{");
  CHECK_THAT(errorOf([&] { DeviceLibrary({folder.path()}); }),
             StartsWith((folder / "b.json").string() + ":1:"));
  for (int i = 9; i >= 0; --i) // of several bad ones, the first by name
    write(folder / ("aa" + std::to_string(i) + ".json"), "{");
  CHECK_THAT(errorOf([&] { DeviceLibrary({folder.path()}); }),
             StartsWith((folder / "aa0.json").string() + ":1:"));
}

TEST_CASE("an unknown id is refused with those that are close") {
  const DeviceLibrary library = sample();
  CHECK(errorOf([&] { (void)library["gtx1081"]; }) == "no device \"gtx1081\": expected gtx1080");
  CHECK(errorOf([&] { (void)library["GTX1080"]; }) ==
        "no device \"GTX1080\": expected gtx1080, gtx1080ti");
  DeviceLibrary parts = sample(); // what contains the id comes before what is written alike
  parts.add(namedDevice("atx108"), "d");
  CHECK(errorOf([&] { (void)parts["gtx108"]; }) ==
        "no device \"gtx108\": expected gtx1080, gtx1080ti, atx108");
  CHECK(errorOf([&] { (void)library["1080t"]; }) == "no device \"1080t\": expected gtx1080ti");
  CHECK(errorOf([&] { (void)library["quantum computer"]; }) ==
        "no device \"quantum computer\": expected an id that `aiwc devices list` shows");
  CHECK(errorOf([&] { (void)library[""]; }) ==
        "no device \"\": expected ids with commas between them, and no blanks");
  CHECK_THAT(errorOf([&] { (void)library["a\nb"]; }), StartsWith("no device \"a\\x0ab\": "));
}

TEST_CASE("a list of ids selects in its order") {
  const DeviceLibrary library = sample();
  CHECK(idsOf(library.select("i5,gtx1080")) == std::vector<std::string>{"i5", "gtx1080"});
  CHECK(idsOf(library.select("all")) == std::vector<std::string>{"gtx1080", "gtx1080ti", "i5"});
  CHECK(errorOf([&] { library.select("i5,gtx1080,i5"); }) ==
        "device \"i5\" is named twice: expected every device once");
  CHECK_THAT(errorOf([&] { library.select("i5,"); }), StartsWith("no device \"\": "));
  CHECK_THAT(errorOf([&] { library.select(""); }), StartsWith("no device \"\": "));
}

TEST_CASE("\"all\" leaves a device without OpenCL out, its name does not") {
  DeviceLibrary library = sample();
  DeviceProfile vector = namedDevice("ve");
  vector.opencl = false;
  library.add(vector, "d");
  CHECK(idsOf(library.select("all")) == std::vector<std::string>{"gtx1080", "gtx1080ti", "i5"});
  CHECK(idsOf(library.select("ve,i5")) == std::vector<std::string>{"ve", "i5"});
}

TEST_CASE("types stand for their devices that have OpenCL, ordered by id") {
  DeviceLibrary library;
  const std::pair<const char *, DeviceType> devices[] = {{"a", DeviceType::kGpu},
                                                         {"b", DeviceType::kCpu},
                                                         {"c", DeviceType::kIntegratedGpu},
                                                         {"d", DeviceType::kGpu},
                                                         {"e", DeviceType::kAccelerator}};
  for (const auto &[id, type] : devices) {
    DeviceProfile device = namedDevice(id);
    device.type = type;
    device.opencl = device.id != "e";
    library.add(device, id);
  }
  CHECK(idsOf(library.select("gpu")) == std::vector<std::string>{"a", "d"});
  CHECK(idsOf(library.select("integrated_gpu,cpu")) == std::vector<std::string>{"b", "c"});
  CHECK(errorOf([&] { library.select("accelerator"); }) ==
        "no device of type accelerator: expected one at least");
  // A list is of types or of devices: each that is named is one that is wanted.
  CHECK_THAT(errorOf([&] { library.select("a,cpu"); }), StartsWith("no device \"cpu\": "));
  CHECK(namesGroup("all"));
  CHECK(namesGroup("cpu,gpu"));
  for (const char *single : {"a", "a,cpu", "cpu,", "all,cpu", ""})
    CHECK_FALSE(namesGroup(single));
}

TEST_CASE("an OpenCL device is recognised by the longest name in it, in whole words") {
  const DeviceLibrary library = sample();
  const auto match = [&](std::string_view name) {
    const DeviceProfile *device = library.match(name);
    return device ? device->id : "";
  };
  CHECK(match("NVIDIA GeForce GTX 1080") == "gtx1080");
  CHECK(match("GEFORCE GTX 1080 TI") == "gtx1080ti");
  CHECK(match("Intel(R) Core(TM) i5-2400 CPU @ 3.10GHz") == "i5");
  CHECK(match("Intel(R) Core(TM) i5-2400S CPU @ 2.50GHz") == "");
  CHECK(match("xi5-2400") == "");
  CHECK(match("GeForce GTX 1070") == "");
  CHECK(match("") == "");
  CHECK(match("  GeForce(R)  GTX\xe2\x84\xa2 1080 ") == "gtx1080");
  CHECK(match("Intel(R)_Core(TM)_i5-2400_CPU") == "i5");
  DeviceLibrary ambiguous = sample();
  ambiguous.add(namedDevice("other", {"geforce gtx 1080"}), "d");
  CHECK(ambiguous.match("GeForce GTX 1080") == nullptr);
  CHECK(ambiguous.match("GeForce GTX 1080 Ti")->id == "gtx1080ti");
  // A device may have the same name twice, which is no second device, nor does it end a doubt.
  ambiguous.add(namedDevice("twice", {"Radeon R9", "radeon(R) r9"}), "e");
  CHECK(ambiguous.match("Radeon R9")->id == "twice");
  ambiguous.add(namedDevice("twice-too", {"Radeon R9", "radeon(R) r9"}), "f");
  CHECK(ambiguous.match("Radeon R9") == nullptr);
}

TEST_CASE("folders are those chosen, then of the environment, then beside the program") {
  REQUIRE(unsetenv("AIWC_DEVICES") == 0);
  // The tests lie where the programs of the build tree lie.
  REQUIRE(deviceFolders().size() == 1);
  CHECK(std::filesystem::equivalent(deviceFolders()[0], AIWC_TEST_DEVICES));
  REQUIRE(setenv("AIWC_DEVICES", "/a::/b c:", 1) == 0);
  CHECK(deviceFolders() == std::vector<std::filesystem::path>{"/a", "/b c"});
  CHECK(deviceFolders({"/d"}) == std::vector<std::filesystem::path>{"/a", "/b c", "/d"});
  REQUIRE(setenv("AIWC_DEVICES", "", 1) == 0);
  CHECK(std::filesystem::equivalent(deviceFolders()[0], AIWC_TEST_DEVICES));
  REQUIRE(unsetenv("AIWC_DEVICES") == 0);
}
