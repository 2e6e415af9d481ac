/// Reads the values of the compact form. All functions throw Error, `KEY is VALUE: expected ...`.
#pragma once

#include "embed/compact_fields.h"
#include "embed/compact_histogram.h"
#include "embed/compact_words.h"
#include "profile/kernel_profile.h"

#include <cstdint>
#include <string>
#include <vector>

namespace aiwc::embed {

/// A name; it may contain any bytes.
std::string nameIn(const Token &token);
uint64_t countIn(const Token &token);
/// Finite and not negative.
double realIn(const Token &token);
/// Reads one to three sizes and returns their number; the other elements of `size` become
/// `missing`.
uint32_t sizeIn(const Token &token, profile::Size3 &size, uint64_t missing);

/// Sets the metrics of `list`.
void readMetrics(const MetricList &list, const Token &token, profile::KernelProfile &profile);
/// Appends level widths. They must increase.
void readLevels(const Token &token, profile::Histogram &levels);
/// Appends ranges. They are not checked here: `expandReuse` does that.
void readReuse(const Token &token, std::vector<ReuseRange> &ranges);

} // namespace aiwc::embed
