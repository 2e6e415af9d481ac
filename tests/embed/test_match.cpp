// Profiles for launches, from the annotations of a kernel.

#include "embed/match.h"
#include "profile/json.h"
#include "support/plausible.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace aiwc::embed;
using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::test;
using aiwc::scaling::ScaledProfile;

namespace {

LaunchKey launch(uint64_t items, const std::string &kernel = "k") {
  return {kernel, 1, {items, 1, 1}, {8, 1, 1}};
}

} // namespace

TEST_CASE("of annotations, those that are stale, damaged or of other kernels are not used") {
  Annotations annotations;
  for (const uint64_t items : {64, 256, 1024, 4096})
    annotations.found.push_back(annotationOf(smallProfile("k", "xxh3-128:0", items)));
  CHECK(profileFor(annotations, launch(2048))->from == std::vector{launch(1024), launch(4096)});
  annotations.found[2].text.back() ^= 1; // the checksum
  annotations.found[3].stale = true;
  const ScaledProfile made = profileFor(annotations, launch(2048)).value();
  CHECK(made.from == std::vector{launch(256), launch(64)});
  CHECK(made.profile.count("total_instruction_count"_metric) == 20480);
  CHECK(profileFor(annotations, launch(64))->exact());
  CHECK_FALSE(profileFor(annotations, launch(64, "other")));
}

TEST_CASE("a scaled profile says so wherever it goes, and is not embedded as if measured") {
  const std::vector<KernelProfile> known = {smallProfile("k", "xxh3-128:0", 64)};
  const ScaledProfile made = aiwc::scaling::scaledTo(launch(640), known).value();
  const KernelProfile read = fromJson(toJson(made.profile), "file");
  CHECK(read.provenance.scaledFrom == "64/8");
  CHECK_THROWS_WITH(encode(made.profile),
                    "kernel k: scaled_from is 64/8: expected a profile that was measured");
}
