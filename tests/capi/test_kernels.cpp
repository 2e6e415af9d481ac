/// Kernel profiles through the C API, and what all of it has in common: statuses, messages, sizes.
#include "common/version.h"
#include "fixture.h"
#include "profile/json.h"
#include "profile/random_profile.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <string>

using namespace aiwc;
using namespace aiwc::test;

namespace {

aiwc_status parseText(const std::string &text) {
  aiwc_profile *profile = nullptr;
  const aiwc_status status = aiwc_profile_parse(text.data(), text.size(), "memory", &profile);
  CHECK((status == AIWC_OK) == (profile != nullptr));
  aiwc_profile_free(profile);
  return status;
}

} // namespace

TEST_CASE("a profile is the same from a file and from memory") {
  TemporaryFolder folder;
  const auto kernel = streaming();
  write(folder / "p.json", profile::toJson(kernel));
  aiwc_profile *read = nullptr;
  REQUIRE(aiwc_profile_read((folder / "p.json").c_str(), &read) == AIWC_OK);
  const ProfileHandle fromFile(read);
  const ProfileHandle fromMemory = parse(kernel);
  for (const ProfileHandle *profile : {&fromFile, &fromMemory}) {
    CHECK(std::string(aiwc_profile_kernel(profile->get())) == "triad");
    aiwc_ndrange range;
    REQUIRE(aiwc_profile_ndrange(profile->get(), &range, sizeof range) == AIWC_OK);
    CHECK(range.work_dim == 2);
    CHECK(range.global_offset[0] == 64);
    CHECK(range.global_size[0] == 640);
    CHECK(range.global_size[1] == 10);
    CHECK(range.global_size[2] == 1);
    CHECK(range.local_size[0] == 64);
  }
}

TEST_CASE("what is no profile is a bad file, with the place in it") {
  TemporaryFolder folder;
  aiwc_profile *profile = nullptr;
  CHECK(aiwc_profile_read((folder / "none.json").c_str(), &profile) == AIWC_BAD_FILE);
  CHECK(std::strstr(aiwc_error_message(), "none.json"));
  CHECK(aiwc_profile_read(folder.path().c_str(), &profile) == AIWC_BAD_FILE);
  CHECK(aiwc_profile_read("/dev/zero", &profile) == AIWC_BAD_FILE);
  CHECK(aiwc_profile_read("", &profile) == AIWC_BAD_FILE);
  CHECK(!profile);

  const std::string good = profile::toJson(streaming());
  CHECK(parseText(good) == AIWC_OK);
  CHECK(parseText("") == AIWC_BAD_FILE);
  CHECK(parseText("{}") == AIWC_BAD_FILE);
  CHECK(std::strstr(aiwc_error_message(), "memory:1:1: "));
  CHECK(parseText("nothing") == AIWC_BAD_FILE);
  CHECK(parseText(std::string(1 << 20, '[')) == AIWC_BAD_FILE);
  CHECK(parseText(std::string(1 << 20, '\0')) == AIWC_BAD_FILE);
  CHECK(parseText("{\"schema_version\": 999}") == AIWC_BAD_FILE);
  for (size_t cut = 0; cut + 2 < good.size(); cut += 97)
    CHECK(parseText(good.substr(0, cut)) == AIWC_BAD_FILE);
  // A name that is not there is not NULL in the message.
  CHECK(aiwc_profile_parse("{", 1, nullptr, &profile) == AIWC_BAD_FILE);
  CHECK(std::strstr(aiwc_error_message(), "profile:1:"));
}

TEST_CASE("damaged text is refused or read, never worse") {
  const std::string good = profile::toJson(streaming());
  uint64_t state = 1;
  for (int i = 0; i < 2000; ++i) {
    std::string text = good;
    for (int k = 0; k < 3; ++k) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      text[(state >> 33U) % text.size()] = static_cast<char>(state >> 25U);
    }
    const aiwc_status status = parseText(text);
    CHECK((status == AIWC_OK || status == AIWC_BAD_FILE));
  }
}

TEST_CASE("NULL is a bad argument to every function on profiles") {
  aiwc_profile *profile = nullptr;
  aiwc_ndrange range;
  const ProfileHandle good = parse(streaming());
  CHECK(aiwc_profile_read(nullptr, &profile) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_profile_read("p.json", nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_profile_parse(nullptr, 0, nullptr, &profile) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_profile_parse("{}", 2, nullptr, nullptr) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_profile_ndrange(nullptr, &range, sizeof range) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_profile_ndrange(good.get(), nullptr, sizeof range) == AIWC_BAD_ARGUMENT);
  CHECK(std::string(aiwc_profile_kernel(nullptr)).empty());
  CHECK(!profile);
  aiwc_profile_free(nullptr);
}

TEST_CASE("a struct gets what its version knows, and zeros beyond what the library does") {
  const ProfileHandle profile = parse(streaming());
  struct Newer {
    aiwc_ndrange known;
    uint64_t added;
  } newer;
  std::memset(&newer, 0xff, sizeof newer);
  REQUIRE(aiwc_profile_ndrange(profile.get(), &newer.known, sizeof newer) == AIWC_OK);
  CHECK(newer.known.global_size[0] == 640);
  CHECK(newer.added == 0);
  aiwc_ndrange range;
  std::memset(&range, 0x55, sizeof range);
  const aiwc_ndrange before = range;
  CHECK(aiwc_profile_ndrange(profile.get(), &range, sizeof range - 1) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_profile_ndrange(profile.get(), &range, 0) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_profile_ndrange(profile.get(), &range, 4097) == AIWC_BAD_ARGUMENT);
  CHECK(aiwc_profile_ndrange(profile.get(), &range, SIZE_MAX) == AIWC_BAD_ARGUMENT);
  CHECK(std::string(aiwc_error_message()) ==
        "ndrange_size is 18446744073709551615: expected the size of the struct, 80 to 4096 bytes");
  CHECK(std::memcmp(&range, &before, sizeof range) == 0);
  std::array<unsigned char, 4096> largest;
  largest.fill(0xff);
  REQUIRE(aiwc_profile_ndrange(profile.get(), reinterpret_cast<aiwc_ndrange *>(largest.data()),
                               largest.size()) == AIWC_OK);
  CHECK(std::all_of(largest.begin() + sizeof range, largest.end(),
                    [](unsigned char byte) { return byte == 0; }));
}

TEST_CASE("a length that no text in memory has is a bad argument, before a byte is read") {
  aiwc_profile *profile = nullptr;
  CHECK(aiwc_profile_parse("{}", SIZE_MAX, nullptr, &profile) == AIWC_BAD_ARGUMENT);
  CHECK(std::string(aiwc_error_message()) ==
        "length is 18446744073709551615: expected at most 67108864");
  CHECK(!profile);
  aiwc_annotations *annotations = nullptr;
  CHECK(aiwc_annotations_parse("", SIZE_MAX, nullptr, &annotations) == AIWC_BAD_ARGUMENT);
  CHECK(!annotations);
}

TEST_CASE("versions, statuses and terms have names") {
  CHECK(std::string(aiwc_version()) == kVersion);
  std::vector<std::string> names;
  for (int status = AIWC_OK; status <= AIWC_INTERNAL; ++status)
    names.emplace_back(aiwc_status_text(status));
  for (int term = AIWC_TERM_COMPUTE; term <= AIWC_TERM_TRANSFERS; ++term)
    names.emplace_back(aiwc_term_text(static_cast<aiwc_term>(term)));
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  CHECK(std::find(names.begin(), names.end(), "") == names.end());
  CHECK(std::string(aiwc_status_text(8)) == "unknown status");
  CHECK(std::string(aiwc_term_text(static_cast<aiwc_term>(7))) == "unknown term");
}

TEST_CASE("a message is one line of UTF-8, cut between characters, and outlives a success") {
  const std::string origin = "a\nb" + std::string(1020, 'x') + "\xc3\xa9\xc3\xa9\xc3\xa9";
  for (size_t skip = 0; skip < 4; ++skip) {
    aiwc_profile *profile = nullptr;
    CHECK(aiwc_profile_parse("", 0, origin.c_str() + skip, &profile) == AIWC_BAD_FILE);
    const std::string message = aiwc_error_message();
    CHECK((message.size() == 1023 || message.size() == 1022));
    CHECK(message.find('\n') == std::string::npos);
    const auto last = static_cast<unsigned char>(message.back());
    CHECK((last == 'x' || last == 0xa9)); // not half of an e with an accent
    CHECK(aiwc_device_count(openLibrary().get()) > 0);
    CHECK(aiwc_error_message() == message);
  }
}
