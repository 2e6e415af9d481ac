#include "boundary.h"
#include "catalogue/definitions.h"
#include "handles.h"
#include "profile/json.h"
#include "profile/reuse.h"
#include "run/found_in_caches.h"
#include "run/launch.h"
#include "views/line_counts.h"

#include <fmt/format.h>

#include <memory>
#include <string_view>
#include <type_traits>
#include <variant>

using aiwc::capi::copyOut;
using aiwc::capi::Failure;
using aiwc::capi::given;
using aiwc::capi::guarded;
using aiwc::capi::kMostHandles;
using aiwc::capi::requireAtMost;
using aiwc::capi::requireSize;

static_assert(std::is_same_v<size_t, uint64_t>, "NDRanges are passed on as OpenCL's size_t");

namespace {

/// A text of the catalogue for C; an empty one may have no address.
const char *cText(std::string_view text) {
  return text.empty() ? "" : text.data();
}

consteval bool endInNul() {
  for (const aiwc::profile::MetricInfo &info : aiwc::profile::catalogue())
    for (const std::string_view text : {info.key, info.name, info.unit})
      if (!text.empty() && text.data()[text.size()] != '\0')
        return false;
  return true;
}
static_assert(endInNul(), "C sees the texts of the catalogue up to the NUL after them");

/// Throws Failure, AIWC_BAD_ARGUMENT, if there are not so many metrics.
const aiwc::profile::MetricInfo &metricAt(size_t index) {
  const auto metrics = aiwc::profile::catalogue();
  if (index >= metrics.size())
    throw Failure(AIWC_BAD_ARGUMENT,
                  fmt::format("index is {}: expected one below {}", index, metrics.size()));
  return metrics[index];
}

} // namespace

size_t aiwc_metric_count(void) {
  return aiwc::profile::catalogue().size();
}

aiwc_status aiwc_metric_at(size_t index, aiwc_metric *metric, size_t metric_size) {
  return guarded(AIWC_INTERNAL, [&] {
    given(metric, "metric");
    requireSize<aiwc_metric>(metric_size, "metric_size");
    const aiwc::profile::MetricInfo &info = metricAt(index);
    aiwc_metric result{};
    result.key = cText(info.key);
    result.name = cText(info.name);
    result.unit = cText(info.unit);
    result.category = aiwc::profile::toString(info.category).data(); // a literal
    result.definition = cText(aiwc::metrics::definitionOf(info.metric));
    result.integer = info.type == aiwc::profile::MetricType::kCount ? 1 : 0;
    result.fraction = info.range == aiwc::profile::Range::kFraction ? 1 : 0;
    copyOut(result, metric, metric_size);
  });
}

aiwc_status aiwc_profile_read(const char *path, aiwc_profile **profile) {
  return guarded(AIWC_BAD_FILE, [&] {
    aiwc_profile *&result = given(profile, "profile");
    const std::string file = &given(path, "path");
    aiwc::profile::KernelProfile read = aiwc::profile::readProfile(file);
    aiwc::run::setFoundOf(file, read);
    result = std::make_unique<aiwc_profile>(std::move(read), file).release();
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

aiwc_status aiwc_profile_new(const aiwc_profile *profile, const aiwc_transfers *transfers,
                             size_t transfers_size, aiwc_profile **alike) {
  return guarded(AIWC_INTERNAL, [&] {
    const aiwc_profile &from = given(profile, "profile");
    const aiwc_transfers &moved = given(transfers, "transfers");
    requireSize<aiwc_transfers>(transfers_size, "transfers_size");
    aiwc_profile *&result = given(alike, "alike");
    aiwc::profile::KernelProfile copy = from.profile;
    aiwc::run::setTransfers(copy, {moved.host_to_device_bytes, moved.host_to_device_transfers},
                            {moved.device_to_host_bytes, moved.device_to_host_transfers});
    result = std::make_unique<aiwc_profile>(std::move(copy), from.origin).release();
  });
}

void aiwc_profile_free(aiwc_profile *profile) {
  delete profile;
}

const char *aiwc_profile_kernel(const aiwc_profile *profile) {
  return profile ? profile->profile.provenance.kernel.c_str() : "";
}

aiwc_status aiwc_profile_ndrange(const aiwc_profile *profile, aiwc_ndrange *ndrange,
                                 size_t ndrange_size) {
  return guarded(AIWC_INTERNAL, [&] {
    const aiwc::profile::Provenance &from = given(profile, "profile").profile.provenance;
    requireSize<aiwc_ndrange>(ndrange_size, "ndrange_size");
    aiwc_ndrange result{};
    result.work_dim = from.workDim;
    std::ranges::copy(from.globalOffset, result.global_offset);
    std::ranges::copy(from.globalSize, result.global_size);
    std::ranges::copy(from.localSize, result.local_size);
    copyOut(result, &given(ndrange, "ndrange"), ndrange_size);
  });
}

aiwc_status aiwc_profile_provenance(const aiwc_profile *profile, aiwc_provenance *provenance,
                                    size_t provenance_size) {
  return guarded(AIWC_INTERNAL, [&] {
    const aiwc_profile &kernel = given(profile, "profile");
    given(provenance, "provenance");
    requireSize<aiwc_provenance>(provenance_size, "provenance_size");
    const aiwc::profile::Provenance &from = kernel.profile.provenance;
    aiwc_provenance result{};
    result.invocation = from.invocation;
    result.source_hash = from.sourceHash.c_str();
    result.code_hash = from.codeHash.c_str();
    result.build_options = from.buildOptions.c_str();
    result.engine = from.engine.c_str();
    result.reason = kernel.profile.reason.c_str();
    result.simulator_errors = kernel.profile.simulatorErrors;
    result.sampled_groups = from.sampledGroups;
    result.total_groups = from.totalGroups;
    result.line_bytes = kernel.profile.reuse.lineBytes;
    result.complete = kernel.profile.complete ? 1 : 0;
    result.floating_point = aiwc::predict::isFloatingPoint(kernel.profile) ? 1 : 0;
    copyOut(result, provenance, provenance_size);
  });
}

aiwc_status aiwc_profile_value(const aiwc_profile *profile, size_t index, aiwc_value *value,
                               size_t value_size) {
  return guarded(AIWC_INTERNAL, [&] {
    const aiwc::profile::KernelProfile &kernel = given(profile, "profile").profile;
    given(value, "value");
    requireSize<aiwc_value>(value_size, "value_size");
    const aiwc::profile::Metric metric = metricAt(index).metric;
    aiwc_value result{};
    result.real = kernel.real(metric);
    result.standard_error = kernel.standardError(metric);
    if (const auto *count = std::get_if<uint64_t>(&kernel[metric])) {
      result.kind = AIWC_VALUE_COUNT;
      result.count = *count;
    } else if (std::holds_alternative<double>(kernel[metric])) {
      result.kind = AIWC_VALUE_REAL;
    }
    copyOut(result, value, value_size);
  });
}

aiwc_status aiwc_profile_misses(const aiwc_profile *profile, const uint64_t *cache_bytes,
                                size_t count, uint64_t *misses, uint64_t *accesses) {
  return guarded(AIWC_INTERNAL, [&] {
    const aiwc::profile::CacheMisses cacheMisses(given(profile, "profile").profile);
    requireAtMost(count, kMostHandles, "count");
    if (count > 0) {
      given(cache_bytes, "cache_bytes");
      given(misses, "misses");
    }
    for (size_t i = 0; i < count; ++i)
      misses[i] = cacheMisses(cache_bytes[i]);
    if (accesses)
      *accesses = cacheMisses.all();
  });
}

aiwc_status aiwc_lines(const aiwc_profile *const *profiles, size_t profile_count,
                       uint64_t cache_bytes, unsigned lanes, aiwc_line *lines, size_t line_size,
                       size_t capacity, size_t *count) {
  return guarded(AIWC_INTERNAL, [&] {
    given(profiles, "profiles");
    requireAtMost(profile_count, kMostHandles, "profile_count");
    requireAtMost(capacity, kMostHandles, "capacity");
    size_t &number = given(count, "count");
    if (capacity > 0)
      given(lines, "lines");
    requireSize<aiwc_line>(line_size, "line_size");
    if (lanes != 8 && lanes != 16 && lanes != 32 && lanes != 64)
      throw Failure(AIWC_BAD_ARGUMENT, fmt::format("lanes is {}: expected 8, 16, 32 or 64", lanes));
    if (cache_bytes == 0)
      throw Failure(AIWC_BAD_ARGUMENT, "cache_bytes is 0: expected the size of a cache");
    std::vector<const aiwc::profile::KernelProfile *> launches;
    for (size_t i = 0; i < profile_count; ++i)
      launches.push_back(&given(profiles[i], "a profile").profile);
    if (launches.empty())
      throw Failure(AIWC_BAD_ARGUMENT, "no profiles: expected at least one");
    const aiwc::views::LineListing listing = aiwc::views::lineListing(
        launches, {.cacheBytes = cache_bytes, .lanes = lanes, .sort = "line"});
    for (size_t i = 0; i < std::min(capacity, listing.lines.size()); ++i) {
      const aiwc::views::LineCounts &row = listing.lines[i];
      aiwc_line result{};
      result.line = row.line;
      result.instructions = row.instructions;
      result.fp_ops = row.fpOps;
      result.bytes = row.bytes;
      result.cache_accesses = row.cacheAccesses;
      result.cache_misses = row.cacheMisses;
      result.idle_lanes = row.idleLanes;
      result.branches = row.branches;
      result.mispredictions = row.mispredictions;
      copyOut(result, reinterpret_cast<char *>(lines) + i * line_size, line_size);
    }
    number = listing.lines.size();
  });
}
