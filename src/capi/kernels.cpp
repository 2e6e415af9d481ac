#include "boundary.h"
#include "handles.h"
#include "profile/json.h"

#include <memory>
#include <type_traits>

using aiwc::capi::copyOut;
using aiwc::capi::given;
using aiwc::capi::guarded;
using aiwc::capi::requireAtMost;
using aiwc::capi::requireSize;

static_assert(std::is_same_v<size_t, uint64_t>, "NDRanges are passed on as OpenCL's size_t");

aiwc_status aiwc_profile_read(const char *path, aiwc_profile **profile) {
  return guarded(AIWC_BAD_FILE, [&] {
    aiwc_profile *&result = given(profile, "profile");
    const std::string file = &given(path, "path");
    result = std::make_unique<aiwc_profile>(aiwc::profile::readProfile(file), file).release();
  });
}

aiwc_status aiwc_profile_parse(const char *json, size_t length, const char *origin,
                               aiwc_profile **profile) {
  return guarded(AIWC_BAD_FILE, [&] {
    aiwc_profile *&result = given(profile, "profile");
    const char *const begin = &given(json, "json");
    requireAtMost(length, aiwc::profile::kMaximumJsonBytes, "length");
    const std::string_view text(begin, length);
    const std::string name = origin ? origin : "profile";
    result = std::make_unique<aiwc_profile>(aiwc::profile::fromJson(text, name), name).release();
  });
}

void aiwc_profile_free(aiwc_profile *profile) {
  delete profile;
}

const char *aiwc_profile_kernel(const aiwc_profile *profile) {
  return profile ? profile->work.kernel.c_str() : "";
}

aiwc_status aiwc_profile_ndrange(const aiwc_profile *profile, aiwc_ndrange *ndrange,
                                 size_t ndrange_size) {
  return guarded(AIWC_INTERNAL, [&] {
    const aiwc::predict::KernelWork &work = given(profile, "profile").work;
    requireSize<aiwc_ndrange>(ndrange_size, "ndrange_size");
    aiwc_ndrange result{};
    result.work_dim = work.workDim;
    std::ranges::copy(work.globalOffset, result.global_offset);
    std::ranges::copy(work.globalSize, result.global_size);
    std::ranges::copy(work.localSize, result.local_size);
    copyOut(result, &given(ndrange, "ndrange"), ndrange_size);
  });
}
