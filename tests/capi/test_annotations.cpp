/// Profiles out of annotated kernels through the C API: what is found equals what was embedded, and
/// whatever is wrong with an annotation is a status and a message.
#include "embed/match.h"
#include "embed/opencl_c.h"
#include "embed/sidecar.h"
#include "fixture.h"
#include "profile/random_profile.h"
#include "profile/source_hash.h"
#include "support/ndrange.h"

#include <catch2/catch.hpp>
#include <cstring>

using namespace aiwc;
using namespace aiwc::test;

namespace {

const std::string kSource = "// two kernels\nkernel void triad() {}\n\nkernel void other() {}\n";
const size_t kGlobal[] = {640, 10};
const size_t kLocal[] = {64, 1};
const size_t kNothing[] = {64, 0};

embed::Annotation annotation(uint64_t width, uint64_t groupWidth, const std::string &source) {
  profile::KernelProfile kernel = streaming();
  setNdrange(kernel, 2, {width, 10, 1}, {groupWidth, 1, 1});
  kernel.provenance.sourceHash = profile::sourceHash(source);
  return embed::annotationOf(kernel);
}

/// The kernel `triad` in three launches.
std::string annotated() {
  return embed::embed(kSource, std::vector<embed::Annotation>{annotation(640, 64, kSource),
                                                              annotation(640, 32, kSource),
                                                              annotation(1280, 64, kSource)});
}

AnnotationsHandle parseText(const std::string &text, const char *origin = "k.cl") {
  aiwc_annotations *annotations = nullptr;
  const aiwc_status status = aiwc_annotations_parse(text.data(), text.size(), origin, &annotations);
  INFO(aiwc_error_message());
  REQUIRE(status == AIWC_OK);
  return AnnotationsHandle(annotations);
}

struct Found {
  aiwc_status status = AIWC_INTERNAL;
  ProfileHandle profile;
  aiwc_match match{};
};

Found find(const AnnotationsHandle &annotations, const size_t *global, const size_t *local,
           const char *kernel = "triad", size_t dimensions = 2) {
  Found found;
  aiwc_profile *profile = nullptr;
  found.status = aiwc_annotations_find(annotations.get(), kernel, dimensions, global, local,
                                       &profile, &found.match, sizeof found.match);
  CHECK((found.status == AIWC_OK) == (profile != nullptr));
  found.profile.reset(profile);
  return found;
}

aiwc_ndrange rangeOf(const Found &found) {
  aiwc_ndrange range{};
  REQUIRE(found.status == AIWC_OK);
  REQUIRE(aiwc_profile_ndrange(found.profile.get(), &range, sizeof range) == AIWC_OK);
  return range;
}

} // namespace

TEST_CASE("annotations are listed with their kernel and NDRange") {
  const AnnotationsHandle annotations = parseText(annotated());
  REQUIRE(aiwc_annotations_count(annotations.get()) == 3);
  CHECK(aiwc_annotations_rejected(annotations.get()) == 0);
  CHECK(std::string(aiwc_annotations_reason(annotations.get(), 0)).empty());
  const size_t global[] = {640, 640, 1280};
  const size_t local[] = {64, 32, 64};
  for (size_t i = 0; i < 3; ++i) {
    aiwc_annotation listed{};
    REQUIRE(aiwc_annotations_at(annotations.get(), i, &listed, sizeof listed) == AIWC_OK);
    CHECK(std::string(listed.kernel) == "triad");
    CHECK(listed.work_dim == 2);
    CHECK(listed.global_size[0] == global[i]);
    CHECK(listed.global_size[1] == 10);
    CHECK(listed.global_size[2] == 1);
    CHECK(listed.local_size[0] == local[i]);
    CHECK(listed.stale == 0);
  }
}

TEST_CASE("a launch finds its profile, which predicts what the embedded one did") {
  const AnnotationsHandle annotations = parseText(annotated());
  const Found found = find(annotations, kGlobal, kLocal);
  CHECK(found.match.stale == 0);
  const aiwc_ndrange range = rangeOf(found);
  CHECK(range.global_size[0] == 640);
  CHECK(range.local_size[0] == 64);
  CHECK(std::string(aiwc_profile_kernel(found.profile.get())) == "triad");

  const LibraryHandle library = openLibrary();
  const ProfileHandle original = parse(streaming());
  size_t compared = 0;
  for (const aiwc_device *device : devicesOf(library.get())) {
    aiwc_prediction a{};
    aiwc_prediction b{};
    const aiwc_status status = aiwc_predict(original.get(), device, nullptr, &a, sizeof a);
    CHECK(aiwc_predict(found.profile.get(), device, nullptr, &b, sizeof b) == status);
    CHECK(b.seconds == Approx(a.seconds).epsilon(0.0065)); // docs/embedding.md
    compared += status == AIWC_OK;
  }
  CHECK(compared >= 20);
}

TEST_CASE("a local size that is left open finds that of the first") {
  const AnnotationsHandle annotations = parseText(annotated());
  CHECK(rangeOf(find(annotations, kGlobal, nullptr)).local_size[0] == 64);
  const size_t narrow[] = {32, 1};
  const Found found = find(annotations, kGlobal, narrow);
  CHECK(rangeOf(found).local_size[0] == 32);
  CHECK(found.match.scaled == 0);
  CHECK(find(annotations, kGlobal, nullptr, "triads").status == AIWC_NOT_FOUND);
  CHECK(std::strstr(aiwc_error_message(), "k.cl: no profile of kernel triads with "
                                          "global size 640x10 and any local size is embedded"));
  CHECK(find(annotations, kGlobal, nullptr, "triad", 1).status == AIWC_NOT_FOUND);
}

TEST_CASE("a launch that was not characterised gets a profile that says that it is scaled") {
  const AnnotationsHandle annotations = parseText(annotated());
  const Found measured = find(annotations, kGlobal, kLocal);
  CHECK(measured.match.scaled == 0);
  CHECK(measured.match.other_local_size == 0);
  CHECK(measured.match.typical_factor == 1);
  CHECK(measured.match.most_factor == 1);

  const size_t other[] = {960, 10};
  const Found scaled = find(annotations, other, kLocal);
  CHECK(rangeOf(scaled).global_size[0] == 960);
  CHECK(scaled.match.scaled == 1);
  CHECK(scaled.match.stale == 0);
  CHECK(scaled.match.other_local_size == 0);
  CHECK(scaled.match.typical_factor >= 1);
  CHECK(scaled.match.most_factor >= scaled.match.typical_factor);
  // What the C++ library makes of the same annotations.
  const embed::Annotations reference = embed::readAnnotations(annotated());
  const auto expected = embed::profileFor(reference, {"triad", 2, {960, 10, 1}, {64, 1, 1}});
  REQUIRE(expected);
  CHECK(scaled.match.typical_factor == expected->accuracy->typicalFactor);
  const LibraryHandle library = openLibrary();
  const aiwc_device *device = nullptr;
  REQUIRE(aiwc_device_find(library.get(), "gtx1080", &device) == AIWC_OK);
  aiwc_prediction a{};
  aiwc_prediction b{};
  REQUIRE(aiwc_predict(scaled.profile.get(), device, nullptr, &a, sizeof a) == AIWC_OK);
  REQUIRE(aiwc_predict(parse(expected->profile).get(), device, nullptr, &b, sizeof b) == AIWC_OK);
  CHECK(a.seconds == b.seconds);

  const size_t wide[] = {128, 1};
  const Found otherGroups = find(annotations, kGlobal, wide);
  CHECK(otherGroups.match.scaled == 1);
  CHECK(otherGroups.match.other_local_size == 1);
  CHECK(rangeOf(otherGroups).local_size[0] == 128);
  const size_t huge[] = {SIZE_MAX / 2, 10};
  CHECK(find(annotations, huge, kLocal).status == AIWC_BAD_FILE);
  // Stale ones are not scaled.
  const AnnotationsHandle changed = parseText(annotated() + "// changed\n");
  CHECK(find(changed, other, kLocal).status == AIWC_NOT_FOUND);
}

TEST_CASE("of a source that has changed the profile is stale, unless there is another") {
  const AnnotationsHandle changed = parseText(annotated() + "// changed\n");
  aiwc_annotation listed{};
  REQUIRE(aiwc_annotations_at(changed.get(), 2, &listed, sizeof listed) == AIWC_OK);
  CHECK(listed.stale == 1);
  const Found stale = find(changed, kGlobal, kLocal);
  CHECK(stale.status == AIWC_OK);
  CHECK(stale.match.stale == 1);

  // The stale one comes first; what is left open finds the other all the same.
  const AnnotationsHandle both = parseText(
      embed::embed(kSource, std::vector<embed::Annotation>{annotation(640, 32, "another source"),
                                                           annotation(640, 64, kSource)}));
  const Found fresh = find(both, kGlobal, nullptr);
  CHECK(fresh.match.stale == 0);
  CHECK(rangeOf(fresh).local_size[0] == 64);
}

TEST_CASE("what is damaged, of another version or no annotation at all stops nobody") {
  std::string damaged = annotated();
  const size_t digit = damaged.find("fp_ops=") + 7;
  damaged[digit] = damaged[digit] == '1' ? '2' : '1';
  CHECK(find(parseText(damaged), kGlobal, kLocal).match.scaled == 1); // from those that are left
  CHECK(rangeOf(find(parseText(damaged), kGlobal, nullptr)).local_size[0] == 32); // the next one

  std::string alone = embed::embed(kSource, std::vector{annotation(640, 64, kSource)});
  alone[alone.find("fp_ops=") + 7] ^= 1; // another digit
  CHECK(find(parseText(alone), kGlobal, kLocal).status == AIWC_BAD_FILE);
  CHECK(std::strstr(aiwc_error_message(), "k.cl: line 2: check is "));

  std::string newer = annotated();
  newer.replace(newer.find("begin 1"), 7, "begin 9");
  const AnnotationsHandle two = parseText(newer);
  CHECK(aiwc_annotations_count(two.get()) == 2);
  REQUIRE(aiwc_annotations_rejected(two.get()) == 1);
  CHECK(std::strstr(aiwc_annotations_reason(two.get(), 0), "k.cl: line 2: version 9"));
  CHECK(std::string(aiwc_annotations_reason(two.get(), 1)).empty());

  for (const std::string &foreign :
       {std::string(), std::string("kernel void triad() {}"), std::string(1 << 16, '\0'),
        std::string("BC\xc0\xde\0\1", 6), std::string("\x03\x02\x23\x07\0", 5),
        std::string("//@aiwc begin 1\n//@aiwc end\n")}) {
    const AnnotationsHandle none = parseText(foreign, nullptr);
    CHECK(aiwc_annotations_count(none.get()) == 0);
    CHECK(find(none, kGlobal, nullptr).status == AIWC_NOT_FOUND);
  }
}

TEST_CASE("a file has its own annotations and its sidecar's") {
  TemporaryFolder folder;
  const std::string file = (folder / "k.cl").string();
  write(file, annotated());
  write(embed::sidecarOf(file),
        embed::writeSidecar(std::vector<embed::Annotation>{annotation(64, 64, kSource)},
                            profile::sourceHash(kSource)));
  const auto read = [&](const std::string &path) {
    aiwc_annotations *annotations = nullptr;
    const aiwc_status status = aiwc_annotations_read(path.c_str(), &annotations);
    CHECK((status == AIWC_OK) == (annotations != nullptr));
    CHECK((status == AIWC_OK || status == AIWC_BAD_FILE));
    return AnnotationsHandle(annotations);
  };
  const AnnotationsHandle annotations = read(file);
  CHECK(aiwc_annotations_count(annotations.get()) == 4);
  const size_t small[] = {64, 10};
  CHECK(rangeOf(find(annotations, small, kLocal)).global_size[0] == 64);
  write(embed::sidecarOf(file), "{");
  const AnnotationsHandle damaged = read(file);
  CHECK(aiwc_annotations_count(damaged.get()) == 3);
  CHECK(aiwc_annotations_rejected(damaged.get()) == 1);
  CHECK(!read((folder / "none.cl").string()));
  CHECK(std::strstr(aiwc_error_message(), "none.cl: cannot be read"));
  CHECK(!read(folder.path().string()));
  CHECK(!read("/dev/zero"));
  CHECK(!read(""));
}

TEST_CASE("NULL and what is out of range is a bad argument to every function on annotations") {
  const AnnotationsHandle good = parseText(annotated());
  aiwc_annotations *annotations = nullptr;
  aiwc_profile *profile = nullptr;
  aiwc_annotation listed{};
  const auto *at = good.get();
  const std::vector<aiwc_status> statuses = {
      aiwc_annotations_read(nullptr, &annotations),
      aiwc_annotations_read("k.cl", nullptr),
      aiwc_annotations_parse(nullptr, 0, nullptr, &annotations),
      aiwc_annotations_parse("", 0, nullptr, nullptr),
      aiwc_annotations_at(nullptr, 0, &listed, sizeof listed),
      aiwc_annotations_at(at, 0, nullptr, sizeof listed),
      aiwc_annotations_at(at, 0, &listed, sizeof listed - 1),
      aiwc_annotations_at(at, 3, &listed, sizeof listed),
      aiwc_annotations_at(at, SIZE_MAX, &listed, sizeof listed),
      aiwc_annotations_find(nullptr, "triad", 2, kGlobal, kLocal, &profile, nullptr, 0),
      aiwc_annotations_find(at, nullptr, 2, kGlobal, kLocal, &profile, nullptr, 0),
      aiwc_annotations_find(at, "triad", 0, kGlobal, kLocal, &profile, nullptr, 0),
      aiwc_annotations_find(at, "triad", 4, kGlobal, kLocal, &profile, nullptr, 0),
      aiwc_annotations_find(at, "triad", 2, nullptr, kLocal, &profile, nullptr, 0),
      aiwc_annotations_find(at, "triad", 2, kNothing, kLocal, &profile, nullptr, 0),
      aiwc_annotations_find(at, "triad", 2, kGlobal, kLocal, nullptr, nullptr, 0),
      aiwc_annotations_find(at, "triad", 2, kGlobal, kNothing, &profile, nullptr, 0),
  };
  CHECK(statuses == std::vector<aiwc_status>(statuses.size(), AIWC_BAD_ARGUMENT));
  CHECK(std::string(aiwc_error_message()) ==
        "local_size has a 0: expected work-items, or NULL for any");
  aiwc_match match{};
  CHECK(aiwc_annotations_find(at, "triad", 2, kGlobal, kLocal, &profile, &match,
                              sizeof match - 1) == AIWC_BAD_ARGUMENT);
  CHECK((!annotations && !profile));
  CHECK(aiwc_annotations_count(nullptr) == 0);
  CHECK(aiwc_annotations_rejected(nullptr) == 0);
  CHECK(std::string(aiwc_annotations_reason(nullptr, 0)).empty());
  aiwc_annotations_free(nullptr);
  CHECK(aiwc_annotations_find(at, "triad", 2, kGlobal, kLocal, &profile, nullptr, 0) == AIWC_OK);
  aiwc_profile_free(profile);
}
