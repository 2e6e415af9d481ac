#pragma once

#include <cstdint>

namespace aiwc::metrics {

/// What the user may choose about the analyses. The profile records it.
struct AnalysisOptions {
  /// Of the lines whose reuse is measured: a power of two from 32 to 256.
  uint32_t lineBytes = 64;
  /// Share of the lines whose reuse is measured, in (0, 1]; 1: all of them, exactly.
  double reuseSampleRate = 1;
};

} // namespace aiwc::metrics
