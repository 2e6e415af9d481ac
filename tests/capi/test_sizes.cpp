// Structs of other versions of the library.

#include "../../apps/capi/boundary.h"
#include "fixture.h"

#include <catch2/catch.hpp>
#include <cstring>

using namespace aiwc::test;

namespace {

/// A struct of a later version.
struct Grown {
  aiwc_share share;
  double added;
};

} // namespace

template <> inline constexpr size_t aiwc::capi::kFirstSize<Grown> = sizeof(aiwc_share);

TEST_CASE("a struct that has grown is accepted in the size that it had at first") {
  CHECK(aiwc::capi::isSizeAccepted<Grown>(sizeof(aiwc_share)));
  CHECK(aiwc::capi::isSizeAccepted<Grown>(sizeof(Grown)));
  CHECK_FALSE(aiwc::capi::isSizeAccepted<Grown>(sizeof(aiwc_share) - 1));
}

// The numbers are the ABI of version 0.2: where one of them does not hold any more, programs that
// were compiled with it have stopped working.
TEST_CASE("each struct is accepted from the size that it had in version 0.2 to 4096 bytes") {
  using aiwc::capi::isSizeAccepted;
  const auto from = [](bool (*accepts)(size_t), size_t size) {
    return accepts(size) && accepts(size + 8) && accepts(4096) && !accepts(size - 1) &&
           !accepts(4097) && !accepts(SIZE_MAX);
  };
  CHECK(from(isSizeAccepted<aiwc_ndrange>, 80));
  CHECK(from(isSizeAccepted<aiwc_annotation>, 72));
  CHECK(from(isSizeAccepted<aiwc_match>, 32));
  CHECK(from(isSizeAccepted<aiwc_prediction>, 224));
  CHECK(from(isSizeAccepted<aiwc_share>, 64));
  CHECK(from(isSizeAccepted<aiwc_division>, 40));
  CHECK(from(isSizeAccepted<aiwc_metric>, 48));
  CHECK(from(isSizeAccepted<aiwc_device_facts>, 48));
  CHECK(from(isSizeAccepted<aiwc_parameter>, 32));
  CHECK(from(isSizeAccepted<aiwc_provenance>, 80));
  CHECK(from(isSizeAccepted<aiwc_value>, 32));
  CHECK(from(isSizeAccepted<aiwc_line>, 72));
  CHECK(from(isSizeAccepted<aiwc_part>, 24));
  CHECK(from(isSizeAccepted<aiwc_transfers>, 32));
  CHECK(offsetof(aiwc_transfers, device_to_host_transfers) == 24);
  CHECK(offsetof(aiwc_ndrange, local_size) == 56);
  CHECK(offsetof(aiwc_annotation, stale) == 64);
  CHECK(offsetof(aiwc_match, most_factor) == 24);
  CHECK(offsetof(aiwc_prediction, known_device) == 84);
  CHECK(offsetof(aiwc_prediction, parts_s) == 96);
  CHECK(offsetof(aiwc_metric, fraction) == 44);
  CHECK(offsetof(aiwc_device_facts, opencl) == 44);
  CHECK(offsetof(aiwc_parameter, description) == 24);
  CHECK(offsetof(aiwc_provenance, floating_point) == 76);
  CHECK(offsetof(aiwc_value, standard_error) == 24);
  CHECK(offsetof(aiwc_line, mispredictions) == 64);
  CHECK(offsetof(aiwc_part, term) == 16);
  CHECK(offsetof(aiwc_share, finish_s) == 56);
  CHECK(offsetof(aiwc_division, dimension) == 32);
}
