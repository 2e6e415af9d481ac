/// Device libraries through the C API: what is found equals what the C++ library finds.
#include "fixture.h"
#include "profile/random_profile.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>

using namespace aiwc;
using namespace aiwc::test;

TEST_CASE("a library has the devices of its folder, by id") {
  const LibraryHandle library = openLibrary();
  const predict::DeviceLibrary reference({deviceFolder()});
  REQUIRE(aiwc_device_count(library.get()) == reference.devices().size());
  const auto devices = devicesOf(library.get());
  for (size_t i = 0; i < devices.size(); ++i) {
    CHECK(aiwc_device_id(devices[i]) == reference.devices()[i].id);
    CHECK(aiwc_device_name(devices[i]) == reference.devices()[i].name);
    const aiwc_device *found = nullptr;
    CHECK(aiwc_device_find(library.get(), aiwc_device_id(devices[i]), &found) == AIWC_OK);
    CHECK(found == devices[i]);
  }
}

TEST_CASE("a device is recognised by its OpenCL name as in the C++ library") {
  TemporaryFolder folder;
  writeDevice(folder.path(), "one", "Fast Card");
  writeDevice(folder.path(), "two", "Fast Card 2");
  writeDevice(folder.path(), "three", "Same");
  writeDevice(folder.path(), "four", "Same");
  const LibraryHandle library = openLibrary(folder.path());
  const auto matched = [&](const char *name) -> std::string {
    const aiwc_device *device = nullptr;
    const aiwc_status status = aiwc_device_match(library.get(), name, &device);
    CHECK((status == AIWC_OK || (status == AIWC_NOT_FOUND && !device)));
    return aiwc_device_id(device);
  };
  CHECK(matched("Vendor FAST card") == "one");
  CHECK(matched("Fast Card 2 (rev 1)") == "two");
  CHECK(matched("Same") == ""); // of two devices
  CHECK(matched("Slow Card") == "");
  CHECK(matched("") == "");
  CHECK(std::strstr(aiwc_error_message(), "\"\"")); // which name it was
}

TEST_CASE("an unknown device is not found, and the message has ids that are close") {
  const LibraryHandle library = openLibrary();
  const aiwc_device *device = nullptr;
  CHECK(aiwc_device_find(library.get(), "gtx108", &device) == AIWC_NOT_FOUND);
  CHECK(!device);
  CHECK(std::strstr(aiwc_error_message(), "gtx1080"));
  CHECK(aiwc_device_find(library.get(), "", &device) == AIWC_NOT_FOUND);
  CHECK(aiwc_device_find(library.get(), std::string(1 << 12, '*').c_str(), &device) ==
        AIWC_NOT_FOUND);
  CHECK(aiwc_device_at(library.get(), aiwc_device_count(library.get()), &device) ==
        AIWC_BAD_ARGUMENT);
  CHECK(aiwc_device_at(library.get(), SIZE_MAX, &device) == AIWC_BAD_ARGUMENT);
  CHECK(!device);
}

TEST_CASE("a folder is read as a whole or not at all") {
  TemporaryFolder folder;
  aiwc_device_library *library = nullptr;
  const auto open = [&](const std::filesystem::path &path) {
    return aiwc_device_library_open(path.c_str(), &library);
  };
  CHECK(open(folder / "missing") == AIWC_BAD_FILE);
  CHECK(std::strstr(aiwc_error_message(), (folder / "missing").c_str()));
  CHECK(open(folder.path()) == AIWC_BAD_FILE); // empty
  CHECK(open("") == AIWC_BAD_FILE);
  CHECK(open(std::string(1 << 16, 'x')) == AIWC_BAD_FILE);
  writeDevice(folder.path(), "good", "Card");
  write(folder / "bad.json", "{\"schema_version\": 1");
  CHECK(open(folder.path()) == AIWC_BAD_FILE);
  CHECK(std::strstr(aiwc_error_message(), "bad.json:1:"));
  CHECK(!library);
}

TEST_CASE("without a folder there are the devices that come with the library") {
  const auto openedDefault = [](const char *environment) {
    if (environment)
      setenv("AIWC_DEVICES", environment, 1);
    else
      unsetenv("AIWC_DEVICES");
    aiwc_device_library *library = nullptr;
    INFO(aiwc_error_message());
    CHECK(aiwc_device_library_open(nullptr, &library) == AIWC_OK);
    unsetenv("AIWC_DEVICES");
    return LibraryHandle(library);
  };
  const size_t all = aiwc_device_count(openLibrary().get());
  CHECK(aiwc_device_count(openedDefault(nullptr).get()) == all);
  CHECK(aiwc_device_count(openedDefault("").get()) == all);
  TemporaryFolder folder;
  writeDevice(folder.path(), "mine", "Card");
  CHECK(aiwc_device_count(openedDefault(folder.path().c_str()).get()) == 1);
  CHECK(
      aiwc_device_count(
          openedDefault((folder.path().string() + ":" + deviceFolder().string()).c_str()).get()) ==
      all + 1);
}

TEST_CASE("NULL is a bad argument to every function on devices") {
  const LibraryHandle library = openLibrary();
  const aiwc_device *device = nullptr;
  CHECK(aiwc_device_library_open(deviceFolder().c_str(), nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(std::string(aiwc_error_message()) == "library is NULL");
  CHECK(aiwc_device_count(nullptr) == 0);
  CHECK(aiwc_device_at(nullptr, 0, &device) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_device_at(library.get(), 0, nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_device_find(nullptr, "knl", &device) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_device_find(library.get(), nullptr, &device) == AIWC_BAD_ARGUMENT);
  CHECK(std::string(aiwc_error_message()) == "id is NULL");
  CHECK(aiwc_device_find(library.get(), "knl", nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_device_match(nullptr, "Card", &device) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_device_match(library.get(), nullptr, &device) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_device_match(library.get(), "Card", nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(!device);
  CHECK(std::string(aiwc_device_id(nullptr)).empty());
  CHECK(std::string(aiwc_device_name(nullptr)).empty());
  aiwc_device_library_free(nullptr);
}
